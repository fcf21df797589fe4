// `lothub backup`, restoring what it made, and `lothub rebuild`.
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { copyStill } from '@lothub/kit/cli/sqlite-backup';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { anEvent, boot, type Booted } from '../boot.ts';
import { runCli, serveCli, testFolder, toText } from './run.ts';
import { sqliteDatabase } from '../engine.ts';
import { tamper } from '../ledger.ts';

async function postEvent(hub: Booted, reference: string): Promise<string> {
  const answer = await hub.post('/v1/events', anEvent({ reference }));
  assert.equal(answer.status, 201);
  return toText(answer.json['chain']?.['block_hash']);
}

const BATCHES = 4;
const EVENTS_PER_BATCH = 1_000;
const NOTES = 'n'.repeat(2_000);

/** So many that a backup copies them in several steps, between which others may write. */
async function postMegabytes(hub: Booted): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const events = Array.from({ length: EVENTS_PER_BATCH }, (_, index) =>
      anEvent({ reference: `B-${batch}-${index}`, notes: NOTES }),
    );
    const answer = await hub.post('/v1/events/batch', { events });
    assert.equal(answer.status, 201);
  }
}

/** As docs/operating.md says: the file becomes the database, and nothing of the old one stays. */
async function restore(backup: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  for (const ending of ['', '-wal', '-shm']) {
    await rm(join(dataDir, `lothub.db${ending}`), { force: true });
  }
  await copyFile(backup, join(dataDir, 'lothub.db'));
}

test('a backup of a running service holds the chain as it was, and the people beside it', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postEvent(hub, 'PO-1');
  const hash = await postEvent(hub, 'PO-2');
  const file = folder.file('hub.db');

  const run = await runCli(['backup', file, '--json'], { DATA_DIR: hub.dataDir });

  assert.equal(run.code, 0);
  assert.deepEqual([run.json['head']?.['height'], run.json['head']?.['hash']], [2, hash]);
  assert.deepEqual(await readdir(folder.path), ['hub.db', 'hub.people.db']);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(file)).size, Number(run.json['bytes']));
  const people = folder.file('hub.people.db');
  assert.deepEqual(run.json['people'], {
    file: people,
    bytes: (await stat(people)).size,
    accounts: 0,
  });
  assert.equal((await stat(people)).mode & 0o777, 0o600);
});

test('a backup ends, and is sound, although events never stop', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  const file = folder.file('hub.db');
  let isDone = false;
  const writing = (async () => {
    for (let index = 0; !isDone; index += 1) await postEvent(hub, `PO-${index}`);
  })();

  const run = await runCli(['backup', file, '--json'], { DATA_DIR: hub.dataDir });
  isDone = true;
  await writing;
  await restore(file, folder.file('restored'));
  const options = ['verify', '--accept-tip', '--json'];
  const verified = await runCli(options, { DATA_DIR: folder.file('restored') });

  assert.equal(run.code, 0);
  assert.equal(verified.code, 0);
  assert.deepEqual(verified.json['head'], run.json['head']);
});

test('a copy holds what was stored when it began, although others commit at every step', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postMegabytes(hub);
  await using source = new SqliteConnection(databaseFile(hub.dataDir), 'read');
  // The hub itself may be writing at that moment.
  using other = new DatabaseSync(databaseFile(hub.dataDir), { timeout: PATIENCE_MS });
  let steps = 0;
  const progress = {
    update: () => {
      steps += 1;
      assert.ok(steps < 100, 'the copy begins anew with every commit');
      other.exec(`insert into brands (tenant_id, updated_at) values ('t${steps}', '')`);
    },
    [Symbol.dispose]: () => undefined,
  };

  const { signal } = new AbortController();
  await copyStill(source, folder.file('copy.db'), { progress, signal });

  using copied = new DatabaseSync(folder.file('copy.db'));
  const count = (table: string): unknown =>
    copied.prepare(`select count(*) as count from ${table}`).get()?.['count'];
  assert.ok(steps > 1);
  assert.deepEqual([count('blocks'), count('brands')], [BATCHES * EVENTS_PER_BATCH + 1, 0]);
});

test('a backup that is older than the chain is not trusted until an operator accepts it', async () => {
  await using folder = await testFolder();
  const dataDir = folder.file('data');
  const hub = await boot({ database: sqliteDatabase(dataDir) });
  await postEvent(hub, 'PO-1');
  const file = folder.file('hub.db');
  await runCli(['backup', file], { DATA_DIR: dataDir });
  await postEvent(hub, 'PO-2');
  await hub.service.close();
  await restore(file, dataDir);

  const restored = await boot({ database: sqliteDatabase(dataDir) });
  const before = (await restored.call('/health')).json['chain'];
  const refused = await runCli(['verify', '--json'], { DATA_DIR: dataDir });
  const accepted = await runCli(['verify', '--accept-tip', '--json'], { DATA_DIR: dataDir });
  await restored.service.state.refresh();
  const after = (await restored.call('/health')).json['chain'];
  await restored.service.close();
  const later = await runCli(['verify'], { DATA_DIR: dataDir });

  assert.deepEqual([before?.['chain_valid'], after?.['chain_valid']], [false, true]);
  assert.equal(refused.code, 1);
  assert.equal(refused.json['mismatches']?.['0']?.['code'], 'tail_missing');
  assert.equal(accepted.code, 0);
  assert.notEqual(accepted.json['alarms_cleared'], 0);
  assert.equal(later.code, 0);
});

