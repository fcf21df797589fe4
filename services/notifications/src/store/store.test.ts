// What every engine promises of posts and of writes beside them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseError } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { newTestDatabase, type StoredRow, type TestDatabase } from '../../test/engine.ts';
import { KEY_ID, postTo, storeAccount, storeGroup } from '../../test/stored-group.ts';
import { openStore } from './open-store.ts';
import { IDEMPOTENCY_TTL_MS, type PostOutcome, type PostedPlace } from './post.ts';
import type { ChangeOutcome, NotificationStore } from './store.ts';

/** Of the greatest length, a few more than the queue takes. */
const QUEUED_POSTS = 6_700;

let database: TestDatabase;
let store: NotificationStore;
/** The clock of the store stands still at it. */
let nowMs = Date.UTC(2026, 0, 5, 6);

before(async () => {
  database = await newTestDatabase();
  store = await openStore({
    ...database,
    clock: { nowMs: () => nowMs },
    onFatal: (error) => {
      throw error;
    },
  });
});
after(async () => {
  await store.close();
  await database[Symbol.asyncDispose]();
});

function getPlace(outcome: PostOutcome): PostedPlace {
  assert.ok(outcome.kind === 'created' || outcome.kind === 'replayed', outcome.kind);
  return { id: outcome.id, seq: outcome.seq, createdAt: outcome.createdAt };
}

function readStored(groupId: string): Promise<readonly StoredRow[]> {
  return database.rows(
    'select id, seq, title, created_at from notifications where group_id = ? order by id',
    groupId,
  );
}

const repeatable = (key: string, contentHash = 'same') => ({ idempotency: { key, contentHash } });

test('posts of one moment get positions and seqs in the order in which they came', async () => {
  const [one, other] = [await storeGroup(store), await storeGroup(store)];

  const outcomes = await Promise.all(
    [one, other, one, one, other].map((groupId) => store.post(postTo(groupId))),
  );

  const places = outcomes.map(getPlace);
  const first = places[0]?.id ?? 0;
  assert.deepEqual(
    places.map(({ id }) => id - first),
    [0, 1, 2, 3, 4],
  );
  assert.deepEqual(
    places.map(({ seq }) => seq),
    [1, 1, 2, 3, 2],
  );
});

test('what was answered is what is stored', async () => {
  const groupId = await storeGroup(store);
  const accountId = await storeAccount(database);
  const content = { title: 'Grüße 🔥', body: 'line\n\ttwo', severity: 'critical' as const };
  const unsaid = { url: null, dedup_key: null, status: null, redacted_at: null };

  const byKey = getPlace(await store.post(postTo(groupId, content)));
  const byPerson = getPlace(
    await store.post(postTo(groupId, { sender: { kind: 'person', accountId } })),
  );

  assert.deepEqual(
    (
      await database.rows('select * from notifications where group_id = ? order by id', groupId)
    ).map((row) => ({ ...row })),
    [
      {
        ...{ id: byKey.id, group_id: groupId, seq: 1, ...content, created_at: byKey.createdAt },
        ...{ key_id: KEY_ID, account_id: null, ...unsaid },
      },
      {
        ...{ id: byPerson.id, group_id: groupId, seq: 2, title: 'Oven 3 is too hot', body: null },
        ...{ severity: 'info', created_at: byPerson.createdAt },
        ...{ key_id: null, account_id: accountId, ...unsaid },
      },
    ],
  );
});

test('seq has no gap and time does not go back, however many race and whatever the clock says', async () => {
  const groups = [await storeGroup(store), await storeGroup(store), await storeGroup(store)];
  const begun = nowMs;

  await Promise.all(
    Array.from({ length: 40 }, async (_, caller) => {
      for (let count = 0; count < 10; count += 1) {
        nowMs = begun + ((caller * 7 + count * 13) % 50);
        await store.post(postTo(groups[(caller + count) % 3] ?? ''));
      }
    }),
  );

  nowMs = begun + 50;
  const rows = (await Promise.all(groups.map(readStored))).flat();
  const inOrder = rows.toSorted((one, other) => Number(one['id']) - Number(other['id']));
  const times = inOrder.map((row) => Number(row['created_at']));
  const ids = inOrder.map((row) => Number(row['id']));
  assert.equal(rows.length, 400);
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(
    ids,
    ids.map((_, index) => (ids[0] ?? 0) + index),
  );
  for (const groupId of groups) {
    const seqs = (await readStored(groupId)).map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => index + 1),
    );
  }
});

