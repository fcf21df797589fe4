// Whoever follows the feed hears each entry once and in order; whoever catches up reads the same.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { newTestDatabase, type TestDatabase } from '../../test/engine.ts';
import { postTo, storeAccount, storeGroup } from '../../test/stored-group.ts';
import { openStore } from '../store/open-store.ts';
import type { NotificationStore } from '../store/store.ts';
import type { FeedEntry } from './feed-entry.ts';
import { readFeed, readForReader, type ReaderScope } from './feed-queries.ts';
import { FeedFollower } from './follower.ts';
import { insertSignal, type NewSignal } from './signals.ts';

let database: TestDatabase;
let store: NotificationStore;

before(async () => {
  database = await newTestDatabase();
  store = await openStore({ ...database, clock: systemClock, onFatal: throwError });
});
after(async () => {
  await store.close();
  await database[Symbol.asyncDispose]();
});

function throwError(error: unknown): never {
  throw error;
}

function openFollower(
  options: Partial<Pick<NotificationStore, 'reader'>> = {},
): Promise<FeedFollower> {
  const { onCommit, reader } = {
    onCommit: store.onCommit.bind(store),
    reader: store.reader,
    ...options,
  };
  return FeedFollower.open({ store: { onCommit, reader }, onError: throwError });
}

/** Ends once the follower has handed on everything up to a position. */
async function reached(follower: FeedFollower, position: number): Promise<void> {
  while (follower.position < position) await setImmediate();
}

async function newestPosition(): Promise<number> {
  const [row] = await database.rows('select position from feed_head');
  return Number(row?.['position']);
}

function sendSignal(signal: Omit<NewSignal, 'at'>): Promise<unknown> {
  return store.write(insertSignal({ ...signal, at: Date.now() }));
}

const readName = (entry: FeedEntry): string =>
  entry.kind === 'notification' ? entry.notification.title : entry.signal.kind;

test('a follower hears notifications and signals once, in the order of their positions', async () => {
  const groupId = await storeGroup(store);
  const accountId = await storeAccount(database);
  await using follower = await openFollower();
  const heard: FeedEntry[] = [];
  follower.subscribe((entries) => heard.push(...entries));

  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      if (index % 3 > 0) await store.post(postTo(groupId, { title: `n${index}` }));
      else await sendSignal({ kind: 'read', groupId, accountId, detail: { upTo: index } });
    }),
  );
  await reached(follower, await newestPosition());

  const positions = heard.map(({ position }) => position);
  assert.deepEqual(
    positions,
    positions.map((_, index) => (positions[0] ?? 0) + index),
  );
  assert.equal(heard.filter(({ kind }) => kind === 'notification').length, 20);
  assert.equal(heard.filter(({ kind }) => kind === 'signal').length, 10);
});

test('an entry says all that was stored, with the names of who sent it', async () => {
  const groupId = await storeGroup(store);
  const accountId = await storeAccount(database, 'Grace');
  await using follower = await openFollower();
  const heard: FeedEntry[] = [];
  follower.subscribe((entries) => heard.push(...entries));

  const outcome = await store.post(
    postTo(groupId, { body: 'now', severity: 'critical', sender: { kind: 'person', accountId } }),
  );
  await sendSignal({ kind: 'ack', groupId, accountId, detail: { seq: 1, name: 'Grace' } });
  await reached(follower, await newestPosition());

  assert.ok(outcome.kind === 'created');
  const { id, createdAt } = outcome;
  const [notification, signal] = heard;
  assert.deepEqual(notification, {
    kind: 'notification',
    position: id,
    notification: {
      ...{ id, groupId, seq: 1, title: 'Oven 3 is too hot', body: 'now', severity: 'critical' },
      ...{ url: null, dedupKey: null, status: null },
      ...{ createdAt, keyId: null, keyName: null, accountId, accountName: 'Grace' },
      ...{ firstSeq: null, firstAt: null, count: null, redactedAt: null },
    },
  });
  assert.ok(signal?.kind === 'signal');
  assert.deepEqual(signal.signal, {
    ...{ kind: 'ack', groupId, accountId, detail: { seq: 1, name: 'Grace' } },
    at: signal.signal.at,
  });
});

