// What belongs together is shown as one: which notifications are one item, how often it fired, since when
// and what it is now; that an item is read when all of it is, and acknowledged as a whole.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Post } from '../../src/store/post.ts';
import { boot, type Answer, type Json } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { postTo, prune } from '../stored-group.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { store } = booted.service;
let ada: TestPerson;
let ben: TestPerson;
let groupId: string;

before(async () => {
  [ada, ben] = await Promise.all([newPerson(booted), newPerson(booted, 'Ben')]);
});

beforeEach(async () => {
  groupId = await newGroup(ada);
  await join(booted, { groupId, person: ben });
});

type Alert = Partial<Pick<Post, 'dedupKey' | 'status' | 'severity' | 'title' | 'body'>>;

/** In one group commit. */
async function post(...alerts: readonly Alert[]): Promise<void> {
  await Promise.all(alerts.map((alert) => store.post(postTo(groupId, alert))));
}

const firing = (dedupKey: string, more: Alert = {}): Alert => ({
  dedupKey,
  status: 'firing',
  ...more,
});
const resolved = (dedupKey: string, more: Alert = {}): Alert => ({
  dedupKey,
  status: 'resolved',
  ...more,
});

const path = (rest = ''): string => `/api/v1/groups/${groupId}/notifications${rest}`;

const list = (person: TestPerson, query: string): Promise<Answer> => person.get(path(query));

function listItems(answer: Answer): readonly Json[] {
  return Object.values(answer.json['items'] ?? {});
}

/** `seq`, and `×N` where there are several. */
function shown(answer: Answer): readonly string[] {
  return listItems(answer).map(
    ({ seq, count, status }) =>
      `${String(seq)}${count === undefined ? '' : ` ×${String(count)}`}${
        status === undefined ? '' : ` ${String(status)}`
      }`,
  );
}

test('those of one dedup_key are one item where the newest is, with how many, since when and its status', async () => {
  await post(firing('oven'), firing('fridge'), {}, firing('oven'), { dedupKey: 'fridge' });

  const answer = await list(ada, '?grouped=true');

  const raw = listItems(await list(ada, ''));
  const [, item] = listItems(answer);
  assert.deepEqual(shown(answer), ['5 ×2', '4 ×2 firing', '3']);
  assert.equal(item?.['first_at'], raw.at(-1)?.['created_at']);
  assert.equal(item?.['first_seq'], 1);
});

test('a resolved one ends an item: further ones resolve it again, and what fires then is another', async () => {
  await post(firing('oven'), resolved('oven'), resolved('oven'), firing('oven'), resolved('oven'));
  await post(resolved('fridge'), firing('fridge'));

  const answer = await list(ada, '?grouped=true');

  assert.deepEqual(shown(answer), [
    '7 ×1 firing',
    '6 ×1 resolved',
    '5 ×2 resolved',
    '3 ×3 resolved',
  ]);
});

test('one dedup_key in two groups is two things', async () => {
  const other = await newGroup(ada, 'Other');
  await post(firing('oven'));
  await store.post(postTo(other, firing('oven')));

  const answer = await ada.get('/api/v1/notifications?grouped=true&limit=2');

  assert.deepEqual(shown(answer), ['1 ×1 firing', '1 ×1 firing']);
});

test('without grouped each notification is listed by itself, and says what it belongs together with', async () => {
  await post(firing('oven'), {}, firing('oven'));

  const answer = await list(ada, '');

  assert.deepEqual(shown(answer), ['3 ×2 firing', '2', '1 ×2 firing']);
  assert.ok(!('open' in answer.json) && !('count' in (listItems(answer)[1] ?? {})));
});

test('pages of items follow each other both ways, in a group and in all', async () => {
  await post(firing('a'), firing('b'), {}, firing('a'), firing('b'), {}, firing('c'), firing('a'));

  const first = await list(ada, '?grouped=true&limit=2');
  const next = await list(ada, `?grouped=true&limit=3&before=${String(first.json['next'])}`);
  const forward = await list(ada, '?grouped=true&limit=3&after=0');
  const rest = await list(ada, `?grouped=true&after=${String(forward.json['next'])}`);
  const all = await ada.get(
    `/api/v1/notifications?grouped=true&after=${String(listItems(forward)[1]?.['id'])}&limit=2`,
  );

  assert.deepEqual(
    [...shown(first), ...shown(next)],
    ['8 ×3 firing', '7 ×1 firing', '6', '5 ×2 firing', '3'],
  );
  assert.equal(next.json['next'], null);
  assert.deepEqual(
    [...shown(forward), ...shown(rest)],
    ['3', '5 ×2 firing', '6', '7 ×1 firing', '8 ×3 firing'],
  );
  assert.deepEqual(shown(all), ['6', '7 ×1 firing']);
});

