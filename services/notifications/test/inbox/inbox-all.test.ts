// Reading all groups together over HTTP: pages both ways, choosing, search that ends before it has seen
// everything and says so, and marking as read.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LOOKED_AT_MAX } from '../../src/inbox/search.ts';
import type { Post, PostedPlace, Severity } from '../../src/store/post.ts';
import { boot, type Answer } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { fill, postTo, prune } from '../stored-group.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { store } = booted.service;

const ALL = '/api/v1/notifications';
const READ_STATE = '/api/v1/read-state';
/** More than one page of any list, and more than was once looked through. */
const ELSEWHERE = 250;
/** More than were once looked through. */
const QUIET_GROUPS = 25;

async function post(groupId: string, changes: Partial<Post> = {}): Promise<PostedPlace> {
  const outcome = await store.post(postTo(groupId, changes));
  assert.ok(outcome.kind === 'created');
  return outcome;
}

async function postMany(groupId: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => post(groupId)));
}

function listItems(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return Object.values(answer.json['items'] ?? {});
}

function listIds(answer: Answer): readonly number[] {
  return listItems(answer).map(({ id }) => Number(id));
}

/** All pages from a first one on, following `next`. */
async function pagesFrom(
  person: TestPerson,
  query: string,
  direction: 'before' | 'after',
  from?: number,
): Promise<readonly Answer[]> {
  const pages: Answer[] = [];
  for (let cursor: unknown = from; cursor !== null;) {
    const place = cursor === undefined ? '' : `&${direction}=${String(cursor)}`;
    const page = await person.get(`${ALL}?${query}${place}`);
    assert.equal(page.status, 200);
    pages.push(page);
    cursor = page.json['next'];
  }
  return pages;
}

test('what is rare is found in a quiet group, however much came elsewhere', async () => {
  const ada = await newPerson(booted);
  const busy = await newGroup(ada, 'Busy');
  const quiet: string[] = [];
  for (let n = 0; n < QUIET_GROUPS; n += 1) quiet.push(await newGroup(ada, `Quiet ${n}`));
  await post(quiet[0]!, { severity: 'critical', title: 'Gas in the cellar' });
  for (const id of quiet.slice(1)) await postMany(id, 1);
  await postMany(busy, ELSEWHERE);
  await ada.send('PUT', `/api/v1/groups/${busy}/read-state`, { up_to: ELSEWHERE });

  const queries = ['severity=critical', 'q=CELLAR', 'unread=true&severity=critical'];
  const answers = await Promise.all(queries.map((query) => ada.get(`${ALL}?${query}`)));
  const pages = await Promise.all(queries.map((query) => ada.get(`/inbox?${query}`)));

  assert.deepEqual(
    answers.map((answer) => listItems(answer).map(({ title }) => title)),
    queries.map(() => ['Gas in the cellar']),
  );
  for (const { text } of pages) {
    assert.match(text, /Gas in the cellar/);
    assert.doesNotMatch(text, /Nothing here matches|Searched back/);
  }
});

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'critical'];

interface Posted {
  readonly id: number;
  readonly groupId: string;
  readonly seq: number;
  readonly severity: Severity;
  readonly title: string;
  read: boolean;
}

test('pages of every choice hold each notification once and in order, both ways', async () => {
  const ada = await newPerson(booted);
  const bea = await newPerson(booted, 'Bea');
  const groups = [await newGroup(ada, 'A'), await newGroup(ada, 'B'), await newGroup(ada, 'C')];
  const foreign = await newGroup(bea, 'Not of Ada');
  const posted: Posted[] = [];
  let seed = 20_261_122;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
  for (let n = 0; n < 120; n += 1) {
    const groupId = [...groups, foreign][random(4)]!;
    const severity = SEVERITIES[random(3)]!;
    const title = random(4) === 0 ? `Straße ${n}` : `Weg ${n}`;
    const { id, seq } = await post(groupId, { severity, title });
    if (groupId !== foreign) posted.push({ id, groupId, seq, severity, title, read: false });
  }
  await ada.send('PUT', `/api/v1/groups/${groups[0]}/read-state`, { up_to: 20 });
  for (const one of posted) if (one.groupId === groups[0] && one.seq <= 20) one.read = true;
  for (const one of posted.filter(() => random(5) === 0)) {
    one.read = !one.read;
    const path = `/api/v1/groups/${one.groupId}/notifications/${one.seq}/read`;
    await ada.send(one.read ? 'PUT' : 'DELETE', path);
  }
  await prune(store, groups[1]!, 4);
  const left = posted.filter(({ groupId, seq }) => groupId !== groups[1] || seq > 4);
  const choices: Readonly<Record<string, (one: Posted) => boolean>> = {
    '': () => true,
    'severity=critical': ({ severity }) => severity === 'critical',
    'unread=true': ({ read }) => !read,
    'q=STRASSE': ({ title }) => title.startsWith('Straße'),
    'q=stra%C3%9Fe&unread=true&severity=info': ({ title, read, severity }) =>
      title.startsWith('Straße') && !read && severity === 'info',
  };

  for (const [query, isChosen] of Object.entries(choices)) {
    const wanted = left.filter(isChosen).map(({ id }) => id);
    const older = await pagesFrom(ada, `limit=7&${query}`, 'before');
    const newer = await pagesFrom(ada, `limit=7&${query}`, 'after', 0);
    const { json: second } = await ada.get(`${ALL}?limit=7&${query}&before=${wanted.at(-2)}`);
    const back = await pagesFrom(ada, `limit=7&${query}`, 'after', Number(second['prev']));

    assert.deepEqual(older.flatMap(listIds), wanted.toReversed(), query);
    assert.deepEqual(newer.flatMap(listIds), wanted, query);
    assert.deepEqual(back.flatMap(listIds), wanted.slice(-2), query);
    assert.ok(older.every(({ json }) => json['searched_to'] === null));
    assert.equal(older[0]?.json['prev'], null);
    assert.equal(newer[0]?.json['prev'], null);
  }
  const all = await ada.get(`${ALL}?limit=200`);
  assert.deepEqual(
    listItems(all).map(({ id, read }) => [id, read]),
    left.toReversed().map(({ id, read }) => [id, read]),
  );
  assert.equal(Number(all.json['unread']), left.filter(({ read }) => !read).length);
});