test('a follower begins at the head, and who subscribes later hears what comes later', async () => {
  const groupId = await storeGroup(store);
  await store.post(postTo(groupId, { title: 'before' }));
  await using follower = await openFollower();
  const [early, late]: [string[], string[]] = [[], []];

  follower.subscribe((entries) => early.push(...entries.map(readName)));
  await store.post(postTo(groupId, { title: 'first' }));
  await reached(follower, await newestPosition());
  const end = follower.subscribe((entries) => late.push(...entries.map(readName)));
  await store.post(postTo(groupId, { title: 'second' }));
  await reached(follower, await newestPosition());
  end();
  await store.post(postTo(groupId, { title: 'third' }));
  await reached(follower, await newestPosition());

  assert.deepEqual(early, ['first', 'second', 'third']);
  assert.deepEqual(late, ['second']);
});

test('who wants signals alone hears them, and all the notifications in between are passed over', async () => {
  const groupId = await storeGroup(store);
  await using follower = await openFollower();
  const heard: string[] = [];
  follower.subscribeToSignals((entries) => heard.push(...entries.map(readName)));

  await store.post(postTo(groupId));
  await sendSignal({ kind: 'key', groupId, accountId: null, detail: { keyId: 'a' } });
  await store.post(postTo(groupId));
  await reached(follower, await newestPosition());

  assert.deepEqual(heard, ['key']);
});