test('severity and text choose items by the newest of each', async () => {
  await post(
    firing('a', { severity: 'critical', title: 'Oven is hot' }),
    resolved('a', { severity: 'info', title: 'Oven is fine' }),
    firing('b', { severity: 'critical', title: 'Oven 2 is hot' }),
  );

  const critical = await list(ada, '?grouped=true&severity=critical');
  const hot = await list(ada, '?grouped=true&q=HOT');

  assert.deepEqual(shown(critical), ['3 ×1 firing']);
  assert.deepEqual(shown(hot), ['3 ×1 firing']);
});

test('an item is read when all of it is read, and marking it marks all up to the one that was seen', async () => {
  await post(firing('oven'), {}, firing('oven'), {}, firing('oven'));

  await ada.send('PUT', path('/5/read'));
  const one = listItems(await list(ada, '?grouped=true')).map((item) => item['read']);
  const state = await ada.send('PUT', path('/5/read?grouped=true'));
  const all = listItems(await list(ada, '?grouped=true')).map((item) => item['read']);

  assert.deepEqual(one, [false, false, false]);
  assert.deepEqual(all, [true, false, false]);
  assert.deepEqual([state.json['unread'], state.json['read_up_to']], [2, 1]);
  assert.deepEqual(shown(await list(ada, '?grouped=true&unread=true')), ['4', '2']);
});

test('what fires after an item was seen stays unread, and makes the item unread again', async () => {
  await post(firing('oven'), firing('oven'), firing('oven'));

  const state = await ada.send('PUT', path('/2/read?grouped=true'));

  assert.deepEqual([state.json['unread'], state.json['read_up_to']], [1, 2]);
  assert.deepEqual(shown(await list(ada, '?grouped=true&unread=true')), ['3 ×3 firing']);
});

test('an item is marked as unread by its newest, whichever of it is asked for, and read again as a whole', async () => {
  await post(firing('oven'), firing('oven'), {});
  await ada.send('PUT', `/api/v1/groups/${groupId}/read-state`, { up_to: 3 });

  const unread = await ada.send('DELETE', path('/1/read?grouped=true'));
  const listed = await list(ada, '?grouped=true&unread=true');
  const read = await ada.send('PUT', path('/2/read?grouped=true'));

  assert.equal(unread.json['unread'], 1);
  assert.deepEqual(shown(listed), ['2 ×2 firing']);
  assert.equal(read.json['unread'], 0);
});

test('one that was marked as unread by itself makes its item unread until the item is read', async () => {
  await post(firing('oven'), firing('oven'));
  await ada.send('PUT', `/api/v1/groups/${groupId}/read-state`, { up_to: 2 });

  await ada.send('DELETE', path('/1/read'));
  const [before_] = listItems(await list(ada, '?grouped=true'));
  const state = await ada.send('PUT', path('/2/read?grouped=true'));

  assert.equal(before_?.['read'], false);
  assert.equal(state.json['unread'], 0);
});

test('an item of more than one transaction marks is read by one call', async () => {
  const times = Array.from({ length: 600 }, () => [firing('oven'), firing('fridge')]).flat();
  await post(...times);

  const state = await ada.send('PUT', path('/1199/read?grouped=true'));

  assert.equal(state.json['unread'], 600);
});

test('read one after the other, items that fill a group leave nothing to remember one by one', async () => {
  await post(firing('a'), firing('b'), firing('a'), firing('b'));

  await ada.send('PUT', path('/3/read?grouped=true'));
  const state = await ada.send('PUT', path('/4/read?grouped=true'));

  const left = await booted.database.rows(
    'select seq from read_exceptions where group_id = ? and account_id = ?',
    ...[groupId, ada.accountId],
  );
  assert.deepEqual([state.json['unread'], state.json['read_up_to'], left], [0, 4, []]);
});

test('what an item was is listed with it, page by page, and only to members', async () => {
  await post(firing('oven'), {}, firing('oven'), resolved('oven'), firing('oven'));
  const stranger = await newPerson(booted, 'Eve');

  const first = await ada.get(path('/1/occurrences?limit=2'));
  const rest = await ada.get(path(`/4/occurrences?before=${String(first.json['next'])}`));
  const alone = await ada.get(path('/2/occurrences'));

  assert.deepEqual(shown(first), ['4 ×3 resolved', '3 ×3 firing']);
  assert.deepEqual([shown(rest), rest.json['next']], [['1 ×3 firing'], null]);
  assert.deepEqual(shown(alone), ['2']);
  assert.equal((await stranger.get(path('/1/occurrences'))).status, 404);
  assert.equal((await ada.get(path('/9/occurrences'))).status, 404);
});

test('what retention has deleted still counts for what came after it', async () => {
  await post(firing('oven'), firing('oven'), firing('oven'));
  await prune(store, groupId, 2);

  await post(firing('oven'));

  assert.deepEqual(shown(await list(ada, '?grouped=true')), ['4 ×4 firing']);
  assert.deepEqual(shown(await ada.get(path('/4/occurrences'))), ['4 ×4 firing', '3 ×4 firing']);
});