test('a post to a group that is not there writes nothing', async () => {
  const outcome = await store.post(postTo('grp_none', repeatable('a')));

  assert.deepEqual(outcome, { kind: 'no_such_group' });
  assert.deepEqual(await readStored('grp_none'), []);
  assert.deepEqual(
    await database.rows(`select seq from idempotency_keys where group_id = 'grp_none'`),
    [],
  );
});

test('the same content under one idempotency key is written once, also in one group commit', async () => {
  const groupId = await storeGroup(store);

  const [first, ...together] = await Promise.all(
    Array.from({ length: 5 }, () => store.post(postTo(groupId, repeatable('order 7')))),
  );
  const later = await store.post(postTo(groupId, repeatable('order 7')));

  assert.ok(first?.kind === 'created');
  for (const repeat of [...together, later]) {
    assert.deepEqual(repeat, { ...first, kind: 'replayed' });
  }
  assert.equal((await readStored(groupId)).length, 1);
});

test('other content under one idempotency key is refused and leaves the first as it is', async () => {
  const groupId = await storeGroup(store);

  const [first, other] = await Promise.all([
    store.post(postTo(groupId, repeatable('order 8', 'one'))),
    store.post(postTo(groupId, repeatable('order 8', 'other'))),
  ]);
  const later = await store.post(postTo(groupId, repeatable('order 8', 'other')));
  const repeat = await store.post(postTo(groupId, repeatable('order 8', 'one')));

  assert.deepEqual([other, later], [{ kind: 'conflict' }, { kind: 'conflict' }]);
  assert.deepEqual(repeat, { ...first, kind: 'replayed' });
});

test('an idempotency key of one group says nothing in another', async () => {
  const [one, other] = [await storeGroup(store), await storeGroup(store)];

  const outcomes = [
    await store.post(postTo(one, repeatable('order 9', 'one'))),
    await store.post(postTo(other, repeatable('order 9', 'other'))),
  ];

  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['created', 'created'],
  );
});

test('an idempotency key is remembered for a day and no longer, and then anew', async () => {
  const groupId = await storeGroup(store);
  const post = postTo(groupId, repeatable('daily', 'monday'));
  const tuesday = postTo(groupId, repeatable('daily', 'tuesday'));
  const first = getPlace(await store.post(post));

  nowMs = first.createdAt + IDEMPOTENCY_TTL_MS - 1;
  const justBefore = await store.post(post);
  nowMs += 1;
  const dayLater = await store.post(tuesday);
  const again = await store.post(tuesday);

  assert.equal(justBefore.kind, 'replayed');
  assert.equal(dayLater.kind, 'created');
  assert.deepEqual(again, { ...dayLater, kind: 'replayed' });
});

test('the use of a key is written when it is due, and only then', async () => {
  const groupId = await storeGroup(store);
  const keyIds = [`${groupId}-used`, `${groupId}-unused`];
  await store.write(
    keyIds.map(
      (id) => sql`
        insert into group_keys (id, group_id, name, secret_hash, created_at)
        values (${id}, ${groupId}, 'Ovens', ${id}, 1)`,
    ),
  );

  const [used] = await Promise.all(
    keyIds.map((keyId, index) =>
      store.post(postTo(groupId, { sender: { kind: 'key', keyId, touch: index === 0 } })),
    ),
  );

  const rows = await database.rows(
    'select id, last_used_at from group_keys where group_id = ? order by id',
    groupId,
  );
  assert.ok(used?.kind === 'created');
  assert.deepEqual(plain(rows), [
    { id: keyIds[1], last_used_at: null },
    { id: keyIds[0], last_used_at: used.createdAt },
  ]);
});

