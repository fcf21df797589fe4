// Which sessions of open streams have ended, and when that is noticed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '@lothub/kit/test/until';
import { endSession, endSessions } from '@lothub/people/access/session-ends';
import { newSession } from '@lothub/people/access/sessions';
import { openStore } from '@lothub/people/store/open-store';
import type { PeopleStore } from '@lothub/people/store/store';
import { newTestDatabase, type TestDatabase } from '../../test/engine.ts';
import { storeAccount } from '../../test/stored-group.ts';
import { SessionWatch } from './session-watch.ts';

let database: TestDatabase;
let people: PeopleStore;
let accountId: string;

const throwError = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};

before(async () => {
  database = await newTestDatabase();
  people = await openStore({ ...database, onFatal: throwError });
  accountId = await storeAccount(database);
});
after(async () => {
  await people.close();
  await database[Symbol.asyncDispose]();
});

interface Watched {
  readonly watch: SessionWatch;
  readonly open: Set<string>;
  readonly ended: string[];
}

function watchSessions(store: Pick<PeopleStore, 'reader' | 'onCommit'> = people): Watched {
  const open = new Set<string>();
  const ended: string[] = [];
  const watch = new SessionWatch({
    people: store,
    hasOpen: () => open.size > 0,
    open: () => [...open],
    onEnded: (tokenHashes) => {
      for (const tokenHash of tokenHashes) {
        ended.push(tokenHash);
        open.delete(tokenHash);
      }
    },
    onError: throwError,
  });
  return { watch, open, ended };
}

async function storeSession(): Promise<string> {
  const session = newSession({ accountId, agent: 'test', nowMs: Date.now() });
  await people.write(session.statements);
  return session.tokenHash;
}

test('of several open sessions, those that end are reported, each once', async () => {
  const [first, second, third] = [await storeSession(), await storeSession(), await storeSession()];
  const { watch, open, ended } = watchSessions();
  for (const one of [first, second, third]) open.add(one);

  await people.write(endSession({ accountId, tokenHash: first }));
  await until('one session ended', () => ended.length === 1);
  await people.write(endSessions({ accountId, staying: third }));
  await until('two sessions ended', () => ended.length === 2);
  watch.close();

  assert.deepEqual(ended, [first, second]);
  assert.deepEqual([...open], [third]);
});

test('a session that has ended before its stream was open is not valid', async () => {
  const tokenHash = await storeSession();
  const { watch } = watchSessions();

  const wasValid = await watch.isValid(tokenHash);
  await people.write(endSession({ accountId, tokenHash }));
  const isValid = await watch.isValid(tokenHash);
  watch.close();

  assert.deepEqual([wasValid, isValid], [true, false]);
});

test('a stream that opens after others have gone is notified of an end like any other', async () => {
  const [gone, late] = [await storeSession(), await storeSession()];
  const { watch, open, ended } = watchSessions();
  open.add(gone);
  await people.write(endSession({ accountId, tokenHash: gone }));
  await until('one session ended', () => ended.length === 1);

  open.add(late);
  await people.write(endSession({ accountId, tokenHash: late }));
  await until('two sessions ended', () => ended.length === 2);
  watch.close();

  assert.deepEqual(ended, [gone, late]);
});

test('an end whose look failed is noticed at the next commit', async () => {
  const tokenHash = await storeSession();
  let isAway = false;
  const failed: unknown[] = [];
  const reader = {
    ...people.reader,
    first: async <Row>(query: Parameters<PeopleStore['reader']['first']>[0]) => {
      if (isAway) throw new Error('the database is away');
      return await people.reader.first<Row>(query);
    },
    all: <Row>(query: Parameters<PeopleStore['reader']['all']>[0]) => people.reader.all<Row>(query),
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const ended: string[] = [];
  const watch = new SessionWatch({
    people: { reader, onCommit: (listener) => people.onCommit(listener) },
    hasOpen: () => true,
    open: () => [tokenHash],
    onEnded: (tokenHashes) => ended.push(...tokenHashes),
    onError: (error) => failed.push(error),
  });

  isAway = true;
  await people.write(endSession({ accountId, tokenHash }));
  await until('a look failed', () => failed.length > 0);
  isAway = false;
  await people.write([]);
  await until('a session ended', () => ended.length > 0);
  watch.close();

  assert.equal(ended[0], tokenHash);
});