test('open are critical ones that nobody acknowledged: the newest of each item, unless it is resolved', async () => {
  const critical = { severity: 'critical' } as const;
  await post(critical, firing('a', critical), firing('a', critical), firing('b', critical));
  await post(resolved('b', critical), { severity: 'warning' }, critical);
  await ben.send('PUT', path('/7/ack'));

  const raw = await list(ada, '?ack=open');
  const grouped = await list(ada, '?ack=open&grouped=true&limit=1');
  const none = await list(ada, '?ack=open&severity=warning');
  const all = await ada.get('/api/v1/notifications?ack=open&limit=3');

  assert.deepEqual([shown(raw), raw.json['open']], [['3 ×2 firing', '1'], 2]);
  assert.deepEqual([shown(grouped), grouped.json['open']], [['3 ×2 firing'], 2]);
  assert.deepEqual(shown(none), []);
  assert.deepEqual(shown(all).slice(0, 2), ['3 ×2 firing', '1']);
});

test('acknowledging an item acknowledges its newest critical one and the critical ones before it', async () => {
  const critical = { severity: 'critical' } as const;
  await post(firing('oven', critical), firing('oven'), firing('oven', critical), critical);
  await post(firing('oven'));

  const answer = await ben.send('PUT', path('/5/ack?grouped=true'), { comment: 'On my way' });
  await post(firing('oven', critical));

  const acknowledged = listItems(await list(ada, '')).map(({ seq, acknowledged: by }) => [
    seq,
    by === null ? null : `${String(by?.['name'])}: ${String(by?.['comment'])}`,
  ]);
  assert.equal(answer.json['seq'], 3);
  assert.deepEqual(acknowledged, [
    [6, null],
    [5, null],
    [4, null],
    [3, 'Ben: On my way'],
    [2, null],
    [1, 'Ben: undefined'],
  ]);
  assert.deepEqual(shown(await list(ada, '?ack=open')), ['6 ×5 firing', '4']);
});

test('an item without a critical one has nothing to acknowledge', async () => {
  await post(firing('oven'), firing('oven'));

  const answer = await ada.send('PUT', path('/2/ack?grouped=true'));

  assert.deepEqual([answer.status, answer.json['code']], [409, 'conflict']);
});

test('a comment is said with the first acknowledgement alone, and holds at most 1,000 characters', async () => {
  await post({ severity: 'critical' }, { severity: 'critical' });

  const long = await ada.send('PUT', path('/1/ack'), { comment: 'é'.repeat(1_001) });
  const said = await ada.send('PUT', path('/1/ack'), { comment: '🔥'.repeat(1_000) });
  const second = await ben.send('PUT', path('/1/ack'), { comment: 'Me, too' });
  const blank = await ada.send('PUT', path('/2/ack'), { comment: ' \n' });
  const unknown = await ada.send('PUT', path('/2/ack'), { remark: 'x' });

  assert.equal(long.json['code'], 'fields_invalid');
  assert.equal(said.json['acknowledged']?.['comment'], '🔥'.repeat(1_000));
  assert.deepEqual(second.json['acknowledged'], said.json['acknowledged']);
  assert.ok(!('comment' in (blank.json['acknowledged'] ?? {})));
  assert.equal(unknown.json['code'], 'fields_invalid');
});

test('what was redacted keeps its place in its item, and is not found by its texts', async () => {
  await post(firing('oven', { title: 'Oven' }), firing('oven', { title: 'Oven' }), {});
  const redacted = await ada.send('POST', path('/2/redact'));

  const listed = await list(ada, '?grouped=true');
  const found = await list(ada, '?grouped=true&q=oven');
  await post(firing('oven'));

  assert.equal(redacted.status, 200);
  assert.deepEqual(shown(listed), ['3', '2']);
  assert.ok(listItems(listed)[1]?.['redacted_at'] !== undefined);
  assert.deepEqual(shown(found), ['3']);
  assert.deepEqual(shown(await list(ada, '?grouped=true')), ['4 ×3 firing', '3']);
});

test('what its sender called an item is gone with the last of its texts', async () => {
  await post(firing('Ada Lovelace'), firing('Ada Lovelace'));

  await ada.send('POST', path('/1/redact'));
  const kept = await readKeys();
  await ada.send('POST', path('/2/redact'));
  const gone = await readKeys();
  await post(firing('Ada Lovelace'));

  assert.deepEqual([kept, gone], [['Ada Lovelace'], ['']]);
  assert.deepEqual(shown(await list(ada, '?grouped=true')), ['3 ×1 firing', '2 ×2']);
});

async function readKeys(): Promise<readonly unknown[]> {
  const rows = await booted.database.rows(
    'select dedup_key from occurrences where group_id = ?',
    groupId,
  );
  return rows.map((row) => row['dedup_key']);
}
