// What is known of keys, and for how long.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Sql } from 'sql-template-tag';
import { KeyLookup } from './key-lookup.ts';

const GROUP_ID = 'grp_000000000000';
const FOREIGN_KEY = 'a-key-of-the-operator-0123456789abcdef';

/** A table of keys, by id and by hash; counts how often it is asked. */
function makeTable(keys: readonly { readonly id: string; readonly hash: string }[]) {
  const state = { asked: 0, lastUsedAt: null as number | null, isAway: false };
  const first = (query: Sql): Promise<unknown> => {
    state.asked += 1;
    if (state.isAway) return Promise.reject(new DatabaseError('database_busy', 'away'));
    const key = keys.find(({ id, hash }) =>
      query.values.some((value) => value === id || value === hash),
    );
    const row = key && {
      id: key.id,
      groupId: GROUP_ID,
      secretHash: key.hash,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: state.lastUsedAt,
      paused: 0,
    };
    return Promise.resolve(row);
  };
  return { state, reader: { first } as unknown as DatabaseReader };
}

function knownFor(t: { after: (end: () => void) => void }): { passMs: (ms: number) => void } {
  let now = 1_000;
  const clock = mock.method(performance, 'now', () => now);
  t.after(() => clock.mock.restore());
  return { passMs: (ms) => void (now += ms) };
}

test('a key is found by its id, and only with its secret', async () => {
  const key = newApiToken('nk_');
  const { reader } = makeTable([key, { id: 'other', hash: sha256Hex(FOREIGN_KEY) }]);
  const keys = new KeyLookup(reader);

  const found = await keys.find(key.token);

  assert.deepEqual([found?.id, found?.groupId], [key.id, GROUP_ID]);
  assert.equal((await keys.find(FOREIGN_KEY))?.id, 'other');
  assert.equal(await keys.find(newApiToken('nk_').token), undefined);
});

test('a key of a known id with another secret is no key', async () => {
  const [key, other] = [newApiToken('nk_'), newApiToken('nk_')];
  const { state, reader } = makeTable([{ id: key.id, hash: other.hash }]);

  const found = await new KeyLookup(reader).find(key.token);

  assert.equal(found?.id, undefined);
  assert.equal(state.asked, 1);
});

for (const [what, presented] of [
  ['nothing', ''],
  ['a key with a mistyped character', `${newApiToken('nk_').token.slice(0, -1)}-`],
  ['a read token that is too short', 'nr_short'],
  ['a text of 31 characters', 'x'.repeat(31)],
  ['a text of 513 characters', 'x'.repeat(513)],
  ['two keys', `${FOREIGN_KEY}, ${FOREIGN_KEY}`],
] as const) {
  test(`${what} is no key, and nobody is asked`, async () => {
    const { state, reader } = makeTable([]);

    assert.equal(await new KeyLookup(reader).find(presented), undefined);
    assert.equal(state.asked, 0);
  });
}

test('what is known is 500 ms old at most, also that there is no such key', async (t) => {
  const { passMs } = knownFor(t);
  const key = newApiToken('nk_');
  const { state, reader } = makeTable([key]);
  const keys = new KeyLookup(reader);
  const asked = async (): Promise<number> => {
    await keys.find(key.token);
    await keys.find(FOREIGN_KEY);
    return state.asked;
  };

  const counts = [await asked()];
  passMs(499);
  counts.push(await asked());
  passMs(1);
  counts.push(await asked());

  assert.deepEqual(counts, [2, 2, 4]);
});

test('many who come with one key at once ask once', async () => {
  const key = newApiToken('nk_');
  const { state, reader } = makeTable([key]);
  const keys = new KeyLookup(reader);

  await Promise.all(Array.from({ length: 100 }, () => keys.find(key.token)));

  assert.equal(state.asked, 1);
});

test('after something was changed everything is asked anew', async () => {
  const key = newApiToken('nk_');
  const { state, reader } = makeTable([key]);
  const keys = new KeyLookup(reader);
  await keys.find(key.token);

  keys.forget();
  await keys.find(key.token);

  assert.equal(state.asked, 2);
});

test('a database that is away is no answer, and is asked again by the next one', async () => {
  const key = newApiToken('nk_');
  const { state, reader } = makeTable([key]);
  const keys = new KeyLookup(reader);
  state.isAway = true;

  await assert.rejects(keys.find(key.token), { code: 'database_busy' });
  state.isAway = false;

  assert.equal((await keys.find(key.token))?.id, key.id);
});

test('the use of a key is due once a minute, whoever wrote it last', async (t) => {
  const { passMs } = knownFor(t);
  const key = newApiToken('nk_');
  const { state, reader } = makeTable([key]);
  const keys = new KeyLookup(reader);
  const isDue = async (nowMs: number): Promise<boolean | undefined> => {
    passMs(500);
    return (await keys.find(key.token))?.touch(nowMs);
  };

  const due = [await isDue(100_000), await isDue(100_001), await isDue(159_999)];
  state.lastUsedAt = 130_000; // by another process
  due.push(await isDue(160_000), await isDue(190_000));

  assert.deepEqual(due, [true, false, false, false, true]);
});
