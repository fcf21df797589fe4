// Reading a group over HTTP: pages both ways, choosing, search, what is read, and acknowledging.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sql from 'sql-template-tag';
import { CHARACTERS_MAX, LOOKED_AT_MAX } from '../../src/inbox/search.ts';
import type { Post } from '../../src/store/post.ts';
import { boot, type Answer } from '../boot.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { fill, postTo, prune } from '../stored-group.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { store } = booted.service;

interface Sample {
  readonly ada: TestPerson;
  readonly groupId: string;
  readonly list: string;
}

async function ofOne(): Promise<Sample> {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  return { ada, groupId, list: `/api/v1/groups/${groupId}/notifications` };
}

async function post(groupId: string, ...posts: readonly Partial<Post>[]): Promise<void> {
  for (const changes of posts) await store.post(postTo(groupId, changes));
}

async function postMany(groupId: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => store.post(postTo(groupId))));
}

function listSeqs(answer: Answer): readonly number[] {
  return Object.values(answer.json['items'] ?? {}).map(({ seq }) => Number(seq));
}

function readCursors({ json }: Answer): readonly unknown[] {
  return [json['next'], json['prev']];
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n + 1);
}

test('a list is newest first, and `next` leads to the oldest', async () => {
  const { ada, groupId, list } = await ofOne();
  await postMany(groupId, 5);

  const first = await ada.get(`${list}?limit=2`);
  const second = await ada.get(`${list}?limit=2&before=${String(first.json['next'])}`);
  const third = await ada.get(`${list}?limit=2&before=${String(second.json['next'])}`);

  assert.deepEqual([first, second, third].map(listSeqs), [[5, 4], [3, 2], [1]]);
  assert.deepEqual([first, second, third].map(readCursors), [
    [4, null],
    [2, 3],
    [null, 1],
  ]);
  assert.deepEqual([first.json['head_seq'], first.json['unread']], [5, 5]);
});

test('with `after` those that follow come oldest first, and `prev` leads back', async () => {
  const { ada, groupId, list } = await ofOne();
  await postMany(groupId, 5);

  const first = await ada.get(`${list}?limit=2&after=1`);
  const second = await ada.get(`${list}?limit=2&after=${String(first.json['next'])}`);
  const back = await ada.get(`${list}?limit=2&before=${String(second.json['prev'])}`);

  assert.deepEqual([first, second, back].map(listSeqs), [
    [2, 3],
    [4, 5],
    [3, 2],
  ]);
  assert.deepEqual([first, second].map(readCursors), [
    [3, 2],
    [null, 4],
  ]);
});

test('both cursors at once are refused', async () => {
  const { ada, list } = await ofOne();

  const answer = await ada.get(`${list}?after=1&before=3`);

  assert.equal(answer.status, 422);
  assert.deepEqual(
    Object.values(answer.json['errors'] ?? {}).map(({ pointer }) => pointer),
    ['query:after', 'query:before'],
  );
});

test('an item says who sent it, and a test post that a person did', async () => {
  const { ada, groupId, list } = await ofOne();
  await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Ovens' });
  const [key] = await booted.database.rows('select id from group_keys where group_id = ?', groupId);
  const keyId = String(key?.['id']);
  await post(groupId, { sender: { kind: 'key', keyId, touch: false }, body: 'B', title: 'T' });
  await ada.send('POST', `/api/v1/groups/${groupId}/test`);

  const one = await ada.get(`${list}/1`);
  const two = await ada.get(`${list}/2`);

  const { id, created_at: createdAt, ...rest } = one.json;
  assert.deepEqual(rest, {
    group_id: groupId,
    seq: 1,
    command: 'notify',
    title: 'T',
    body: 'B',
    severity: 'info',
    sender: { kind: 'key', id: keyId, name: 'Ovens' },
    acknowledged: null,
    read: false,
  });
  assert.ok(Number(id) > 0);
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(two.json['sender'], { kind: 'person', id: ada.accountId, name: 'Ada' });
});

test('severity, unread and text choose together, in both directions', async () => {
  const { ada, groupId, list } = await ofOne();
  await post(
    groupId,
    { severity: 'critical', title: 'Straße 1' },
    { severity: 'critical', title: 'Kühlraum', body: 'an der STRASSE' },
    { severity: 'info', title: 'strasse 3' },
    { severity: 'critical', title: 'Ofen' },
    { severity: 'critical', title: 'straße 5' },
  );
  await ada.send('PUT', `${list}/2/read`);

  const query = 'severity=critical&unread=true&q=stra%C3%9Fe';
  const newest = await ada.get(`${list}?${query}`);
  const oldest = await ada.get(`${list}?${query}&after=0`);
  const critical = await ada.get(`${list}?severity=critical&limit=3`);
  const critical2 = await ada.get(
    `${list}?severity=critical&before=${String(critical.json['next'])}`,
  );

  assert.deepEqual([newest, oldest, critical, critical2].map(listSeqs), [
    [5, 1],
    [1, 5],
    [5, 4, 2],
    [1],
  ]);
});