test('what comes in later follows `head_id`, once', async () => {
  const ada = await newPerson(booted);
  const groups = [await newGroup(ada, 'A'), await newGroup(ada, 'B')];
  for (const id of groups) await postMany(id, 2);
  const before = await ada.get(ALL);
  const [first, second] = [await post(groups[1]!), await post(groups[0]!)];

  const later = await ada.get(`${ALL}?after=${String(before.json['head_id'])}`);
  const back = await ada.get(`${ALL}?before=${String(later.json['prev'])}`);

  assert.equal(listIds(before).length, 4);
  assert.deepEqual([listIds(later), later.json['next']], [[first.id, second.id], null]);
  assert.deepEqual(listIds(back), listIds(before));
});

test('a search that ends before it has seen everything says how far it looked, and goes on', async () => {
  const ada = await newPerson(booted);
  const old = await newGroup(ada, 'Old');
  const busy = await newGroup(ada, 'Busy');
  const { id: needle } = await post(old, { title: 'The needle' });
  await fill(store, busy, LOOKED_AT_MAX + 1_000);

  for (const path of ['/inbox', `/inbox/groups/${busy}`]) {
    const first = await ada.get(`${path}?q=needle`);
    const link =
      /id="older"\s+href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await ada.get(link);

    assert.match(first.text, /No match so far[\s\S]*Searched back to\s+<time datetime="1970-01-01/);
    assert.match(first.text, /Search further back/);
    assert.doesNotMatch(first.text, /Nothing here matches/);
    assert.doesNotMatch(second.text, /Searched back/);
    if (path === '/inbox') assert.match(second.text, /The needle/);
    else assert.match(second.text, /Nothing older matches/);
  }
  const answer = await ada.get(`${ALL}?q=needle`);
  const next = await ada.get(`${ALL}?q=needle&before=${String(answer.json['next'])}`);
  assert.deepEqual(listItems(answer), []);
  assert.equal(answer.json['searched_to'], '1970-01-01T00:00:01.001Z');
  assert.deepEqual(
    [listIds(next), next.json['next'], next.json['searched_to']],
    [[needle], null, null],
  );
});

test('only a search that has seen everything says that nothing matches', async () => {
  const ada = await newPerson(booted);
  await postMany(await newGroup(ada), 3);

  const page = await ada.get('/inbox?q=needle');

  assert.match(page.text, /Nothing here matches/);
  assert.doesNotMatch(page.text, /Searched back/);
});

test('both cursors at once are refused', async () => {
  const ada = await newPerson(booted);

  const answer = await ada.get(`${ALL}?after=1&before=3`);

  assert.equal(answer.status, 422);
  assert.equal(answer.json['code'], 'fields_invalid');
});

test('everything up to an id is read in all groups, and nothing behind it', async () => {
  const ada = await newPerson(booted);
  const ben = await newPerson(booted, 'Ben');
  const groups = [await newGroup(ada, 'A'), await newGroup(ada, 'B')];
  await join(booted, { groupId: groups[0]!, person: ben });
  const posts = [];
  for (let n = 0; n < 6; n += 1) posts.push(await post(groups[n % 2]!));
  const upTo = posts[3]!.id;

  const answer = await ada.send('PUT', READ_STATE, { up_to: upTo });
  const unread = await ada.get(`${ALL}?unread=true`);
  const ofBen = await ben.get('/api/v1/unread');

  assert.equal(answer.status, 200);
  assert.equal(answer.json['unread'], 2);
  assert.deepEqual(
    new Map(
      Object.values(answer.json['groups'] ?? {}).map((one) => [one['group_id'], one['unread']]),
    ),
    new Map<unknown, unknown>(groups.map((id) => [id, 1])),
  );
  assert.deepEqual(listIds(unread), [posts[5]!.id, posts[4]!.id]);
  assert.equal(ofBen.json['unread'], 3);
});

test('an id above the newest is refused, and nothing is marked', async () => {
  const ada = await newPerson(booted);
  await postMany(await newGroup(ada), 2);
  const head = Number((await ada.get(ALL)).json['head_id']);

  const answer = await ada.send('PUT', READ_STATE, { up_to: head + 1_000 });
  const unread = await ada.get('/api/v1/unread');

  assert.deepEqual([answer.status, answer.json['errors']?.['0']?.['code']], [422, 'too_large']);
  assert.equal(unread.json['unread'], 2);
});

test('a read token reads all groups, and marks nothing', async () => {
  const ada = await newPerson(booted);
  await postMany(await newGroup(ada), 1);
  const made = await ada.send('POST', '/api/v1/me/tokens', { name: 'Screen' });
  const headers = { Authorization: `Bearer ${String(made.json['token'])}` };

  const read = await booted.call(ALL, { headers });
  const marked = await booted.send({
    method: 'PUT',
    path: READ_STATE,
    headers,
    body: { up_to: Number(read.json['head_id']) },
  });

  assert.deepEqual([read.status, listIds(read).length], [200, 1]);
  assert.deepEqual([marked.status, marked.json['code']], [403, 'wrong_scope']);
});
