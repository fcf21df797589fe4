// Streams: what they begin with, what they send, how they resume, and when they end.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sql from 'sql-template-tag';
import { endSession } from '@lothub/people/access/session-ends';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { insertSignal } from '../../src/feed/signals.ts';
import { boot } from '../boot.ts';
import { EventStream, type StreamOptions } from './event-stream.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { postTo } from '../stored-group.ts';

const booted = await boot({ env: { NOTIFICATIONS_STREAMS_PER_PERSON: '3' } });
after(() => booted[Symbol.asyncDispose]());
const { store, people } = booted.service;

/** A second, and a little for a machine that is busy. */
const WITHIN_MS = 1_500;

async function ofOne(): Promise<{ readonly ada: TestPerson; readonly groupId: string }> {
  const ada = await newPerson(booted);
  return { ada, groupId: await newGroup(ada) };
}

async function post(groupId: string, count = 1, title = 'Oven'): Promise<void> {
  for (let n = 0; n < count; n += 1) await store.post(postTo(groupId, { title }));
}

async function openStream(
  person: TestPerson,
  options: Omit<StreamOptions, 'headers'> = {},
): Promise<EventStream> {
  return await EventStream.open(booted.base, { headers: person.headers, ...options });
}

async function readPosition(groupId: string, seq: number): Promise<number> {
  const [row] = await booted.database.rows(
    'select id from notifications where group_id = ? and seq = ?',
    groupId,
    seq,
  );
  return Number(row?.['id']);
}

async function kicked(groupId: string, person: TestPerson): Promise<void> {
  const { accountId } = person;
  await store.write([
    sql`delete from members where group_id = ${groupId} and account_id = ${accountId}`,
    ...insertSignal({
      kind: 'membership',
      groupId,
      accountId,
      detail: { change: 'removed' },
      at: Date.now(),
    }),
  ]);
}

test('a stream begins with how to come back, how far the groups are, and what is unread', async () => {
  const { ada, groupId } = await ofOne();
  await post(groupId, 2);

  using stream = await openStream(ada);

  const state = await stream.next('state');
  assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(stream.response.headers['cache-control'], 'no-store');
  assert.equal(stream.response.headers['x-accel-buffering'], 'no');
  assert.equal(stream.retryMs, 2_000);
  assert.deepEqual(state.data['groups'], [
    { group_id: groupId, name: 'Bakery', head_seq: 2, unread: 2 },
  ]);
  assert.equal(state.id, await readPosition(groupId, 2));
});

test('what is posted comes as REST shows it, with its position as the id', async () => {
  const { ada, groupId } = await ofOne();
  using stream = await openStream(ada);
  await stream.next('state');

  await ada.send('POST', `/api/v1/groups/${groupId}/test`);

  const sent = await stream.next('notification');
  const shown = await ada.get(`/api/v1/groups/${groupId}/notifications/1`);
  assert.deepEqual(sent.data, shown.json);
  assert.equal(sent.id, Number(shown.json['id']));
});

test('who comes back with the last id hears what was missed and what comes, once and in order', async () => {
  const { ada, groupId } = await ofOne();
  await post(groupId, 700);
  const position = await readPosition(groupId, 20);

  using stream = await openStream(ada, { lastEventId: position });
  await post(groupId, 30);
  await stream.until(() => stream.seqs().length >= 710);

  assert.deepEqual(
    stream.seqs(),
    Array.from({ length: 710 }, (_, n) => n + 21),
  );
});

test('the header that a browser sends when it comes back wins over the address it began with', async () => {
  const { ada, groupId } = await ofOne();
  await post(groupId, 4);

  using stream = await openStream(ada, {
    path: `/api/v1/stream?after=${await readPosition(groupId, 1)}`,
    lastEventId: await readPosition(groupId, 3),
  });

  await stream.next('notification');
  assert.deepEqual(stream.seqs(), [4]);
});

test('what was read or acknowledged meanwhile is told of what was missed', async () => {
  const { ada, groupId } = await ofOne();
  await store.post(postTo(groupId, { severity: 'critical' }));
  await post(groupId, 1);
  await ada.send('PUT', `/api/v1/groups/${groupId}/notifications/1/ack`);
  await ada.send('PUT', `/api/v1/groups/${groupId}/notifications/2/read`);

  using stream = await openStream(ada, { path: '/api/v1/stream?after=0' });

  await stream.until(() => stream.seqs().length === 2);
  const list = await ada.get(`/api/v1/groups/${groupId}/notifications?after=0`);
  const sent = stream.events.filter(({ event }) => event === 'notification');
  assert.deepEqual(
    sent.map(({ data }) => data),
    list.json['items'],
  );
  assert.deepEqual(
    sent.map(({ data }) => data['read']),
    [false, true],
  );
});