test('unread ones are found wherever they are: above what is read, and marked below it', async () => {
  const { ada, groupId, list } = await ofOne();
  await postMany(groupId, 9);
  await ada.send('PUT', `/api/v1/groups/${groupId}/read-state`, { up_to: 6 });
  await ada.send('DELETE', `${list}/2/read`);
  await ada.send('DELETE', `${list}/5/read`);
  await ada.send('PUT', `${list}/8/read`);

  const first = await ada.get(`${list}?unread=true&limit=2`);
  const second = await ada.get(`${list}?unread=true&limit=2&before=${String(first.json['next'])}`);
  const oldest = await ada.get(`${list}?unread=true&after=2&limit=2`);

  assert.deepEqual([first, second, oldest].map(listSeqs), [
    [9, 7],
    [5, 2],
    [5, 7],
  ]);
  assert.deepEqual(first.json['unread'], 4);
});

test('a page looks at a bounded number of rows, and `next` goes on where it stopped', async () => {
  const { ada, groupId, list } = await ofOne();
  await fill(store, groupId, LOOKED_AT_MAX + 1_000);
  await post(groupId, {}, {});
  await store.write([
    sql`update notifications set title = 'The needle' where group_id = ${groupId} and seq = 7`,
  ]);

  const first = await ada.get(`${list}?q=needle`);
  const second = await ada.get(`${list}?q=needle&before=${String(first.json['next'])}`);

  assert.deepEqual(listSeqs(first), []);
  assert.equal(first.json['next'], 1_003);
  assert.deepEqual([listSeqs(second), second.json['next']], [[7], null]);
});

test('a page looks through a bounded number of characters', async () => {
  const { ada, groupId, list } = await ofOne();
  await fill(store, groupId, 1_000, 'long '.repeat(800));

  const answer = await ada.get(`${list}?q=needle`);

  const looked = 1_001 - Number(answer.json['next']);
  assert.deepEqual(listSeqs(answer), []);
  assert.ok(looked >= CHARACTERS_MAX / 4_100 && looked <= CHARACTERS_MAX / 4_000 + 200);
});

test('what retention has deleted is neither listed, shown nor unread', async () => {
  const { ada, groupId, list } = await ofOne();
  await postMany(groupId, 5);
  await prune(store, groupId, 3);

  const newest = await ada.get(list);
  const one = await ada.get(`${list}/3`);
  const read = await ada.send('PUT', `${list}/3/read`);

  assert.deepEqual([listSeqs(newest), newest.json['unread']], [[5, 4], 2]);
  assert.deepEqual([one.status, read.status], [404, 404]);
});

test('a group that one is not in answers as one that is not there', async () => {
  const { groupId, list } = await ofOne();
  await postMany(groupId, 1);
  const ben = await newPerson(booted, 'Ben');

  const answers = [
    await ben.get(list),
    await ben.get(`${list}/1`),
    await ben.send('PUT', `${list}/1/read`),
    await ben.send('DELETE', `${list}/1/read`),
    await ben.send('PUT', `${list}/1/ack`),
    await ben.send('PUT', `/api/v1/groups/${groupId}/read-state`, { up_to: 1 }),
    await ben.get('/api/v1/groups/grp_000000000000/notifications'),
  ];

  const [first] = answers;
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json['detail']]),
    answers.map(() => [404, first?.json['detail']]),
  );
});

