// Keys of a group over HTTP: issuing, naming, ending, rotating and revoking them, and what they still open
// afterwards.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { stretchForLoad } from '@lothub/kit/test/patience';
import sql from 'sql-template-tag';
import { ACTIVE_KEYS_MAX } from '../../src/keys/key-limits.ts';
import { boot, bootSecond, type Answer, type Booted } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

const MS_PER_HOUR = 3_600_000;
/** docs/interface/notifications.md#keys */
const REFUSED_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 20;

interface Owned {
  readonly ada: TestPerson;
  readonly groupId: string;
  /** Path of the group's keys. */
  readonly keys: string;
}

async function newOwned(): Promise<Owned> {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  return { ada, groupId, keys: `/api/v1/groups/${groupId}/keys` };
}

async function issue({ ada, keys }: Owned, body: object = { name: 'Oven' }): Promise<Answer> {
  const issued = await ada.send('POST', keys, body);
  assert.equal(issued.status, 201, issued.text);
  return issued;
}

async function post(key: unknown, on: Booted = booted): Promise<string> {
  const answer = await on.send({
    method: 'POST',
    path: '/api/v1/ingest',
    body: { title: 'Oven too hot' },
    headers: { 'X-Api-Key': String(key) },
  });
  return answer.status === 201 ? '201' : `${answer.status} ${String(answer.json['code'])}`;
}

/** What a key is answered with once it posts no more; fails when that takes longer than it may. */
async function awaitRefusal(key: unknown, on: Booted = booted): Promise<string> {
  const endsAt = Date.now() + stretchForLoad(REFUSED_WITHIN_MS);
  for (;;) {
    const isLast = Date.now() >= endsAt;
    const answer = await post(key, on);
    if (answer !== '201' || isLast) return answer;
    await wait(LOOK_EVERY_MS);
  }
}

function listItems(answer: Answer): readonly Record<string, unknown>[] {
  return Object.values(answer.json['items'] ?? {});
}

function listCodes(answers: readonly Answer[]): readonly string[] {
  return answers.map(({ status, json }) => `${status} ${String(json['code'])}`).sort();
}

/** Keys that post already, written past the service. */
async function fillUp({ groupId }: Owned, count: number): Promise<void> {
  await booted.service.store.write(
    Array.from({ length: count }, (_, index) => {
      const id = `${groupId.slice(-8)}${String(index).padStart(2, '0')}`;
      return sql`
        insert into group_keys (id, group_id, name, secret_hash, created_at)
        values (${id}, ${groupId}, 'Filled', ${`hash of ${id}`}, 1)`;
    }),
  );
}

test('an issued key posts, is shown once and is kept as a hash alone', async () => {
  const owned = await newOwned();

  const issued = await issue(owned, { name: 'Oven 3' });

  const key = String(issued.json['key']);
  assert.match(key, /^nk_[0-9A-Za-z]{59}$/);
  assert.equal(issued.headers.get('cache-control'), 'no-store');
  assert.equal(await post(key), '201');
  const list = await owned.ada.get(owned.keys);
  const secret = key.slice('nk_'.length + String(issued.json['id']).length);
  assert.ok(!list.text.includes(secret));
  assert.doesNotMatch(list.text, /[0-9a-f]{64}/);
  assert.ok(!booted.log().includes(secret));
  const stored = await booted.database.rows(
    'select * from group_keys where group_id = ?',
    owned.groupId,
  );
  const entries = await booted.database.rows(
    'select * from audit where group_id = ?',
    owned.groupId,
  );
  assert.ok(!JSON.stringify([stored, entries]).includes(secret));
});

test('a list shows who issued a key, until when it is good and when it was last used', async () => {
  const owned = await newOwned();
  const issued = await issue(owned, { name: 'Oven 3', expires_at: '2999-01-01T00:00:00+01:00' });
  await post(issued.json['key']);

  const [item] = listItems(await owned.ada.get(owned.keys));

  const { created_at: createdAt, last_used_at: lastUsedAt, ...rest } = item ?? {};
  assert.deepEqual(rest, {
    id: issued.json['id'],
    name: 'Oven 3',
    state: 'active',
    created_by: owned.ada.accountId,
    expires_at: '2998-12-31T23:00:00.000Z',
    rotated_to: null,
    revoked_at: null,
  });
  assert.ok(String(lastUsedAt) >= String(createdAt), String(lastUsedAt));
});

