// What an operator does when witnesses hold the log, from start to end, with a true witness: `lothub log accept`
// when they could not be asked, and another log when they have seen what is lost.
import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCheckpoint, parseEpochStatement } from '@lothub/chain/log';
import { serveWitness, type ServedWitness } from '@lothub/witness/test/served-witness';
import { formatEntry } from '@lothub/witness/test/test-log';
import { logRecordFile } from '../../src/ledger/log/log-record.ts';
import { anEvent, boot, valueAt, type Booted } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { newTestDatabase } from '../engine.ts';
import { makeCopy } from '../log/older-copy.ts';
import { readLine } from '../log/readers.ts';
import { until, untilPublished } from './witnessed-hub.ts';

const ORIGIN = 'trace.example.com/log/1';
const INTERVAL_MS = 50;
/** More requests than a test makes. */
const CHECKPOINTS_A_DAY = 10_000_000;

type Env = Readonly<Record<string, string>>;

/** A true witness behind an address that stays when it is away. */
class Witnessing implements AsyncDisposable {
  readonly #dataDir: string;
  #entries: readonly string[] = [];
  #served: ServedWitness | undefined;
  #port = 0;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Serves it, with what it has seen before. @param vkey of a log that it has in its list */
  async open(vkey?: string): Promise<void> {
    if (vkey !== undefined) {
      this.#entries = [...this.#entries, formatEntry({ vkey, qpd: CHECKPOINTS_A_DAY })];
    }
    this.#served = await serveWitness(this.#dataDir, { entries: this.#entries });
    await this.#served.app.listen({ host: '127.0.0.1', port: this.#port });
    this.#port = (this.#served.app.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.#served?.[Symbol.asyncDispose]();
    this.#served = undefined;
  }

  get policy(): string {
    const { vkey } = this.#served!.witness.key;
    return `witness outside ${vkey} http://127.0.0.1:${this.#port}/witness\nquorum outside\n`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A hub whose true witness has seen its first event. */
async function begin() {
  const folder = await testFolder();
  const database = await newTestDatabase();
  const witness = new Witnessing(folder.path);
  const first = await boot({ database, env: { LOG_ORIGIN: ORIGIN } });
  const vkey = await readLine(first, '/log/1/vkeys');
  await first.service.close();
  await witness.open(vkey);
  await writeFile(folder.file('policy'), witness.policy);
  const env = { LOG_ORIGIN: ORIGIN, WITNESS_POLICY_FILE: folder.file('policy') };
  const open = (changes: Env = {}): Promise<Booted> =>
    boot({
      database,
      env: { ...env, ...changes },
      witnessIntervalMs: INTERVAL_MS,
      witnessPatienceMs: 0,
    });
  const hub = await open();
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 2);
  return {
    folder,
    database,
    witness,
    hub,
    open,
    [Symbol.asyncDispose]: async () => {
      await witness[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function untilState(hub: Booted, state: string): Promise<void> {
  await until(state, async () => {
    return valueAt((await hub.call('/health')).json, 'log', 'state') === state;
  });
}

async function openCodes({ database }: Booted): Promise<readonly unknown[]> {
  const rows = await database.rows(
    'select distinct code from chain_alarms where cleared_at is null order by code',
  );
  return rows.map(({ code }) => code);
}

/** The codes that `lothub verify` finds, which is asked beside the running service. */
async function foundBy(env: Env): Promise<readonly [number, readonly unknown[]]> {
  const run = await runCli(['verify', '--json'], env);
  const mismatches = valueAt(run.json, 'mismatches') as readonly unknown[];
  return [run.code, [...new Set(mismatches.map((one) => valueAt(one, 'code')))]];
}

test('log accept lets a machine sign whose witness could not be asked, and the witness goes on with it', async () => {
  await using begun = await begin();
  const { database, witness, open } = begun;
  await begun.hub.service.close();
  await rm(logRecordFile(database.dataDir));
  await witness.close();
  await using hub = await open();
  await untilState(hub, 'held');
  const shown = await runCli(['log', '--json'], database.env);
  const found = await foundBy(database.env);
  const stillOpen = await openCodes(hub);

  const accepted = await runCli(['log', 'accept', '--json'], database.env);
  await untilState(hub, 'signing');

  assert.deepEqual(
    [shown.code, valueAt(shown.json, 'alarms', '0', 'code')],
    [1, 'log_unconfirmed'],
  );
  assert.deepEqual(found, [1, ['log_unconfirmed']]);
  assert.deepEqual(stillOpen, ['log_unconfirmed']);
  assert.deepEqual([accepted.code, valueAt(accepted.json, 'accepted')], [0, 1]);
  const posted = await hub.post('/v1/events', anEvent());
  assert.equal(valueAt(posted.json, 'log', 'index'), 2);
  await witness.open();
  await hub.service.close();
  await using again = await open();
  await untilPublished(again, 3);
  const after = await runCli(['log', 'accept', '--json'], database.env);
  assert.deepEqual([after.code, valueAt(after.json, 'accepted')], [0, 0]);
});

test('a log of which a witness has seen more is not accepted; another one begins behind it', async () => {
  await using begun = await begin();
  const { folder, database, witness, open } = begun;
  await begun.hub.service.close();
  await using older = await makeCopy(database);
  const beside = ['log.json', 'tip.json'];
  for (const name of beside) await cp(join(database.dataDir, name), folder.file(name));
  const before = await open();
  for (let event = 0; event < 3; event += 1) await before.post('/v1/events', anEvent());
  await untilPublished(before, 5);
  await before.service.close();
  const env = await older.putBack();
  for (const name of beside) await cp(folder.file(name), join(database.dataDir, name));

  const held = await open(env);
  // The first tree that grows is shown to the witness.
  await held.post('/v1/events', anEvent());
  await untilState(held, 'held');
  const posted = await held.post('/v1/events', anEvent());
  const accepted = await runCli(['log', 'accept', '--json'], env);
  const found = await foundBy(env);
  const state = valueAt((await held.call('/health')).json, 'log', 'state');
  await held.service.close();
  const next = await runCli(['log', 'new-epoch', '--reason', 'restore', '--json'], env);

  assert.deepEqual([posted.status, valueAt(posted.json, 'log_state')], [201, 'held']);
  assert.deepEqual([accepted.code, valueAt(accepted.json, 'accepted'), state], [0, 0, 'held']);
  assert.deepEqual(found, [1, ['witness_ahead']]);
  assert.equal(next.code, 0, next.stdout);
  const statement = parseEpochStatement(String(valueAt(next.json, 'statement')));
  assert.equal(statement.old, ORIGIN);
  await witness.close();
  await witness.open(statement.vkey);
  await using hub = await open(env);
  await until('the quorum of the new log', async () => {
    return (await hub.call('/log/2/checkpoint')).status === 200;
  });
  const head = parseCheckpoint((await hub.call('/log/2/checkpoint')).text);
  assert.deepEqual([head.origin, head.size, head.signatures.length], [statement.new, 4, 2]);
  assert.equal((await runCli(['log', '--json'], env)).code, 0);
});