test('the first to acknowledge is shown to all, and again changes nothing', async () => {
  const { ada, groupId, list } = await ofOne();
  const people = [
    ada,
    ...(await Promise.all(['Ben', 'Cleo', 'Dan'].map((name) => newPerson(booted, name)))),
  ];
  for (const person of people.slice(1)) await join(booted, { groupId, person });
  await post(groupId, { severity: 'critical' });

  const answers = await Promise.all(people.map((person) => person.send('PUT', `${list}/1/ack`)));
  const again = await ada.send('PUT', `${list}/1/ack`);

  const [signal] = await booted.database.rows(
    `select count(*) as "count" from signals where group_id = ? and kind = 'ack'`,
    groupId,
  );
  const shown = [...answers, again].map(({ json }) => json['acknowledged']);
  assert.deepEqual(
    [...answers, again].map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.deepEqual(
    shown,
    shown.map(() => shown[0]),
  );
  assert.equal(Number(signal?.['count']), 1);
});

test('only critical notifications are acknowledged', async () => {
  const { ada, groupId, list } = await ofOne();
  await post(groupId, { severity: 'warning' });

  const answer = await ada.send('PUT', `${list}/1/ack`);
  const missing = await ada.send('PUT', `${list}/2/ack`);

  assert.deepEqual([answer.status, answer.json['code'], missing.status], [409, 'conflict', 404]);
});

test('marking up to a seq never goes back, and not beyond the newest', async () => {
  const { ada, groupId } = await ofOne();
  const path = `/api/v1/groups/${groupId}/read-state`;
  await postMany(groupId, 5);

  const four = await ada.send('PUT', path, { up_to: 4 });
  const two = await ada.send('PUT', path, { up_to: 2 });
  const six = await ada.send('PUT', path, { up_to: 6 });

  assert.deepEqual(four.json, { group_id: groupId, head_seq: 5, unread: 1, read_up_to: 4 });
  assert.deepEqual(two.json, four.json);
  assert.deepEqual(
    [six.status, six.json['errors']?.['0']],
    [422, { pointer: '/up_to', code: 'too_large', limit: 5, actual: 6 }],
  );
});

test('a change that changes nothing is sent to nobody', async () => {
  const { ada, groupId, list } = await ofOne();
  await postMany(groupId, 3);

  await ada.send('PUT', `${list}/1/read`);
  await ada.send('PUT', `${list}/1/read`);
  await ada.send('DELETE', `${list}/2/read`);
  await ada.send('PUT', `/api/v1/groups/${groupId}/read-state`, { up_to: 1 });

  const [signal] = await booted.database.rows(
    `select count(*) as "count" from signals where group_id = ? and kind = 'read'`,
    groupId,
  );
  assert.equal(Number(signal?.['count']), 1);
});

test('unread counts of all groups, those without any among them', async () => {
  const { ada, groupId } = await ofOne();
  const quiet = await newGroup(ada, 'Quiet');
  await postMany(groupId, 2);

  const answer = await ada.get('/api/v1/unread');

  assert.equal(answer.json['unread'], 2);
  assert.deepEqual(
    new Map(
      Object.values(answer.json['groups'] ?? {}).map(({ group_id, ...rest }) => [group_id, rest]),
    ),
    new Map<unknown, unknown>([
      [groupId, { name: 'Bakery', head_seq: 2, unread: 2 }],
      [quiet, { name: 'Quiet', head_seq: 0, unread: 0 }],
    ]),
  );
});

test('a read token reads, and changes nothing', async () => {
  const { ada, groupId, list } = await ofOne();
  await post(groupId, { severity: 'critical' });
  const made = await ada.send('POST', '/api/v1/me/tokens', { name: 'Screen' });
  const headers = { Authorization: `Bearer ${String(made.json['token'])}` };

  const statuses = await Promise.all(
    [
      { path: list },
      { path: `${list}/1` },
      { path: '/api/v1/unread' },
      { path: `${list}/1/read`, method: 'PUT' },
      { path: `${list}/1/ack`, method: 'PUT' },
    ].map(async ({ path, ...init }) => (await booted.call(path, { headers, ...init })).status),
  );

  assert.deepEqual(statuses, [200, 200, 200, 403, 403]);
});

/** Devices of one person that race. */
const DEVICES = 4;
const ROUNDS = 27;

test('whatever devices read and unread while more comes and goes, the counts are those of a plain set', async () => {
  const { ada, groupId, list } = await ofOne();
  const state = `/api/v1/groups/${groupId}/read-state`;
  const unread = new Set<number>();
  let head = 0;
  let pruned = 0;
  let seed = 20_261_121;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
  const anySeq = (): number => pruned + 1 + random(head - pruned);
  const differences: unknown[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    const count = 1 + random(6);
    await postMany(groupId, count);
    for (const seq of upTo(count)) unread.add(head + seq);
    head += count;
    // Of different seqs, so that the outcome does not hang on who is first.
    const seqs = [...new Set(Array.from({ length: DEVICES * 2 }, anySeq))];
    await Promise.all(
      seqs.map(async (seq) => {
        const isRead = random(3) > 0;
        await ada.send(isRead ? 'PUT' : 'DELETE', `${list}/${seq}/read`);
        if (isRead) unread.delete(seq);
        else unread.add(seq);
      }),
    );
    if (round % 8 === 5) {
      const end = anySeq();
      await ada.send('PUT', state, { up_to: end });
      for (const seq of unread) if (seq <= end) unread.delete(seq);
    }
    if (round % 13 === 12) {
      pruned = anySeq() - 1;
      if (pruned > 0) await prune(store, groupId, pruned);
      for (const seq of unread) if (seq <= pruned) unread.delete(seq);
    }
    const answer = await ada.get(`${list}?unread=true&limit=200`);
    const expected = [...unread].sort((a, b) => b - a);
    const isSame = String(listSeqs(answer)) === String(expected);
    if (!isSame || Number(answer.json['unread']) !== unread.size) {
      differences.push({ round, is: answer.json['unread'], seqs: listSeqs(answer), expected });
    }
  }
  const all = await ada.get(`${list}?limit=200`);

  assert.deepEqual(differences, []);
  assert.deepEqual(
    Object.values(all.json['items'] ?? {}).map(({ seq, read }) => [seq, read]),
    listSeqs(all).map((seq) => [seq, !unread.has(seq)]),
  );
});
