// Readers that come back far behind: everybody else has turns while they catch up, and they have turns
// among themselves.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '@lothub/kit/clock';
import { openStore as openPeopleStore } from '@lothub/people/store/open-store';
import type { PeopleStore } from '@lothub/people/store/store';
import sql from 'sql-template-tag';
import { newTestDatabase, type TestDatabase } from '../../test/engine.ts';
import { openFreeStream, type FreeSocket } from '../../test/stream/free-stream.ts';
import { postTo, storeAccount, storeGroup } from '../../test/stored-group.ts';
import type { Person } from '../access/person.ts';
import { FeedFollower } from '../feed/follower.ts';
import { openStore } from '../store/open-store.ts';
import type { NotificationStore } from '../store/store.ts';
import { StreamHub } from './hub.ts';

const ROWS = 4_000;
/** What is posted while readers catch up. */
const MORE = 20;
/** Of one reader between two turns of the loop; a page has fewer. */
const ROWS_PER_TURN_MAX = 600;

let database: TestDatabase;
let store: NotificationStore;
let people: PeopleStore;
let follower: FeedFollower;
let hub: StreamHub;
let groupId: string;
let person: Person;
const opened: FreeSocket[] = [];

before(async () => {
  database = await newTestDatabase();
  store = await openStore({ ...database, clock: systemClock, onFatal: throwError });
  groupId = await storeGroup(store);
  const accountId = await storeAccount(database);
  await store.write([
    sql`
      insert into members (group_id, account_id, role, joined_at, read_up_to)
      values (${groupId}, ${accountId}, 'member', 1, 0)`,
    sql`
      insert into notifications (id, group_id, seq, title, severity, created_at, key_id)
      with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < ${ROWS}
      )
      select n, ${groupId}, n, 'Oven', 'info', 1, 'k' from numbers`,
    sql`update feed_head set position = ${ROWS}`,
    sql`update group_heads set head_seq = ${ROWS} where group_id = ${groupId}`,
  ]);
  const via = { kind: 'token', tokenId: 'nr_1', validUntil: null } as const;
  person = { accountId, email: 'ada@example.com', name: 'Ada', via };
  people = await openPeopleStore({ ...database, onFatal: throwError });
  follower = await FeedFollower.open({ store, onError: throwError });
  hub = new StreamHub({
    reader: store.reader,
    people,
    follower,
    clock: systemClock,
    streamsPerPerson: 10,
    onError: throwError,
  });
});
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});
after(async () => {
  hub.close();
  await follower.close();
  await store.close();
  await people.close();
  await database[Symbol.asyncDispose]();
});

function throwError(error: unknown): never {
  throw error;
}

/** A stream of everything there ever was. */
async function resume(): Promise<FreeSocket> {
  const socket = await openFreeStream(hub, { person, cursor: 0 });
  opened.push(socket);
  return socket;
}

const listCounts = (sockets: readonly FreeSocket[]): readonly number[] =>
  sockets.map(({ seqs }) => seqs.length);
const addUp = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

test('others have a turn after each page of readers that catch up and never stall', async () => {
  const sockets = [await resume(), await resume(), await resume()];

  let most = 0;
  while (listCounts(sockets).some((count) => count < ROWS)) {
    const before = addUp(listCounts(sockets));
    await setImmediate();
    most = Math.max(most, addUp(listCounts(sockets)) - before);
  }

  assert.ok(most <= ROWS_PER_TURN_MAX, `up to ${most} in a turn`);
  for (const socket of sockets) assert.deepEqual(socket.seqs, upTo(ROWS));
});

test('readers that catch up take turns: none is finished before the others have begun', async () => {
  const sockets = [await resume(), await resume(), await resume(), await resume(), await resume()];

  while (listCounts(sockets).every((count) => count < ROWS)) await setImmediate();
  const whenFirstHasAll = listCounts(sockets);
  while (listCounts(sockets).some((count) => count < ROWS)) await setImmediate();

  assert.ok(
    whenFirstHasAll.every((count) => count > ROWS / 2),
    `they have ${whenFirstHasAll.join(', ')}`,
  );
});

test('what is posted while readers catch up reaches each of them once and in order', async () => {
  const sockets = [await resume(), await resume(), await resume()];

  await Promise.all(Array.from({ length: MORE }, () => store.post(postTo(groupId))));
  while (listCounts(sockets).some((count) => count < ROWS + MORE)) await setImmediate();

  for (const socket of sockets) assert.deepEqual(socket.seqs, upTo(ROWS + MORE));
});