test('of statements that are written together, one that fails leaves none, and no post behind', async () => {
  const groupId = await storeGroup(store);
  const rename = sql`update groups set name = 'Renamed' where id = ${groupId}`;
  const again = sql`insert into group_heads (group_id) values (${groupId})`;

  const [refused, posted] = await Promise.allSettled([
    store.write([rename, again]),
    store.post(postTo(groupId)),
  ]);

  assert.equal(refused.status, 'rejected');
  assert.ok(refused.reason instanceof DatabaseError);
  assert.equal(refused.reason.code, 'database_failed');
  assert.equal(posted.status, 'fulfilled');
  const rows = await database.rows('select name from groups where id = ?', groupId);
  assert.equal(rows[0]?.['name'], 'Operations');
});

test('what statements return is answered in their order', async () => {
  const groupId = await storeGroup(store);

  const rows = await store.write([
    sql`update groups set name = 'Kitchen' where id = ${groupId} returning id, name`,
    sql`delete from members where group_id = ${groupId}`,
  ]);

  assert.deepEqual(rows.map(plain), [[{ id: groupId, name: 'Kitchen' }], []]);
});

test('of changes that race on one state, one is made and the others have to look again', async () => {
  const groupId = await storeGroup(store);
  const change = {
    guard: sql`select id from groups where id = ${groupId} and retention_days = 90`,
    statements: [sql`update groups set retention_days = 91 where id = ${groupId}`],
  };

  const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.change(change)));

  const kinds = outcomes.map(({ kind }) => kind).toSorted();
  assert.deepEqual(kinds, ['done', ...new Array<string>(7).fill('stale')]);
});

test('between the guard of a change and its end nobody posts', async () => {
  const groupId = await storeGroup(store);
  let isDone = false;
  const posting = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isDone) await store.post(postTo(groupId));
    }),
  );
  const readHead = sql`select head_seq as seq from group_heads where group_id = ${groupId}`;
  const change = {
    guard: readHead,
    statements: [readHead, sql`select id from groups where id = ${groupId}`, readHead],
  };

  const outcomes: ChangeOutcome[] = [];
  for (let round = 0; round < 20; round += 1) outcomes.push(await store.change(change));
  isDone = true;
  await posting;

  for (const outcome of outcomes) {
    assert.ok(outcome.kind === 'done');
    assert.deepEqual(plain(outcome.rows[2]), plain(outcome.rows[0]));
  }
});

test('whoever listens hears of posts, writes and changes, until it has heard enough', async () => {
  const groupId = await storeGroup(store);
  let woken = Promise.withResolvers<void>();
  let wasEnded = false;
  const end = store.onCommit(() => {
    assert.equal(wasEnded, false);
    woken.resolve();
  });

  for (const commit of [
    () => store.post(postTo(groupId)),
    () => store.write([sql`update groups set name = 'A' where id = ${groupId}`]),
    () =>
      store.change({
        guard: sql`select id from groups where id = ${groupId}`,
        statements: [sql`update groups set name = 'B' where id = ${groupId}`],
      }),
  ]) {
    woken = Promise.withResolvers<void>();
    await commit();
    await woken.promise;
  }

  end();
  wasEnded = true;
  await store.post(postTo(groupId));
  await setImmediate();
});

test('a queue that is full refuses at once, and loses nothing that it took', async () => {
  const groupId = await storeGroup(store);
  const body = 'x'.repeat(4_000);
  let settling: Promise<readonly PromiseSettledResult<PostOutcome>[]>;
  {
    await using _held = await database.holdWrites();
    const posts = Array.from({ length: QUEUED_POSTS }, () => store.post(postTo(groupId, { body })));
    settling = Promise.allSettled(posts);
    const refused = posts.at(-1) ?? assert.fail();
    await assert.rejects(refused, { name: 'DatabaseError', code: 'database_busy' });
  }

  const settled = await settling;
  const next = getPlace(await store.post(postTo(groupId)));

  const taken = settled.filter(({ status }) => status === 'fulfilled').length;
  assert.equal(next.seq, taken + 1);
  assert.ok(taken > QUEUED_POSTS - 100);
});

/** Rows as the engines give them have no prototype, or another one. */
function plain(rows: readonly unknown[] | undefined): unknown {
  return JSON.parse(JSON.stringify(rows ?? null));
}
