// The tests' own standby: what it promises to the tests.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { PostgresConnection } from '../../src/postgres/connection.ts';
import { PATIENCE_MS } from '../patience.ts';
import { startTestPostgres } from './server.ts';
import { startTestStandby } from './standby.ts';

const POLL_MS = 10;

async function untilCounted(connection: PostgresConnection, expected: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const row = await connection.first<{ goods: number }>(sql`select count(*) as goods from goods`);
    if (row?.goods === expected || performance.now() > deadline) return row?.goods ?? 0;
    await sleep(POLL_MS);
  }
}

test('a standby has what its primary had, and gets what is committed after', async () => {
  await using primary = await startTestPostgres();
  const database = await primary.createDatabase();
  await using writer = await PostgresConnection.open(database.url);
  await writer.all(sql`create table goods (no bigint)`);
  await writer.all(sql`insert into goods (no) values (${1})`);
  await using standby = await startTestStandby(primary, { synchronous: false });
  await using reader = await PostgresConnection.open(standby.buildUrl(database));
  const before = await untilCounted(reader, 1);

  await writer.all(sql`insert into goods (no) values (${2})`);

  assert.equal(before, 1);
  assert.equal(await untilCounted(reader, 2), 2);
  await assert.rejects(reader.all(sql`insert into goods (no) values (${3})`), {
    code: 'database_full',
  });
});

test('a primary that waits for its standby answers a commit when the standby is back', async () => {
  await using primary = await startTestPostgres({ fsync: 'on' });
  const database = await primary.createDatabase();
  await using writer = await PostgresConnection.open(database.url);
  await writer.all(sql`create table goods (no bigint)`);
  await using standby = await startTestStandby(primary, { synchronous: true });
  await standby.stop('fast');
  let answered = false;

  const commit = writer.all(sql`insert into goods (no) values (${1})`).then(() => {
    answered = true;
  });
  const waits = sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`;
  while ((await writer.first(waits)) === undefined) await sleep(POLL_MS);
  const beforeItWasBack = answered;
  await standby.start();
  await commit;

  assert.equal(beforeItWasBack, false);
  await using reader = await PostgresConnection.open(standby.buildUrl(database));
  assert.equal(await untilCounted(reader, 1), 1);
});

test('a promoted standby takes writes, keeps all that was answered, and restarts as a primary', async () => {
  await using primary = await startTestPostgres({ fsync: 'on' });
  const database = await primary.createDatabase();
  await using writer = await PostgresConnection.open(database.url);
  await writer.all(sql`create table goods (no bigint)`);
  await using standby = await startTestStandby(primary, { synchronous: true });
  await writer.all(sql`insert into goods (no) values (${1})`);

  await primary.stop('immediate');
  await standby.promote();
  await standby.stop('fast');
  await standby.start();

  await using promoted = await PostgresConnection.open(standby.buildUrl(database));
  await promoted.all(sql`insert into goods (no) values (${2})`);
  assert.deepEqual(await promoted.all(sql`select no from goods order by no`), [
    { no: 1 },
    { no: 2 },
  ]);
});

test('a disposed standby leaves nothing behind, and its primary no longer waits for it', async () => {
  await using primary = await startTestPostgres();
  const database = await primary.createDatabase();
  await using writer = await PostgresConnection.open(database.url);
  const standby = await startTestStandby(primary, { synchronous: true });

  await standby[Symbol.asyncDispose]();

  assert.ok(!existsSync(standby.folder));
  await writer.all(sql`create table goods (no bigint)`);
  assert.deepEqual(await writer.all(sql`select slot_name from pg_replication_slots`), []);
});