test('keys are listed newest first, in pages without gap or repetition', async () => {
  const owned = await newOwned();
  // All of one millisecond: their ids decide.
  await fillUp(owned, 5);

  const pages: Answer[] = [];
  for (let next: unknown = ''; next !== null; next = pages.at(-1)?.json['next']) {
    pages.push(
      await owned.ada.get(`${owned.keys}?limit=2${next === '' ? '' : `&after=${String(next)}`}`),
    );
  }

  const ids = pages.flatMap(listItems).map(({ id }) => String(id));
  assert.deepEqual(ids, [...ids].sort().reverse());
  assert.equal(new Set(ids).size, 5);
});

for (const [what, body] of [
  ['without a name', {}],
  ['that has ended already', { name: 'a', expires_at: '2020-01-01T00:00:00Z' }],
  ['that ends on a day no calendar has', { name: 'a', expires_at: '2999-02-30T00:00:00Z' }],
  ['that ends at a number', { name: 'a', expires_at: 5 }],
  ['with an unknown field', { name: 'a', expires: null }],
] as const) {
  test(`a key ${what} is refused`, async () => {
    const owned = await newOwned();

    const refused = await owned.ada.send('POST', owned.keys, body);

    assert.deepEqual(listCodes([refused]), ['422 fields_invalid']);
  });
}

test('a group has 20 active keys and not 21, also when two are issued at the same moment', async () => {
  const owned = await newOwned();
  await fillUp(owned, ACTIVE_KEYS_MAX - 1);

  const answers = await Promise.all(
    [1, 2].map(() => owned.ada.send('POST', owned.keys, { name: 'The twentieth' })),
  );

  assert.deepEqual(listCodes(answers), ['201 undefined', '422 limit_reached']);
  const [twentieth] = listItems(await owned.ada.get(owned.keys));
  assert.equal(twentieth?.['name'], 'The twentieth');
});

test('keys that have ended make room', async () => {
  const owned = await newOwned();
  await fillUp(owned, ACTIVE_KEYS_MAX);
  const [one, other] = listItems(await owned.ada.get(owned.keys));
  await owned.ada.send('DELETE', `${owned.keys}/${String(one?.['id'])}`);
  await booted.service.store.write([
    sql`update group_keys set expires_at = 2 where id = ${String(other?.['id'])}`,
  ]);

  const answers = [await issue(owned), await issue(owned)];
  const refused = await owned.ada.send('POST', owned.keys, { name: 'One more' });

  assert.deepEqual(listCodes([...answers, refused]), [
    '201 undefined',
    '201 undefined',
    '422 limit_reached',
  ]);
});

test('a key is renamed and its end moved; what is not given stays', async () => {
  const owned = await newOwned();
  const issued = await issue(owned, { name: 'Old' });
  const path = `${owned.keys}/${String(issued.json['id'])}`;

  const ending = await owned.ada.send('PATCH', path, { expires_at: '2999-01-01T00:00:00Z' });
  const renamed = await owned.ada.send('PATCH', path, { name: 'New' });
  const unending = await owned.ada.send('PATCH', path, { expires_at: null });

  assert.deepEqual(
    [ending, renamed, unending].map(({ json }) => [json['name'], json['expires_at']]),
    [
      ['Old', '2999-01-01T00:00:00.000Z'],
      ['New', '2999-01-01T00:00:00.000Z'],
      ['New', null],
    ],
  );
});

test('a key whose end comes is refused as expired', async () => {
  const owned = await newOwned();
  const issued = await issue(owned);
  const before = await post(issued.json['key']);

  const soon = new Date(Date.now() + 200).toISOString();
  await owned.ada.send('PATCH', `${owned.keys}/${String(issued.json['id'])}`, { expires_at: soon });

  assert.equal(before, '201');
  assert.equal(await awaitRefusal(issued.json['key']), '401 api_key_expired');
});

test('a revoked key is refused within a second, for good, and revoking it again changes nothing', async () => {
  const owned = await newOwned();
  const issued = await issue(owned);
  const path = `${owned.keys}/${String(issued.json['id'])}`;
  const before = await post(issued.json['key']);

  const revoked = await owned.ada.send('DELETE', path);

  assert.deepEqual([before, revoked.status], ['201', 204]);
  assert.equal(await awaitRefusal(issued.json['key']), '401 api_key_revoked');
  const [item] = listItems(await owned.ada.get(owned.keys));
  assert.equal((await owned.ada.send('DELETE', path)).status, 204);
  assert.deepEqual(listItems(await owned.ada.get(owned.keys))[0], item);
  assert.equal(item?.['state'], 'revoked');
});