test('who subscribes while signals alone are read misses no notification', async () => {
  const groupId = await storeGroup(store);
  const { reader } = store;
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let isHeld = false;
  const slow: DatabaseReader = {
    first: (query) => reader.first(query),
    all: async (query) => {
      const rows = await reader.all<never>(query);
      if (isHeld) {
        isHeld = false;
        asked.resolve();
        await answer.promise;
      }
      return rows;
    },
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using follower = await openFollower({ reader: slow });
  await store.post(postTo(groupId, { title: 'passed over' }));
  await reached(follower, await newestPosition());
  isHeld = true;
  await store.post(postTo(groupId, { title: 'while it is read' }));
  await asked.promise;
  const heard: string[] = [];

  follower.subscribe((entries) => heard.push(...entries.map(readName)));
  answer.resolve();
  await reached(follower, await newestPosition());

  assert.deepEqual(heard, ['while it is read']);
});

test('the error of a listener that throws is reported, and the others get everything', async () => {
  const groupId = await storeGroup(store);
  const errors: unknown[] = [];
  await using follower = await FeedFollower.open({ store, onError: (error) => errors.push(error) });
  const heard: string[] = [];
  follower.subscribe(() => throwError(new Error('of the listener')));
  follower.subscribe((entries) => heard.push(...entries.map(readName)));

  await store.post(postTo(groupId, { title: 'one' }));
  await reached(follower, await newestPosition());
  await store.post(postTo(groupId, { title: 'two' }));
  await reached(follower, await newestPosition());

  assert.deepEqual(heard, ['one', 'two']);
  assert.deepEqual(errors.map(String), ['Error: of the listener', 'Error: of the listener']);
});

test('what cannot be read is reported once, and read as soon as it can be', async () => {
  const groupId = await storeGroup(store);
  const { reader } = store;
  let isBroken = false;
  const errors: unknown[] = [];
  const broken: DatabaseReader = {
    first: (query) => reader.first(query),
    all: (query) => (isBroken ? Promise.reject(new Error('away')) : reader.all(query)),
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using follower = await FeedFollower.open({
    store: { reader: broken, onCommit: store.onCommit.bind(store) },
    onError: (error) => errors.push(error),
  });
  const heard: string[] = [];
  follower.subscribe((entries) => heard.push(...entries.map(readName)));

  isBroken = true;
  for (const title of ['a', 'b', 'c']) {
    await store.post(postTo(groupId, { title }));
    await setImmediate();
  }
  while (errors.length === 0) await setImmediate();
  isBroken = false;
  await reached(follower, await newestPosition());

  assert.deepEqual(heard, ['a', 'b', 'c']);
  assert.deepEqual(errors.map(String), ['Error: away']);
});

async function readAll(scope: ReaderScope, after: number): Promise<readonly FeedEntry[]> {
  const upTo = await newestPosition();
  const entries: FeedEntry[] = [];
  for (let position = after; position < upTo;) {
    const page = await readForReader(store.reader, scope, { after: position, upTo });
    assert.ok(page.position > position);
    entries.push(...page.entries);
    position = page.position;
  }
  return entries;
}

test('a reader catches up, page by page, with what its groups and the person hear and nothing else', async () => {
  const mine = [await storeGroup(store), await storeGroup(store), await storeGroup(store)];
  const other = await storeGroup(store);
  const [accountId, somebody] = [await storeAccount(database), await storeAccount(database)];
  const after = await newestPosition();
  await Promise.all(
    Array.from({ length: 1_200 }, (_, index) =>
      store.post(postTo((index % 5 === 0 ? other : mine[index % 2]) ?? '', { title: `n${index}` })),
    ),
  );
  const signals: readonly Omit<NewSignal, 'at'>[] = [
    { kind: 'read', groupId: mine[0] ?? '', accountId, detail: { upTo: 3 } },
    { kind: 'read', groupId: mine[0] ?? '', accountId: somebody, detail: { upTo: 4 } },
    {
      kind: 'membership',
      groupId: mine[2] ?? '',
      accountId: somebody,
      detail: { change: 'joined' },
    },
    { kind: 'membership', groupId: other, accountId: somebody, detail: { change: 'joined' } },
    { kind: 'key', groupId: mine[1] ?? '', accountId: null, detail: { keyId: 'a' } },
    { kind: 'access', groupId: null, accountId, detail: { ended: 'tokens', id: null } },
  ];
  for (const signal of signals) await sendSignal(signal);

  const entries = await readAll({ groupIds: mine, accountId }, after);

  const feed = await readFeed(store.reader, { after, limit: 10_000 });
  const expected = feed.filter((entry) =>
    entry.kind === 'notification'
      ? mine.includes(entry.notification.groupId)
      : (entry.signal.kind === 'read' && entry.signal.accountId === accountId) ||
        (entry.signal.kind === 'membership' && mine.includes(entry.signal.groupId ?? '')),
  );
  assert.deepEqual(entries, expected);
  assert.equal(entries.filter(({ kind }) => kind === 'signal').length, 2);
});

test('a reader of many groups, most of them quiet, catches up with all of them', async () => {
  const mine = await Promise.all(Array.from({ length: 12 }, () => storeGroup(store)));
  const other = await storeGroup(store);
  const accountId = await storeAccount(database);
  const after = await newestPosition();
  const post = (groupId: string | undefined): Promise<unknown> => store.post(postTo(groupId ?? ''));
  await Promise.all(
    Array.from({ length: 800 }, (_, index) => post(index % 40 ? mine[0] : mine[index % 12])),
  );
  // Longer than what is looked through at once: it is passed over.
  await Promise.all(Array.from({ length: 4_500 }, () => post(other)));
  await post(mine[11]);
  await sendSignal({ kind: 'read', groupId: mine[3] ?? '', accountId, detail: { upTo: 1 } });
  await Promise.all(Array.from({ length: 2_500 }, () => post(other)));
  await sendSignal({
    kind: 'group',
    groupId: mine[4] ?? '',
    accountId: null,
    detail: { name: 'A', paused: true },
  });
  await Promise.all(Array.from({ length: 10 }, () => post(other)));

  const entries = await readAll({ groupIds: mine, accountId }, after);

  const feed = await readFeed(store.reader, { after, limit: 10_000 });
  const readGroup = (entry: FeedEntry): string | null =>
    entry.kind === 'notification' ? entry.notification.groupId : entry.signal.groupId;
  assert.deepEqual(
    entries,
    feed.filter((entry) => mine.includes(readGroup(entry) ?? '')),
  );
  assert.equal(entries.length, 803);
});

test('a reader of no group catches up with its own reads alone', async () => {
  const groupId = await storeGroup(store);
  const accountId = await storeAccount(database);
  const after = await newestPosition();
  await store.post(postTo(groupId));
  await sendSignal({ kind: 'read', groupId, accountId, detail: { upTo: 1 } });

  const entries = await readAll({ groupIds: [], accountId }, after);

  assert.deepEqual(entries.map(readName), ['read']);
});
