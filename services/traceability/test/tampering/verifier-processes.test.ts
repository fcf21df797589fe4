// The background verifiers of several processes over one PostgreSQL: one of them works, all say the
// same, a finding of one is a finding of all, and none of them needs another one to live.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { Lease } from '@lothub/kit/postgres/lease';
import sql from 'sql-template-tag';
import { TURN_LEASE_MS } from '@lothub/kit/postgres/leased-turn';
import { PATIENCE_MS, stretchForLoad } from '@lothub/kit/test/patience';
import { makeStoredLedger, runStored, tamperWith } from './database.ts';
import type { RunningLedger, StoredLedger } from './database.ts';
import { TIP_HEIGHT } from './ledger.ts';

/** How long a process may not know of what another one has found, and the machine's own delays. */
const SPREAD_MS = 2_000;

const ledger = await openForFile(makeStoredLedger());

/** A process on a machine of its own. */
async function runSecond(
  { databaseUrl }: StoredLedger,
  begin: 'running' | 'paused' = 'running',
): Promise<RunningLedger> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  const running = await runStored({ dataDir, databaseUrl }, begin);
  return {
    ...running,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function connect({ databaseUrl = '' }: StoredLedger): Promise<PostgresConnection> {
  return PostgresConnection.open(databaseUrl, { connectionsMax: 1 });
}

async function findHolder(connection: PostgresConnection): Promise<string | undefined> {
  const row = await connection.first<{ holder: string }>(
    sql`select holder from leases where name = 'verifier' and expires_at > now()`,
  );
  return row?.holder;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  while (!(await condition())) {
    assert.equal(signal.aborted, false, 'it did not happen in time');
    await sleep(20);
  }
}

test('of two processes one verifies, and both say what that one has seen', async () => {
  await using copy = await ledger.copy();
  await using connection = await connect(copy);
  await using one = await runStored(copy);
  await until(async () => (await findHolder(connection)) !== undefined);
  const holder = await findHolder(connection);
  await using other = await runSecond(copy);

  await until(() => other.state.condition.verifiedThrough === TIP_HEIGHT);
  await until(() => one.state.condition.verifiedAt === other.state.condition.verifiedAt);

  assert.equal(one.state.condition.verifiedThrough, TIP_HEIGHT);
  assert.equal(await findHolder(connection), holder);
});

test('a process takes over when the one that verified is gone without a word', async () => {
  await using copy = await ledger.copy();
  await using connection = await connect(copy);
  const dead = new Lease({ connection, name: 'verifier', ttlMs: TURN_LEASE_MS });
  assert.equal(await dead.takeOrRenew(), true);
  const startedMs = performance.now();
  await using running = await runStored(copy);

  await until(() => running.state.condition.verifiedThrough === TIP_HEIGHT);

  const passedMs = performance.now() - startedMs;
  assert.ok(passedMs > TURN_LEASE_MS / 2, `${passedMs} ms: it did not wait`);
});

test('a process that stops hands its turn to another one', async () => {
  await using copy = await ledger.copy();
  await using connection = await connect(copy);
  const first = await runSecond(copy);
  await until(async () => (await findHolder(connection)) !== undefined);
  const holder = await findHolder(connection);
  await using second = await runStored(copy);

  await first[Symbol.asyncDispose]();
  await second.verifier.nextRound();

  await until(async () => (await findHolder(connection)) !== undefined);
  assert.notEqual(await findHolder(connection), holder);
});

test('what one process finds makes the chain invalid on all within moments', async () => {
  await using copy = await ledger.copy();
  await using finder = await runStored(copy);
  await using other = await runSecond(copy, 'paused');
  await tamperWith(copy, "update events set reference = 'X' where height = 5");

  await finder.verifier.nextRound();
  const foundMs = performance.now();
  await until(() => !other.state.valid);

  assert.ok(performance.now() - foundMs < stretchForLoad(SPREAD_MS));
  assert.equal(other.state.condition.firstBadHeight, 5);
});

test('a round that is asked for ends also while another process has the turn', async () => {
  await using copy = await ledger.copy();
  await using connection = await connect(copy);
  const other = new Lease({ connection, name: 'verifier', ttlMs: PATIENCE_MS });
  assert.equal(await other.takeOrRenew(), true);
  await using running = await runStored(copy);
  await tamperWith(copy, "update events set reference = 'X' where height = 5");

  await running.verifier.nextRound();

  assert.equal(running.state.condition.firstBadHeight, 5);
  assert.equal(await other.takeOrRenew(), true);
});

test('a verifier whose connection was cut goes on with a new one', async () => {
  await using copy = await ledger.copy();
  await using running = await runStored(copy);
  await running.verifier.nextRound();
  await using connection = await connect(copy);

  await connection.all(sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await tamperWith(copy, "update events set reference = 'X' where height = 5");
  await running.verifier.nextRound();

  assert.equal(running.state.condition.firstBadHeight, 5);
});
