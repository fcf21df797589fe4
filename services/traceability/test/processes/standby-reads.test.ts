// Reads that a standby answers (DATABASE_READ_URL): never older than what was acknowledged, and never
// missing when the standby is away.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import type { TestDatabase, TestPostgres } from '@lothub/kit/test/postgres/server';
import { startTestStandby, type TestStandby } from '@lothub/kit/test/postgres/standby';
import sql from 'sql-template-tag';
import { aLine, anEvent, boot, bootSecond, type Booted } from '../boot.ts';
import { openSecondDatabase } from '../engine.ts';

const POLL_MS = 50;

let primary: TestPostgres;
let standby: TestStandby;
let database: TestDatabase;
/** Two processes over one primary, which read the same standby. */
let one: Booted;
let other: Booted;

before(async () => {
  primary = await startTestPostgres();
  database = await primary.createDatabase();
  standby = await startTestStandby(primary, { synchronous: false });
  const env = { DATABASE_READ_URL: standby.buildUrl(database) };
  one = await boot({ env, database: await openSecondDatabase(database.url) });
  other = await bootSecond(one, env);
});

after(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

/** Waits until the standby says that somebody looked lots up there; it says so some time later. */
async function untilStandbyLookedUp(): Promise<void> {
  await using connection = await PostgresConnection.open(standby.buildUrl(database));
  for (;;) {
    const row = await connection.first<{ readonly scans: number }>(sql`
      select idx_scan as scans
      from pg_stat_user_tables
      where relname = 'lots'`);
    if ((row?.scans ?? 0) > 0) return;
    await sleep(POLL_MS);
  }
}

/** Posts at one process and reads at the other, again and again; each read must have the post. */
async function postAndRead(series: string, rounds: number): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const lotCode = `${series}-${round}`;
    const posted = await one.post('/v1/events', anEvent({ lines: [aLine({ lot_code: lotCode })] }));

    const [lot, verified] = await Promise.all([
      other.call(`/v1/lots/${lotCode}`),
      other.call(`/public/verify/${lotCode}`),
    ]);

    assert.equal(posted.status, 201, posted.text);
    assert.equal(lot.status, 200, lot.text);
    assert.equal(verified.status, 200, verified.text);
    assert.equal(verified.json['verified'], true);
  }
}

test('what was acknowledged by one process is read at another one, through the standby', async () => {
  await postAndRead('FOLLOWED', 50);

  await untilStandbyLookedUp();
});

test('a standby that stands still is not read, and nothing is missing meanwhile', async () => {
  await using direct = await PostgresConnection.open(standby.buildUrl(database));
  await direct.all(sql`select pg_wal_replay_pause()`);

  await postAndRead('PAUSED', 10);

  await direct.all(sql`select pg_wal_replay_resume()`);
});

test('a standby that is away is not missed', async () => {
  await standby.stop('immediate');

  await postAndRead('AWAY', 10);

  await standby.start();
  await postAndRead('BACK', 10);
});
