// A service and a PostgreSQL server that refuses to write: a notification is on disk before its sender gets an
// answer, and while the server refuses, each sender gets the same answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { execute } from '@lothub/kit/test/postgres/cluster';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import type { ServiceChild } from '@lothub/kit/test/service-child';
import {
  CrashedServices,
  NO_DAMAGE,
  POSTS,
  assertStoredAgain,
  findDamage,
  newRecord,
  postOnce,
  postSome,
} from './crash-service.ts';
import type { CrashOptions } from './crash-service.ts';
import { openSecondDatabase, type PostgresTestDatabase } from '../engine.ts';
import { answeredBeforeFlush, withChildren } from '../flush-order.ts';

/** Posts within which a server has heard of its settings. */
const TRIES_MAX = 200;

let server: TestPostgres;
let databaseUrl: string;
let database: PostgresTestDatabase;
let services: CrashedServices;

before(async () => {
  // As a server is run: it flushes.
  server = await startTestPostgres({ fsync: 'on' });
  ({ url: databaseUrl } = await server.createDatabase());
  database = await openSecondDatabase(databaseUrl);
  services = new CrashedServices(database);
});
after(async () => {
  await services[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Titles of posts that were answered too early. */
async function answeredEarly(crash?: CrashOptions): Promise<readonly string[]> {
  const child = await services.start(crash);
  const prefix = `flush-${child.pid}`;
  const early = await answeredBeforeFlush({
    pids: [child.pid, ...withChildren(server.pid)],
    handedOn: /^recvfrom\(/,
    log: /\/pg_wal\/[0-9A-F]{24}>/,
    together: true,
    post: async () => {
      const { acknowledged } = await postSome(child, prefix);
      assert.equal(acknowledged.length, POSTS);
      return acknowledged.map(({ title }) => title);
    },
  });
  await child.end();
  return early;
}

test('the server flushes its log to disk between the writing of each post and its 201', async () => {
  const early = await answeredEarly();

  assert.deepEqual(early, []);
});

test('a service that answers before the commit is found out by the calls of its server', async () => {
  const early = await answeredEarly({ point: 'answer-before-commit' });

  // The server's own writer of the log may have flushed for one of them.
  assert.ok(early.length > POSTS / 2, `${early.length} of ${POSTS}`);
});

for (const [state, refuse, allow] of [
  [
    'is read-only',
    'alter system set default_transaction_read_only = on',
    'alter system reset default_transaction_read_only',
  ],
  // The server's own refusal, raised where a full disk would make it.
  [
    'says that its disk is full',
    `create function notifications.refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file' using errcode = '53100';
      end
    $$;
    create trigger full_disk before insert on notifications.notifications
    for each row execute function notifications.refuse()`,
    'drop trigger full_disk on notifications.notifications',
  ],
] as const) {
  test(`while the server ${state} posts are refused with 503, and afterwards taken again`, async () => {
    const child = await services.start();
    const reload = 'select pg_reload_conf()';
    const before = await postSome(child, `before-${child.pid}`);
    await execute(databaseUrl, refuse);
    await execute(databaseUrl, reload);
    await until(child, 'unavailable');

    const refused = await postSome(child, `during-${child.pid}`);
    await execute(databaseUrl, allow);
    await execute(databaseUrl, reload);
    await until(child, 'acknowledged');
    const again = await postSome(child, `during-${child.pid}`);

    await child.end();
    assert.equal(before.acknowledged.length, POSTS);
    assertStoredAgain(refused, again);
    const damage = await findDamage(database, [...before.acknowledged, ...again.acknowledged]);
    assert.deepEqual(damage, NO_DAMAGE);
  });
}

/** A server hears of its settings a little later. */
async function until(child: ServiceChild, reached: 'acknowledged' | 'unavailable'): Promise<void> {
  for (let count = 0; count < TRIES_MAX; count += 1) {
    const record = newRecord();
    await postOnce(child.base, `until-${reached}-${child.pid}-${count}`, record);
    if (record[reached].length > 0) return;
    assert.deepEqual([...record.refused, ...record.unanswered], []);
  }
  assert.fail(`no post was ${reached}`);
}

test('while the server is away posts are refused with 503, and taken again when it is back', async () => {
  const child = await services.start();
  await server.stop('immediate');
  const refused = await postSome(child, 'away');

  await server.start();
  await until(child, 'acknowledged');
  const again = await postSome(child, 'away');

  await child.end();
  assertStoredAgain(refused, again);
  assert.deepEqual(await findDamage(database, again.acknowledged), NO_DAMAGE);
});
