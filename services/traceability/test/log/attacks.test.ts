// Who notices which attack on a hub's chain (docs/trust.md): the hub itself, or somebody who has kept a
// checkpoint. Each attacker can write every file of the hub and restarts it; the key stays the hub's.
import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { GENESIS_PREV_HASH, parseBlock, sealBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { rebuildDerived } from '../../src/ledger/rebuild/rebuild.ts';
import { SqliteRebuild } from '../../src/ledger/sqlite/rebuild.ts';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { TipRecordWriter } from '../../src/ledger/tip-record.ts';
import { aLine, anEvent, boot, valueAt } from '../boot.ts';
import type { Booted } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { sqliteDatabase } from '../engine.ts';
import { openTampering } from '../tampering/ledger.ts';

const EVENTS = 12;
/** Of the hub when its older copy was taken. */
const EVENTS_BEFORE = 8;

interface Attacked {
  readonly dataDir: string;
  /** A copy of the data directory of an earlier hour. */
  readonly olderDir: string;
}

/** What somebody outside finds who has kept the checkpoint of before the attack. */
type Client = 'proved' | 'rolled_back' | 'split_view' | 'bad_signature' | 'no answer';

interface Noticed {
  readonly hub: readonly string[];
  readonly logState: unknown;
  readonly client: Client;
  readonly monitor: readonly string[];
}

async function post(hub: Booted, number: number): Promise<void> {
  const answer = await hub.post(
    '/v1/events',
    anEvent({ reference: `PO-${number}`, lines: [aLine({ lot_code: `LOT-${number}` })] }),
  );
  assert.equal(answer.status, 201, answer.text);
}

/** A hub in a folder, and a client that has seen its newest checkpoint. */
async function begin(folder: { file(name: string): string }): Promise<Attacked> {
  const dataDir = folder.file('hub');
  const olderDir = folder.file('older');
  const early = await boot({ database: sqliteDatabase(dataDir) });
  for (let number = 0; number < EVENTS_BEFORE; number += 1) await post(early, number);
  await early.service.close();
  await cp(dataDir, olderDir, { recursive: true });
  const hub = await boot({ database: sqliteDatabase(dataDir) });
  for (let number = EVENTS_BEFORE; number < EVENTS; number += 1) await post(hub, number);
  const vkeys = (await hub.call('/log/1/vkeys')).text;
  await writeFile(folder.file('policy'), `log ${vkeys.split('\n')[0]}\nquorum none\n`);
  assert.equal(await clientFinds(hub, folder), 'proved');
  assert.deepEqual(await monitorFinds(hub, folder), []);
  await hub.service.close();
  return { dataDir, olderDir };
}

async function clientFinds(hub: Booted, folder: { file(name: string): string }): Promise<Client> {
  const args = ['verify', '--url', hub.base, '--policy', folder.file('policy')];
  const run = await runCli([...args, '--state', folder.file('kept'), '--json'], {});
  const { json } = run;
  return (run.code === 0 ? 'proved' : (valueAt(json, 'code') ?? 'no answer')) as Client;
}

/** What a monitor reports that has read every block before the attack. */
async function monitorFinds(
  hub: Booted,
  folder: { file(name: string): string },
): Promise<readonly string[]> {
  const args = ['monitor', hub.base, '--once', '--policy', folder.file('policy')];
  const run = await runCli([...args, '--state', folder.file('monitored'), '--json'], {});
  const lines = run.stdout.split('\n').filter((line) => line !== '');
  const reports = lines.map((line) => JSON.parse(line) as unknown);
  const codes = reports
    .map((report) => valueAt(report, 'code'))
    .filter((code) => code !== undefined);
  return run.code !== 0 && codes.length === 0 ? ['no answer'] : codes.map(String);
}

/** Starts the hub again, posts once, and waits until it has looked at its log. */
async function restart(
  { dataDir }: Attacked,
  folder: { file(name: string): string },
): Promise<Noticed> {
  await using hub = await boot({ database: sqliteDatabase(dataDir) });
  const answer = await hub.post('/v1/events', anEvent({ reference: 'AFTER' }));
  assert.equal(answer.status, 201, answer.text);
  const rows = await hub.database.rows(
    'select distinct code from chain_alarms where cleared_at is null order by code',
  );
  return {
    hub: rows.map((row) => String(row['code'])),
    logState: answer.json['log_state'] ?? 'signing',
    client: await clientFinds(hub, folder),
    monitor: await monitorFinds(hub, folder),
  };
}

/** Seals the chain anew from other texts, as whoever has the program can, and makes all rows anew. */
async function sealAnew(
  dataDir: string,
  change: (payloads: readonly string[]) => readonly string[],
): Promise<void> {
  await using connection = openTampering(dataDir);
  const { database } = connection;
  const texts = database
    .prepare('select canonical from blocks order by height')
    .all()
    .map((row) => String(row['canonical']));
  let prevHash = GENESIS_PREV_HASH;
  for (const [height, payload] of change(
    texts.map((text) => parseBlock(text).payloadText),
  ).entries()) {
    const block = sealBlock({ height, payloadText: payload, prevHash, hash: sha256Hex });
    database
      .prepare('update blocks set prev_hash = ?, hash = ?, canonical = ? where height = ?')
      .run(prevHash, block.blockHash, block.canonical, height);
    prevHash = block.blockHash;
  }
  const tip = await rebuildDerived({ ledger: new SqliteRebuild(connection) });
  using record = new TipRecordWriter(dataDir);
  record.write(tip);
}

async function cutTail(dataDir: string): Promise<void> {
  await using connection = openTampering(dataDir);
  connection.database.exec(`delete from blocks where height > ${EVENTS_BEFORE}`);
  await rebuildDerived({ ledger: new SqliteRebuild(connection) });
}

async function removeRecords(dataDir: string): Promise<void> {
  for (const name of ['tip.json', 'log.json']) await rm(join(dataDir, name));
}

/** Puts the database of an earlier hour back, without the files beside it. */
async function putBack({ dataDir, olderDir }: Attacked): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('lothub.db')) await rm(join(dataDir, name));
  }
  await cp(databaseFile(olderDir), databaseFile(dataDir));
}