test('every device of a person hears what one of them has read, and how much is left', async () => {
  const { ada, groupId } = await ofOne();
  await post(groupId, 3);
  using stream = await openStream(ada, { path: `/api/v1/groups/${groupId}/stream` });
  await stream.next('state');

  await ada.send('PUT', `/api/v1/groups/${groupId}/notifications/2/read`);

  const read = await stream.next('read');
  const state = await stream.next('state', 1);
  assert.deepEqual(read.data, { group_id: groupId, seq: 2, read: true });
  assert.deepEqual(state.data['groups'], [
    { group_id: groupId, name: 'Bakery', head_seq: 3, unread: 2 },
  ]);
  assert.equal(state.id, undefined);
});

test('what one person reads is sent to nobody else, and who acknowledges to all', async () => {
  const { ada, groupId } = await ofOne();
  const ben = await newPerson(booted, 'Ben');
  await join(booted, { groupId, person: ben });
  await store.post(postTo(groupId, { severity: 'critical' }));
  using stream = await openStream(ben);
  await stream.next('state');

  await ada.send('PUT', `/api/v1/groups/${groupId}/read-state`, { up_to: 1 });
  await ada.send('PUT', `/api/v1/groups/${groupId}/notifications/1/ack`);

  const ack = await stream.next('ack');
  const { at, ...by } = ack.data['acknowledged'] ?? {};
  assert.match(String(at), /^\d{4}-.*Z$/);
  assert.deepEqual(by, { account_id: ada.accountId, name: 'Ada' });
  assert.deepEqual(
    stream.events.map(({ event }) => event).filter((event) => event !== 'state'),
    ['ack'],
  );
});

test('a stream of one group sends nothing of others', async () => {
  const { ada, groupId } = await ofOne();
  const other = await newGroup(ada, 'Other');
  using stream = await openStream(ada, { path: `/api/v1/groups/${groupId}/stream` });
  await stream.next('state');

  await post(other, 1);
  await post(groupId, 1);

  await stream.next('notification');
  // A state may come again at any time, of this group alone.
  const sent = stream.events.filter(({ event }) => event !== 'state');
  assert.deepEqual(
    sent.map(({ data }) => data['group_id']),
    [groupId],
  );
  assert.ok(!JSON.stringify(stream.events).includes(other));
});

test('who is let into a group while streaming hears of it from there on', async () => {
  const { ada, groupId } = await ofOne();
  const ben = await newPerson(booted, 'Ben');
  using stream = await openStream(ben);
  await stream.next('state');
  await post(groupId, 1);

  await store.write([
    sql`
      insert into members (group_id, account_id, role, joined_at, read_up_to)
      values (${groupId}, ${ben.accountId}, 'member', 1, 1)`,
    ...insertSignal({
      kind: 'membership',
      groupId,
      accountId: ben.accountId,
      detail: { change: 'joined' },
      at: Date.now(),
    }),
  ]);
  await post(groupId, 1);

  await stream.next('notification');
  const joined = await stream.next('membership');
  const state = await stream.next('state', 1);
  assert.deepEqual(joined.data, {
    group_id: groupId,
    account_id: ben.accountId,
    change: 'joined',
  });
  assert.deepEqual(stream.seqs(), [2]);
  assert.equal(state.data['groups']?.['0']?.['group_id'], groupId);
  assert.ok(ada.accountId !== ben.accountId);
});

test('the stream of a group ends within a second when the person is removed from it', async () => {
  const { groupId } = await ofOne();
  const ben = await newPerson(booted, 'Ben');
  await join(booted, { groupId, person: ben });
  using stream = await openStream(ben, { path: `/api/v1/groups/${groupId}/stream` });
  await stream.next('state');

  const begun = performance.now();
  await kicked(groupId, ben);
  await stream.ended();

  assert.ok(performance.now() - begun < stretchForLoad(WITHIN_MS));
  assert.equal(stream.events.at(-1)?.data['change'], 'removed');
});

test('the stream of all groups goes on without the one that the person was removed from', async () => {
  const { ada, groupId } = await ofOne();
  const ben = await newPerson(booted, 'Ben');
  const own = await newGroup(ben, 'Own');
  await join(booted, { groupId, person: ben });
  using stream = await openStream(ben);
  await stream.next('state');

  await kicked(groupId, ben);
  await post(groupId, 1);
  await post(own, 1);

  const sent = await stream.next('notification');
  assert.equal(sent.data['group_id'], own);
  assert.deepEqual(stream.seqs(), [1]);
  assert.ok(ada.accountId !== ben.accountId);
});

