// The optional fields of docs/interface/notifications.md#ingest: `url`, `dedup_key`, `status`. They arrive
// wherever a notification is shown, and change nothing for senders that do not know them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { startReceiver } from '@lothub/delivery/test/receiver';
import sql from 'sql-template-tag';
import { boot, type Json } from '../boot.ts';
import { newGroup, newPerson } from '../people/person.ts';
import { formatCode, INGEST, listFields, newPoster } from '../posting.ts';
import { EventStream } from '../stream/event-stream.ts';

const booted = await boot({ env: { NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1' } });
after(() => booted[Symbol.asyncDispose]());

const SAID = {
  url: 'https://monitoring.example.com/alerts/oven-3?tab=history#now',
  dedup_key: 'oven 3 · Überhitzung',
  status: 'firing',
};

function pickMembers(json: Json | undefined): Readonly<Record<string, unknown>> {
  const { url, dedup_key, status } = json ?? {};
  return { url, dedup_key, status };
}

test('what was said is in the answer, the list, the stream and the payload of webhooks', async () => {
  await using receiver = await startReceiver();
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const webhook = { name: 'Incident tool', url: `${receiver.base}/hook` };
  const made = await ada.send('POST', `/api/v1/groups/${groupId}/webhooks`, webhook);
  assert.equal(made.status, 201, made.text);
  const issued = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Ovens' });
  using live = await EventStream.open(booted.base, { headers: ada.headers });
  await live.next('state');

  const posted = await booted.send({
    method: 'POST',
    path: INGEST,
    headers: { 'X-Api-Key': String(issued.json['key']) },
    body: { title: 'Oven 3 is too hot', severity: 'critical', ...SAID },
  });

  const list = await ada.get(`/api/v1/groups/${groupId}/notifications`);
  const all = await ada.get('/api/v1/notifications');
  const streamed = await live.next('notification');
  using later = await EventStream.open(booted.base, {
    headers: ada.headers,
    lastEventId: Number(posted.json['id']) - 1,
  });
  const caughtUp = await later.next('notification');
  await receiver.arrived(1);
  const payload = JSON.parse(String(receiver.received[0]?.body)) as Json;
  const shown = [
    posted.json,
    list.json['items']?.[0],
    all.json['items']?.[0],
    streamed.data,
    caughtUp.data,
    payload['data'],
  ];
  assert.deepEqual(
    shown.map(pickMembers),
    shown.map(() => SAID),
  );
});

test('what was not said is absent wherever a notification is shown', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const issued = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, { name: 'Ovens' });

  const posted = await booted.send({
    method: 'POST',
    path: INGEST,
    headers: { 'X-Api-Key': String(issued.json['key']) },
    body: { title: 'A' },
  });

  const list = await ada.get(`/api/v1/groups/${groupId}/notifications`);
  assert.deepEqual(Object.keys(posted.json), [
    ...['id', 'group_id', 'seq', 'command', 'title', 'body', 'severity', 'created_at'],
  ]);
  assert.deepEqual(Object.keys(list.json['items']?.[0] ?? {}), [
    ...['id', 'group_id', 'seq', 'command', 'title', 'body', 'severity', 'created_at'],
    ...['sender', 'acknowledged', 'read'],
  ]);
});

for (const [what, said] of [
  ['a link of 2,000 characters', { url: `https://a.example/${'x'.repeat(1_982)}` }],
  ['a link in capitals', { url: 'HTTP://EXAMPLE.COM' }],
  ['a link to an address, with a port', { url: 'http://[2001:db8::1]:8080/' }],
  ['a link with characters of other scripts', { url: 'https://bäckerei.example/öfen?q=ß' }],
  ['a key of 255 code points', { dedup_key: '\u{1F525}'.repeat(255) }],
  ['a key with white space around it', { dedup_key: ' a ' }],
  ['a key that is resolved', { dedup_key: 'a', status: 'resolved' }],
] as const) {
  test(`${what} is taken and given as it is`, async () => {
    const { post } = await newPoster(booted);

    const answer = await post({ title: 'A', ...said });

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(pickMembers(answer.json), {
      url: undefined,
      dedup_key: undefined,
      status: undefined,
      ...said,
    });
  });
}

for (const [what, said, wrong] of [
  ['an empty link', { url: '' }, ['/url wrong_form']],
  [
    'a link of 2,001 characters',
    { url: `https://a.example/${'x'.repeat(1_983)}` },
    ['/url too_long 2000 2001'],
  ],
  ['a link to a script', { url: 'javascript:alert(1)' }, ['/url wrong_form']],
  ['a link that is a path', { url: '/alerts/1' }, ['/url wrong_form']],
  ['a link without slashes', { url: 'https:example.com' }, ['/url wrong_form']],
  ['a link with a user name', { url: 'https://ada@example.com/' }, ['/url wrong_form']],
  ['a link with a password', { url: 'https://:secret@example.com/' }, ['/url wrong_form']],
  ['a link with a line break', { url: 'https://example.com/\na' }, ['/url wrong_form']],
  ['a link with a space before it', { url: ' https://example.com/' }, ['/url wrong_form']],
  ['a link with NUL', { url: 'https://example.com/\0' }, ['/url wrong_form']],
  ['a link with a lone surrogate', { url: 'https://example.com/\ud800' }, ['/url wrong_form']],
  ['a link that is null', { url: null }, ['/url wrong_type string null']],
  ['an empty key', { dedup_key: '' }, ['/dedup_key too_short 1 0']],
  ['a key that shows nothing', { dedup_key: '\u200b \t' }, ['/dedup_key blank']],
  ['a key with NUL', { dedup_key: 'a\0' }, ['/dedup_key text_refused']],
  [
    'a key of 256 code points',
    { dedup_key: '\u{1F525}'.repeat(256) },
    ['/dedup_key too_long 255 256'],
  ],
  ['a key that is a number', { dedup_key: 5 }, ['/dedup_key wrong_type string number']],
  ['a status alone', { status: 'firing' }, ['/dedup_key required']],
  ['another status', { dedup_key: 'a', status: 'Firing' }, ['/status not_one_of firing, resolved']],
  [
    'all of it',
    { url: 5, dedup_key: '', status: '' },
    [
      '/dedup_key too_short 1 0',
      '/status not_one_of firing, resolved',
      '/url wrong_type string number',
    ],
  ],
] as const) {
  test(`${what} is refused`, async () => {
    const { post, stored } = await newPoster(booted);

    const answer = await post({ title: 'A', ...said });

    assert.equal(formatCode(answer), '422 fields_invalid');
    assert.deepEqual(listFields(answer), wrong);
    assert.deepEqual(await stored(), []);
  });
}

for (const said of [
  { url: 'https://example.com/' },
  { dedup_key: 'a' },
  { dedup_key: 'a', status: 'firing' },
]) {
  const names = Object.keys(said).join(' and ');
  test(`under one Idempotency-Key, the same with ${names} is a repeat, and without it other content`, async () => {
    const { post, stored } = await newPoster(booted);
    const headers = { 'Idempotency-Key': 'alert-1' };
    const first = await post({ title: 'A', ...said }, headers);

    const again = await post({ title: 'A', ...said }, headers);
    const without = await post({ title: 'A' }, headers);

    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(formatCode(without), '422 idempotency_mismatch');
    assert.equal((await stored()).length, 1);
  });
}

test('a post that was remembered before these members were known is still a repeat', async () => {
  const { groupId, post, stored } = await newPoster(booted);
  const asBefore = createHash('sha256').update('["A","B","warning"]').digest('hex');
  await booted.service.store.write([
    sql`
      insert into idempotency_keys
        (group_id, idempotency_key, content_hash, notification_id, seq, created_at)
      values (${groupId}, 'backup-1', ${asBefore}, 7, 3, ${Date.now()})`,
  ]);

  const answer = await post(
    { title: 'A', body: 'B', severity: 'warning' },
    { 'Idempotency-Key': 'backup-1' },
  );

  assert.deepEqual([answer.status, answer.json['seq']], [201, 3]);
  assert.equal(answer.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(await stored(), []);
});
