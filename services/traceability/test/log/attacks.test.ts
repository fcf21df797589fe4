// Who notices which attack on a hub's chain (docs/trust.md): the hub itself, or somebody who has kept a
// checkpoint. Nobody else has signed; with witnesses see attacks-witnessed.test.ts.
import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { anEvent, boot, valueAt, type Booted } from '../boot.ts';
import { runCli, testFolder, type TestFolder } from '../cli/run.ts';
import { sqliteDatabase } from '../engine.ts';
import { ATTACKS, EVENTS, EVENTS_BEFORE, post, putBack } from './attacks.ts';
import type { Attack, Attacked } from './attacks.ts';

/** What somebody outside finds who has kept the checkpoint from before the attack. */
type Client = 'proved' | 'rolled_back' | 'split_view' | 'bad_signature' | 'no answer';

interface Noticed {
  readonly hub: readonly string[];
  readonly logState: unknown;
  readonly client: Client;
  readonly monitor: readonly string[];
}

/** Where a hub has served, and a client has seen its newest checkpoint; each test attacks a copy. */
const begun = await openForFile(testFolder());
before(async () => {
  await begin(begun);
});

async function copyBegun(folder: TestFolder): Promise<Attacked> {
  await cp(begun.path, folder.path, { recursive: true });
  return attackedIn(folder);
}

function attackedIn(folder: TestFolder): Attacked {
  return { dataDir: folder.file('hub'), olderDir: folder.file('older') };
}

async function begin(folder: TestFolder): Promise<void> {
  const { dataDir, olderDir } = attackedIn(folder);
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
}

async function clientFinds(hub: Booted, folder: TestFolder): Promise<Client> {
  const args = ['verify', '--url', hub.base, '--policy', folder.file('policy')];
  const run = await runCli([...args, '--state', folder.file('kept'), '--json'], {});
  const { json } = run;
  return (run.code === 0 ? 'proved' : (valueAt(json, 'code') ?? 'no answer')) as Client;
}

/** What a monitor reports that has read every block before the attack. */
async function monitorFinds(hub: Booted, folder: TestFolder): Promise<readonly string[]> {
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
async function restart({ dataDir }: Attacked, folder: TestFolder): Promise<Noticed> {
  await using hub = await boot({ database: sqliteDatabase(dataDir) });
  const answer = await hub.post('/v1/events', anEvent({ reference: 'AFTER' }));
  assert.equal(answer.status, 201, answer.text);
  const rows = await hub.database.rows(
    'select distinct code from chain_alarms where cleared_at is null order by code',
  );
  // Whoever gets no answer asks for seconds.
  const [client, monitor] = await Promise.all([
    clientFinds(hub, folder),
    monitorFinds(hub, folder),
  ]);
  return {
    hub: rows.map((row) => String(row['code'])),
    logState: answer.json['log_state'] ?? 'signing',
    client,
    monitor,
  };
}

/** As the table of docs/trust.md has it. */
const NOTICED: Readonly<Record<Attack, Noticed>> = {
  changed: {
    hub: ['log_forked'],
    logState: 'held',
    client: 'proved',
    monitor: ['entries_differ'],
  },
  changedWithoutRecord: {
    hub: ['log_forked'],
    logState: 'held',
    client: 'no answer',
    monitor: ['no answer'],
  },
  changedWithoutTrace: {
    hub: [],
    logState: 'signing',
    client: 'split_view',
    monitor: ['split_view'],
  },
  swapped: {
    hub: ['log_forked'],
    logState: 'held',
    client: 'proved',
    monitor: ['entries_differ'],
  },
  cut: {
    hub: ['log_rolled_back', 'tail_missing'],
    logState: 'held',
    client: 'proved',
    monitor: ['no answer'],
  },
  cutWithRecords: {
    hub: ['log_rolled_back', 'tip_record_missing'],
    logState: 'held',
    client: 'no answer',
    monitor: ['no answer'],
  },
  putBack: {
    hub: ['log_rolled_back', 'tail_missing'],
    logState: 'held',
    client: 'proved',
    monitor: ['no answer'],
  },
  putBackWithFiles: {
    hub: [],
    logState: 'signing',
    client: 'rolled_back',
    monitor: ['rolled_back'],
  },
};

for (const [kind, expected] of Object.entries(NOTICED) as [Attack, Noticed][]) {
  const { name, attack } = ATTACKS[kind];
  const who = expected.hub.length > 0 ? 'the hub' : 'whoever kept a checkpoint';

  test(`${name}: ${who} notices`, async () => {
    await using folder = await testFolder();
    const attacked = await copyBegun(folder);

    await attack(attacked);
    const noticed = await restart(attacked, folder);

    assert.deepEqual(noticed, expected);
  });
}

test('a process with another key does not start', async () => {
  await using folder = await testFolder();
  const { dataDir } = await copyBegun(folder);
  await rm(join(dataDir, 'log.key'));

  await assert.rejects(boot({ database: sqliteDatabase(dataDir) }), /is signed by the key/);

  const foreign = folder.file('foreign');
  await (await boot({ database: sqliteDatabase(foreign) })).service.close();
  await cp(join(foreign, 'log.key'), join(dataDir, 'log.key'));
  await assert.rejects(boot({ database: sqliteDatabase(dataDir) }), /is signed by the key/);
});

test('a fork that is shown to one client alone is found by comparing what was signed', async () => {
  await using folder = await testFolder();
  const { dataDir, olderDir } = await copyBegun(folder);
  await using shown = await boot({ database: sqliteDatabase(olderDir) });
  for (let number = 0; number <= EVENTS - EVENTS_BEFORE; number += 1)
    await post(shown, 100 + number);
  await using _hub = await boot({ database: sqliteDatabase(dataDir) });

  // It is the hub's own key that signed both.
  assert.equal(await clientFinds(shown, folder), 'split_view');
});

test('a hub whose blocks come back signs again', async () => {
  await using folder = await testFolder();
  const attacked = await copyBegun(folder);
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
