// One lease and several who want it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import sql from 'sql-template-tag';
import { startTestPostgres, type TestPostgres } from '../../test/postgres/server.ts';
import { PostgresConnection } from './connection.ts';
import { Lease } from './lease.ts';

const TTL_MS = 60_000;

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  connection = await PostgresConnection.open((await server.createDatabase()).url);
  await connection.all(sql`
    create table leases (
      name text primary key,
      holder text not null,
      expires_at timestamptz not null
    )
  `);
});

beforeEach(() => connection.all(sql`delete from leases`));

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

function newLease(name = 'verifier'): Lease {
  return new Lease({ connection, name, ttlMs: TTL_MS });
}

/** As when its time has passed, without waiting for it. */
async function expire(): Promise<void> {
  await connection.all(sql`update leases set expires_at = now()`);
}

test('of several who ask at once, one has it, and keeps it by renewing', async () => {
  const leases = Array.from({ length: 8 }, () => newLease());

  const first = await Promise.all(leases.map((lease) => lease.takeOrRenew()));
  const second = await Promise.all(leases.map((lease) => lease.takeOrRenew()));

  assert.equal(first.filter((held) => held).length, 1);
  assert.deepEqual(second, first);
});

test('a lease that expired goes to another, and its late holder learns that', async () => {
  const slow = newLease();
  const next = newLease();
  await slow.takeOrRenew();

  await expire();
  const taken = await next.takeOrRenew();
  const renewed = await slow.takeOrRenew();

  assert.deepEqual([taken, renewed], [true, false]);
});

test('a lease is good for the time given, and renewing gives it anew', async () => {
  const lease = newLease();
  const left = sql`
    select extract(epoch from expires_at - now())::float8 as seconds
    from leases
  `;
  await lease.takeOrRenew();
  await connection.all(sql`update leases set expires_at = now() + interval '1 second'`);
  const before = await connection.first<{ seconds: number }>(left);

  await lease.takeOrRenew();

  const afterwards = await connection.first<{ seconds: number }>(left);
  assert.ok((before?.seconds ?? 60) <= 1);
  assert.ok((afterwards?.seconds ?? 0) > 30);
});

test('a released lease goes to another at once', async () => {
  const first = newLease();
  const second = newLease();
  await first.takeOrRenew();

  await first.release();

  assert.equal(await second.takeOrRenew(), true);
  assert.equal(await first.takeOrRenew(), false);
});

test('only its holder can release a lease', async () => {
  const holder = newLease();
  const other = newLease();
  await holder.takeOrRenew();

  await other.release();

  assert.equal(await other.takeOrRenew(), false);
});

test('leases of different names know nothing of each other', async () => {
  const one = newLease();
  const other = newLease('sweeper');

  const held = [await one.takeOrRenew(), await other.takeOrRenew()];

  assert.deepEqual(held, [true, true]);
});