test('a stream ends within a second of its session', async () => {
  const { ada } = await ofOne();
  using stream = await openStream(ada);
  await stream.next('state');
  const tokenHash = sha256Hex(String(ada.headers['Cookie']).split('=')[1] ?? '');

  const begun = performance.now();
  await people.store.write(endSession({ accountId: ada.accountId, tokenHash }));
  await stream.ended();

  assert.ok(performance.now() - begun < stretchForLoad(WITHIN_MS));
});

test('a stream ends within a second of a read token that is revoked', async () => {
  const { ada } = await ofOne();
  const made = await ada.send('POST', '/api/v1/me/tokens', { name: 'Screen' });
  const headers = { Authorization: `Bearer ${String(made.json['token'])}` };
  using stream = await EventStream.open(booted.base, { headers });
  await stream.next('state');

  const begun = performance.now();
  const revoked = await ada.send('DELETE', `/api/v1/me/tokens/${String(made.json['id'])}`);
  await stream.ended();

  assert.equal(revoked.status < 300, true);
  assert.ok(performance.now() - begun < stretchForLoad(WITHIN_MS));
});

test('a cursor that retention has passed is reported, with where the group goes on', async () => {
  const { ada, groupId } = await ofOne();
  await post(groupId, 5);
  const cursor = await readPosition(groupId, 2);
  await store.write([
    sql`delete from notifications where group_id = ${groupId} and seq <= 3`,
    sql`
      update group_heads
      set pruned_seq = 3, pruned_position = ${await readPosition(groupId, 3)}
      where group_id = ${groupId}`,
  ]);

  using stream = await openStream(ada, { lastEventId: cursor });

  await stream.until(() => stream.seqs().length === 2);
  const reset = await stream.next('reset');
  assert.deepEqual(reset.data, { groups: [{ group_id: groupId, next_seq: 4 }] });
  assert.deepEqual(stream.seqs(), [4, 5]);
});

test('a cursor that was never given is reported, and the stream goes on from now', async () => {
  const { ada, groupId } = await ofOne();
  await post(groupId, 1);

  using stream = await openStream(ada, { lastEventId: 1_000_000_000 });
  const reset = await stream.next('reset');
  await post(groupId, 1);

  await stream.next('notification');
  assert.deepEqual(reset.data, { groups: [{ group_id: groupId, next_seq: 1 }] });
  assert.deepEqual(stream.seqs(), [2]);
});

test('a cursor of another form is refused', async () => {
  const { ada } = await ofOne();

  const byHeader = await booted.call('/api/v1/stream', {
    headers: { ...ada.headers, 'Last-Event-ID': 'x' },
  });
  const byQuery = await ada.get('/api/v1/stream?after=-1');

  assert.deepEqual(
    [byHeader, byQuery].map(({ status, json }) => [status, json['errors']?.['0']?.['pointer']]),
    [
      [422, 'header:last-event-id'],
      [422, 'query:after'],
    ],
  );
});

test('a stream of a group that one is not in is as one of a group that is not there', async () => {
  const { groupId } = await ofOne();
  const ben = await newPerson(booted, 'Ben');

  const foreign = await ben.get(`/api/v1/groups/${groupId}/stream`);
  const missing = await ben.get('/api/v1/groups/grp_000000000000/stream');

  assert.deepEqual([foreign.status, foreign.json['detail']], [404, missing.json['detail']]);
});

test('one stream more than a person may have is refused, until one of them ends', async () => {
  const { ada } = await ofOne();
  const streams = [await openStream(ada), await openStream(ada), await openStream(ada)];

  const refused = await ada.get('/api/v1/stream');
  streams[0]?.[Symbol.dispose]();
  let status = 429;
  while (status === 429) {
    using again = await openStream(ada);
    ({ status } = again);
  }

  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '15']);
  assert.equal(status, 200);
  for (const stream of streams) stream[Symbol.dispose]();
});

test('nobody streams without credentials, and HEAD is no stream', async () => {
  const { ada } = await ofOne();

  const nobody = await booted.call('/api/v1/stream');
  const head = await booted.call('/api/v1/stream', { method: 'HEAD', headers: ada.headers });

  assert.deepEqual([nobody.status, head.status], [401, 405]);
});