// One process serves a SQLite database.
if (testEngine === 'postgres') {
  test('a revoked key is refused within a second by another process as well', async () => {
    await using beside = await bootSecond(booted);
    const owned = await newOwned();
    const issued = await issue(owned);
    const before = await post(issued.json['key'], beside);

    await owned.ada.send('DELETE', `${owned.keys}/${String(issued.json['id'])}`);

    assert.deepEqual(
      [before, await awaitRefusal(issued.json['key'], beside)],
      ['201', '401 api_key_revoked'],
    );
  });
}

test('a paused group refuses posts within a second, and takes them again when it is resumed', async () => {
  const owned = await newOwned();
  const { key } = (await issue(owned)).json;
  const before = await post(key);
  const path = `/api/v1/groups/${owned.groupId}`;

  await owned.ada.send('PATCH', path, { paused: true });
  const paused = await awaitRefusal(key);
  await owned.ada.send('PATCH', path, { paused: false });

  assert.deepEqual([before, paused], ['201', '403 group_paused']);
  const endsAt = Date.now() + stretchForLoad(REFUSED_WITHIN_MS);
  while ((await post(key)) !== '201') {
    assert.ok(Date.now() < endsAt, 'the resumed group takes no posts');
    await wait(LOOK_EVERY_MS);
  }
});

test('a rotated key goes on for 24 hours by default, beside one of its name', async () => {
  const owned = await newOwned();
  const old = await issue(owned, { name: 'Oven 3' });
  const path = `${owned.keys}/${String(old.json['id'])}`;

  const rotated = await owned.ada.send('POST', `${path}/rotate`);

  assert.equal(rotated.status, 201, rotated.text);
  assert.equal(rotated.json['name'], 'Oven 3');
  assert.deepEqual([await post(old.json['key']), await post(rotated.json['key'])], ['201', '201']);
  const item = listItems(await owned.ada.get(owned.keys)).find(({ id }) => id === old.json['id']);
  assert.equal(item?.['rotated_to'], rotated.json['id']);
  const until = Date.parse(String(item?.['expires_at']));
  assert.equal(until, Date.parse(String(rotated.json['created_at'])) + 24 * MS_PER_HOUR);
});

for (const [hours, opens] of [
  [0, '401 api_key_expired'],
  [168, '201'],
] as const) {
  test(`a key rotated with an overlap of ${hours} hours answers ${opens}`, async () => {
    const owned = await newOwned();
    const old = await issue(owned);
    const before = await post(old.json['key']);
    const path = `${owned.keys}/${String(old.json['id'])}`;

    const rotated = await owned.ada.send('POST', `${path}/rotate`, { overlap_hours: hours });

    const answer = hours === 0 ? await awaitRefusal(old.json['key']) : await post(old.json['key']);
    assert.deepEqual([before, answer], ['201', opens]);
    const item = listItems(await owned.ada.get(owned.keys)).find(({ id }) => id === old.json['id']);
    const until = Date.parse(String(item?.['expires_at']));
    assert.equal(until, Date.parse(String(rotated.json['created_at'])) + hours * MS_PER_HOUR);
  });
}

for (const hours of [-1, 169, 1.5, '24', null]) {
  test(`an overlap of ${JSON.stringify(hours)} hours is refused`, async () => {
    const owned = await newOwned();
    const old = await issue(owned);

    const refused = await owned.ada.send('POST', `${owned.keys}/${String(old.json['id'])}/rotate`, {
      overlap_hours: hours,
    });

    assert.deepEqual(listCodes([refused]), ['422 fields_invalid']);
  });
}

test('rotating never lengthens the life of the old key, and the new one lives as long', async () => {
  const owned = await newOwned();
  const inAnHour = new Date(Date.now() + MS_PER_HOUR).toISOString();
  const old = await issue(owned, { name: 'Short', expires_at: inAnHour });

  const rotated = await owned.ada.send('POST', `${owned.keys}/${String(old.json['id'])}/rotate`, {
    overlap_hours: 168,
  });

  const item = listItems(await owned.ada.get(owned.keys)).find(({ id }) => id === old.json['id']);
  assert.equal(item?.['expires_at'], inAnHour);
  const life = (key: Answer): number =>
    Date.parse(String(key.json['expires_at'])) - Date.parse(String(key.json['created_at']));
  assert.equal(life(rotated), life(old));
});