const changeOne = (payloads: readonly string[]): readonly string[] =>
  payloads.map((payload) => payload.replace('"reference":"PO-3"', '"reference":"PO-9"'));
/** Each at the time of the other: time on the chain goes forward. */
const swapTwo = (payloads: readonly string[]): readonly string[] => {
  const [a, b] = [payloads[4]!, payloads[5]!];
  return payloads.with(4, at(b, timeOf(a))).with(5, at(a, timeOf(b)));
};
const RECORDED_AT = /"recorded_at":"[^"]+"/;
const timeOf = (payload: string): string => RECORDED_AT.exec(payload)![0];
const at = (payload: string, time: string): string => payload.replace(RECORDED_AT, time);

/** As the table of docs/trust.md has it. */
const ATTACKS: readonly {
  readonly name: string;
  readonly attack: (attacked: Attacked) => Promise<void>;
  readonly hub: readonly string[];
  readonly logState: 'signing' | 'held';
  readonly client: Client;
  readonly monitor: readonly string[];
}[] = [
  {
    name: 'a block changed, everything hashed anew and the record of the tip put right',
    attack: ({ dataDir }) => sealAnew(dataDir, changeOne),
    hub: ['log_forked'],
    logState: 'held',
    client: 'proved',
    monitor: ['entries_differ'],
  },
  {
    name: 'the same, with the record of the log taken away',
    attack: async ({ dataDir }) => {
      await sealAnew(dataDir, changeOne);
      await rm(join(dataDir, 'log.json'));
    },
    hub: [],
    logState: 'signing',
    client: 'split_view',
    monitor: ['split_view'],
  },
  {
    name: 'two blocks swapped and everything hashed anew',
    attack: ({ dataDir }) => sealAnew(dataDir, swapTwo),
    hub: ['log_forked'],
    logState: 'held',
    client: 'proved',
    monitor: ['entries_differ'],
  },
  {
    name: 'the tail cut',
    attack: ({ dataDir }) => cutTail(dataDir),
    hub: ['log_rolled_back', 'tail_missing'],
    logState: 'held',
    client: 'proved',
    monitor: ['no answer'],
  },
  {
    name: 'the tail cut with the files beside the database',
    attack: async ({ dataDir }) => {
      await cutTail(dataDir);
      await removeRecords(dataDir);
    },
    hub: ['tip_record_missing'],
    logState: 'held',
    client: 'no answer',
    monitor: ['no answer'],
  },
  {
    name: 'an older database put back',
    attack: putBack,
    hub: ['log_rolled_back', 'tail_missing'],
    logState: 'held',
    client: 'proved',
    monitor: ['no answer'],
  },
  {
    name: 'an older database put back with the files beside it',
    attack: async ({ dataDir, olderDir }) => {
      await rm(dataDir, { recursive: true });
      await cp(olderDir, dataDir, { recursive: true });
    },
    hub: [],
    logState: 'signing',
    client: 'rolled_back',
    monitor: ['rolled_back'],
  },
];

for (const { name, attack, hub, logState, client, monitor } of ATTACKS) {
  test(`${name}: ${hub.length > 0 ? 'the hub' : 'whoever kept a checkpoint'} notices`, async () => {
    await using folder = await testFolder();
    const attacked = await begin(folder);

    await attack(attacked);
    const noticed = await restart(attacked, folder);

    assert.deepEqual(noticed, { hub, logState, client, monitor });
  });
}

test('a process with another key does not start', async () => {
  await using folder = await testFolder();
  const { dataDir } = await begin(folder);
  await rm(join(dataDir, 'log.key'));

  await assert.rejects(boot({ database: sqliteDatabase(dataDir) }), /is signed by the key/);

  const foreign = folder.file('foreign');
  await (await boot({ database: sqliteDatabase(foreign) })).service.close();
  await cp(join(foreign, 'log.key'), join(dataDir, 'log.key'));
  await assert.rejects(boot({ database: sqliteDatabase(dataDir) }), /is signed by the key/);
});

test('a fork that is shown to one client alone is found by comparing what was signed', async () => {
  await using folder = await testFolder();
  const { dataDir, olderDir } = await begin(folder);
  await using shown = await boot({ database: sqliteDatabase(olderDir) });
  for (let number = 0; number <= EVENTS - EVENTS_BEFORE; number += 1)
    await post(shown, 100 + number);
  await using _hub = await boot({ database: sqliteDatabase(dataDir) });

  // It is the hub's own key that signed both.
  assert.equal(await clientFinds(shown, folder), 'split_view');
});

test('a hub whose blocks come back signs again', async () => {
  await using folder = await testFolder();
  const attacked = await begin(folder);
  const aside = folder.file('aside');
  await cp(attacked.dataDir, aside, { recursive: true });
  await putBack(attacked);
  await (await boot({ database: sqliteDatabase(attacked.dataDir) })).service.close();
  for (const name of await readdir(attacked.dataDir)) {
    if (name.startsWith('lothub.db')) await rm(join(attacked.dataDir, name));
  }

  await cp(databaseFile(aside), databaseFile(attacked.dataDir));
  const noticed = await restart(attacked, folder);

  assert.deepEqual(noticed, { hub: [], logState: 'signing', client: 'proved', monitor: [] });
});
