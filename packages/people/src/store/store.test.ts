// The contract of the store of people, on the engine of the run.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DatabaseError } from '@lothub/kit/database';
import { until } from '@lothub/kit/test/until';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { newTestDatabase, testEngine, type TestDatabase } from '../../test/engine.ts';
import {
  endOldestSessions,
  endSession,
  endSessions,
  findValidSessions,
  sessionEnds,
} from '../access/session-ends.ts';
import { SESSIONS_MAX, newSession } from '../access/sessions.ts';
import { openStore } from './open-store.ts';
import type { PeopleStore } from './store.ts';

let database: TestDatabase;
let store: PeopleStore;
/** Another process over the same database, such as the command line. */
let beside: PeopleStore;

function open(): Promise<PeopleStore> {
  return openStore({
    ...database,
    onFatal: (error) => {
      throw error;
    },
  });
}

before(async () => {
  database = await newTestDatabase();
  store = await open();
  beside = await open();
});
after(async () => {
  await beside.close();
  await store.close();
  await database[Symbol.asyncDispose]();
});

let made = 0;

function insertAccount(id: string, email = `${id}@example.com`): Sql {
  return sql`
    insert into accounts (id, email, name, password_hash, created_at)
    values (${id}, ${email}, 'Ada', 'none', 1)`;
}

async function newAccount(): Promise<string> {
  const id = `usr_${(made += 1)}`;
  await store.write([insertAccount(id)]);
  return id;
}

async function countRows(condition: Sql): Promise<number> {
  const row = await store.reader.first<{ readonly n: number }>(
    sql`select count(*) as n from accounts where ${condition}`,
  );
  return row?.n ?? Number.NaN;
}

test('of statements that are written together, one that fails leaves none', async () => {
  const id = await newAccount();

  const writing = store.write([insertAccount('usr_new'), insertAccount(id)]);

  await assert.rejects(writing, DatabaseError);
  assert.equal(await countRows(sql`id = 'usr_new'`), 0);
});

test('what statements return is answered in their order', async () => {
  const [first, second] = [await newAccount(), await newAccount()];
  const rename = (id: string): Sql =>
    sql`update accounts set name = 'Bob' where id = ${id} returning id`;

  const rows = await store.write([rename(second), rename(first)]);

  assert.deepEqual(
    rows.map(([row]) => row && { ...row }),
    [{ id: second }, { id: first }],
  );
});

test('of two accounts with one e-mail, one is made, whichever process makes it', async () => {
  const make = (where: PeopleStore, id: string): Promise<unknown> =>
    where.write([insertAccount(id, 'same@example.com')]);

  const outcomes = await Promise.allSettled([make(store, 'usr_a'), make(beside, 'usr_b')]);

  const isDone = outcomes.map(({ status }) => status === 'fulfilled');
  assert.deepEqual(isDone.toSorted(), [false, true]);
});

test('accounts that are erased have no e-mail, and do not conflict with each other', async () => {
  const [first, second] = [await newAccount(), await newAccount()];
  const erase = (id: string): Sql => sql`
    update accounts set email = null, password_hash = null, erased_at = 5 where id = ${id}`;

  await store.write([erase(first), erase(second)]);

  assert.equal(await countRows(sql`erased_at is not null and email is null`), 2);
});

test('of changes that race on one state in two processes, one is made and the others get an error', async () => {
  const id = await newAccount();
  const guard = sql`select 1 as held from accounts where id = ${id} and name = 'Ada'`;
  const change = (where: PeopleStore, name: string) =>
    where.change({ guard, statements: [sql`update accounts set name = ${name} where id = ${id}`] });

  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, index) => change(index % 2 ? store : beside, `Bob ${index}`)),
  );

  const kinds = outcomes.map(({ kind }) => kind).toSorted();
  assert.deepEqual(kinds, ['done', ...Array<string>(9).fill('stale')]);
});