test('at 20 keys one is rotated only without overlap, and stays 20', async () => {
  const owned = await newOwned();
  await fillUp(owned, ACTIVE_KEYS_MAX - 1);
  const old = await issue(owned);
  const path = `${owned.keys}/${String(old.json['id'])}/rotate`;

  const refused = await owned.ada.send('POST', path, { overlap_hours: 1 });
  const rotated = await owned.ada.send('POST', path, { overlap_hours: 0 });

  assert.deepEqual(listCodes([refused, rotated]), ['201 undefined', '422 limit_reached']);
  const active = listItems(await owned.ada.get(owned.keys)).filter(
    ({ state }) => state === 'active',
  );
  assert.equal(active.length, ACTIVE_KEYS_MAX);
});

test('a key is rotated once, however many ask at the same moment', async () => {
  const owned = await newOwned();
  const old = await issue(owned);
  const path = `${owned.keys}/${String(old.json['id'])}/rotate`;

  const answers = await Promise.all([1, 2, 3].map(() => owned.ada.send('POST', path, {})));

  assert.deepEqual(listCodes(answers), ['201 undefined', '409 conflict', '409 conflict']);
  assert.equal(listItems(await owned.ada.get(owned.keys)).length, 2);
});

test('a key that has ended is neither changed nor rotated, and the end of a rotated one is fixed', async () => {
  const owned = await newOwned();
  const [ended, rotated] = [await issue(owned), await issue(owned)];
  const path = (key: Answer): string => `${owned.keys}/${String(key.json['id'])}`;
  await owned.ada.send('DELETE', path(ended));
  await owned.ada.send('POST', `${path(rotated)}/rotate`, {});

  const refused = [
    await owned.ada.send('PATCH', path(ended), { expires_at: null }),
    await owned.ada.send('POST', `${path(ended)}/rotate`, {}),
    await owned.ada.send('PATCH', path(rotated), { expires_at: null }),
  ];

  assert.deepEqual(listCodes(refused), ['409 conflict', '409 conflict', '409 conflict']);
});

test('keys are reached through their own group alone', async () => {
  const [owned, other] = [await newOwned(), await newOwned()];
  const key = String((await issue(owned)).json['id']);

  const refused = [
    await other.ada.send('PATCH', `${other.keys}/${key}`, { name: 'Mine' }),
    await other.ada.send('POST', `${other.keys}/${key}/rotate`, {}),
    await other.ada.send('DELETE', `${other.keys}/${key}`),
  ];

  assert.deepEqual(listCodes(refused), ['404 not_found', '404 not_found', '404 not_found']);
});

test('a member neither sees nor touches keys', async () => {
  const owned = await newOwned();
  const key = String((await issue(owned)).json['id']);
  const bob = await newPerson(booted, 'Bob');
  await join(booted, { groupId: owned.groupId, person: bob });

  const refused = [
    await bob.get(owned.keys),
    await bob.send('PATCH', `${owned.keys}/${key}`, { name: 'Mine' }),
    await bob.send('POST', `${owned.keys}/${key}/rotate`, {}),
    await bob.send('DELETE', `${owned.keys}/${key}`),
  ];

  assert.deepEqual(new Set(listCodes(refused)), new Set(['403 owner_only']));
});

test('the audit has every change of a key for owners, newest first, in pages', async () => {
  const owned = await newOwned();
  const old = await issue(owned, { name: 'Oven 3' });
  const path = `${owned.keys}/${String(old.json['id'])}`;
  await owned.ada.send('PATCH', path, { name: 'Oven 4' });
  const rotated = await owned.ada.send('POST', `${path}/rotate`, { overlap_hours: 1 });
  await owned.ada.send('DELETE', path);

  const audit = `/api/v1/groups/${owned.groupId}/audit`;
  const first = await owned.ada.get(`${audit}?limit=3`);
  const second = await owned.ada.get(`${audit}?limit=3&after=${String(first.json['next'])}`);

  const entries = [first, second].flatMap(listItems);
  const id = old.json['id'];
  assert.deepEqual(
    entries.map(({ action, subject, details }) => [action, subject, details]),
    [
      ['key_revoked', id, { name: 'Oven 4' }],
      ['key_rotated', id, { name: 'Oven 4', rotated_to: rotated.json['id'], overlap_hours: 1 }],
      ['key_changed', id, { name: 'Oven 4' }],
      ['key_issued', id, { name: 'Oven 3' }],
      ['group_created', owned.groupId, { name: 'Bakery' }],
    ],
  );
  assert.deepEqual(
    new Set(
      entries.map(({ actor, account_id: accountId }) => `${String(actor)} ${String(accountId)}`),
    ),
    new Set([`Ada ${owned.ada.accountId}`]),
  );
  assert.equal(second.json['next'], null);
});