test('a backup never replaces a file unless it is asked to', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  const file = folder.file('hub.db');
  const people = folder.file('hub.people.db');
  await writeFile(people, 'mine');

  const besideIt = await runCli(['backup', file], { DATA_DIR: hub.dataDir });
  const onlyMine = await readdir(folder.path);
  await writeFile(file, 'mine');
  const refused = await runCli(['backup', file], { DATA_DIR: hub.dataDir });
  const kept = [await readFile(file, 'utf8'), await readFile(people, 'utf8')];
  const forced = await runCli(['backup', file, '--force'], { DATA_DIR: hub.dataDir });

  assert.deepEqual([besideIt.code, onlyMine], [2, ['hub.people.db']]);
  assert.deepEqual([refused.code, kept, forced.code], [2, ['mine', 'mine'], 0]);
  assert.deepEqual(await readdir(folder.path), ['hub.db', 'hub.people.db']);
});

test('a backup never replaces the database itself, whatever its options', async () => {
  await using hub = await boot();

  const run = await runCli(['backup', join(hub.dataDir, '.', 'lothub.db'), '--force'], {
    DATA_DIR: hub.dataDir,
  });

  assert.equal(run.code, 2);
  assert.match(run.stderr, /that is the database itself/);
  assert.equal((await hub.call('/health')).status, 200);
});

test('a backup into a folder that is not there ends with 1 and says so', async () => {
  await using hub = await boot();
  await using folder = await testFolder();

  const run = await runCli(['backup', folder.file('gone/hub.db')], { DATA_DIR: hub.dataDir });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /ENOENT.*; is there such a directory, with room/);
});

test('a backup of a database whose head is not its last block is not kept', async () => {
  await using hub = await boot();
  await using folder = await testFolder();
  await postEvent(hub, 'PO-1');
  await tamper(hub.database, 'update head set height = 0');

  const run = await runCli(['backup', folder.file('hub.db')], { DATA_DIR: hub.dataDir });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /the head of the copy is not its last block; nothing was kept/);
  assert.deepEqual(await readdir(folder.path), []);
});

test('a database of a newer schema is reported as such, and left alone', async () => {
  await using hub = await boot();
  await hub.service.close();
  await tamper(hub.database, 'update schema_versions set version = version + 90');

  const run = await runCli(['keys', 'list'], { DATA_DIR: hub.dataDir });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /; use the newer program that made it/);
});

test('rebuilding makes changed derived rows right again, and then the chain verifies', async () => {
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.file('data') };
  const hub = await boot({ database: sqliteDatabase(env.DATA_DIR) });
  await postEvent(hub, 'PO-1');
  await hub.service.close();
  await tamper(sqliteDatabase(env.DATA_DIR), "update lines set quantity = '999' where height = 1");

  const before = await runCli(['verify', '--json'], env);
  const rebuilt = await runCli(['rebuild', '--json'], env);
  const after = await runCli(['verify', '--json'], env);

  assert.deepEqual([before.code, before.json['first_bad_height']], [1, 1]);
  assert.deepEqual([rebuilt.code, rebuilt.json['blocks']], [0, 2]);
  assert.equal(after.code, 0);
});

test('rebuilding from blocks that do not verify changes nothing and ends with 1', async () => {
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.file('data') };
  const hub = await boot({ database: sqliteDatabase(env.DATA_DIR) });
  await postEvent(hub, 'PO-1');
  await hub.service.close();
  await tamper(
    sqliteDatabase(env.DATA_DIR),
    "update blocks set canonical = replace(canonical, 'PO-1', 'PO-9') where height = 1",
  );

  const run = await runCli(['rebuild', '--json'], env);

  assert.equal(run.code, 1);
  assert.equal(run.json['error']?.['code'], 'rebuild_refused');
  using database = new DatabaseSync(join(env.DATA_DIR, 'lothub.db'), { readOnly: true });
  assert.equal(database.prepare('select reference from events').get()?.['reference'], 'PO-1');
});

test('rebuilding is refused while a service runs', async () => {
  await using folder = await testFolder();
  await using served = await serveCli({ DATA_DIR: folder.path });

  const run = await runCli(['rebuild'], { DATA_DIR: folder.path });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /another lothub process is using it; stop that one first/);
  assert.ok(served.base);
});