test('a change that a loss of power may undo waits for no flush, and the one behind it does', async () => {
  const setting =
    testEngine === 'postgres'
      ? sql`select current_setting('synchronous_commit') as flush`
      : sql`select synchronous as flush from pragma_synchronous`;
  const [off, on] = testEngine === 'postgres' ? ['off', 'on'] : [1, 2];
  const flushOf = async (mayBeLost?: boolean): Promise<unknown> => {
    const guard = sql`select 1 as held from head where id = 1`;
    const change = { guard, statements: [setting] };
    const outcome = await store.change(mayBeLost === undefined ? change : { ...change, mayBeLost });
    assert.equal(outcome.kind, 'done');
    const [row] = outcome.rows[0] as readonly { readonly flush: unknown }[];
    return row?.flush;
  };

  const flushes = [await flushOf(), await flushOf(true), await flushOf(false)];

  assert.deepEqual(flushes, [on, off, on]);
});

test('whoever listens hears of commits of this process and of ended sessions in others', async () => {
  const accountId = await newAccount();
  const session = newSession({ accountId, agent: 'test', nowMs: Date.now() });
  await store.write(session.statements);
  let heard = 0;
  const endListening = store.onCommit(() => (heard += 1));

  await store.write([sql`update accounts set name = 'Cem' where id = ${accountId}`]);
  await until('a signal came', () => heard > 0);
  heard = 0;
  await beside.write(endSession({ accountId, tokenHash: session.tokenHash }));
  await until('a signal came', () => heard > 0);
  endListening();

  const valid = await findValidSessions(store.reader, [session.tokenHash]);
  assert.deepEqual([...valid], []);
});

test('sessions that are more than there may be end, the oldest first, and count as an end', async () => {
  const [ada, bob] = [await newAccount(), await newAccount()];
  const sessions = [ada, bob].map((accountId) =>
    Array.from({ length: SESSIONS_MAX + 2 }, (_, nowMs) =>
      newSession({ accountId, agent: 'test', nowMs }),
    ),
  );
  await store.write(sessions.flat().flatMap(({ statements }) => statements));
  const hashes = sessions.map((list) => list.map(({ tokenHash }) => tokenHash));
  const before = await sessionEnds(store.reader);

  await store.write(endOldestSessions(ada));
  const ended = await sessionEnds(store.reader);
  await store.write(endOldestSessions(ada));

  const valid = await findValidSessions(store.reader, hashes.flat());
  assert.deepEqual(valid, new Set([...(hashes[0] ?? []).slice(2), ...(hashes[1] ?? [])]));
  assert.deepEqual([ended, await sessionEnds(store.reader)], [before + 1, before + 1]);
});

test('each end of sessions is counted, and only the sessions that were meant end', async () => {
  const [ada, bob] = [await newAccount(), await newAccount()];
  const sessions = [ada, ada, ada, bob].map((accountId) =>
    newSession({ accountId, agent: 'test', nowMs: Date.now() }),
  );
  await store.write(sessions.flatMap(({ statements }) => statements));
  const [first = '', second = '', third = '', bobs = ''] = sessions.map(
    ({ tokenHash }) => tokenHash,
  );
  const endsBefore = await sessionEnds(store.reader);

  await store.write(endSession({ accountId: bob, tokenHash: first }));
  await store.write(endSession({ accountId: ada, tokenHash: first }));
  const afterOne = await findValidSessions(store.reader, [first, second, third, bobs]);
  await store.write(endSessions({ accountId: ada, staying: second }));
  const afterAll = await findValidSessions(store.reader, [first, second, third, bobs]);

  assert.deepEqual([...afterOne].toSorted(), [second, third, bobs].toSorted());
  assert.deepEqual([...afterAll].toSorted(), [second, bobs].toSorted());
  assert.equal((await sessionEnds(store.reader)) - endsBefore, 3);
});

test('more sessions than one query takes are looked up', async () => {
  const accountId = await newAccount();
  const session = newSession({ accountId, agent: 'test', nowMs: Date.now() });
  await store.write(session.statements);
  const asked = [
    ...Array.from({ length: 1_100 }, (_, index) => `none ${index}`),
    session.tokenHash,
  ];

  const valid = await findValidSessions(store.reader, asked);

  assert.deepEqual([...valid], [session.tokenHash]);
});
