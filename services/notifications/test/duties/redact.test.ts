// Taking the texts of a notification away: what is gone, where, and what stays in its place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import sql from 'sql-template-tag';
import { databaseFile } from '../../src/store/sqlite/store.ts';
import { boot } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { join, newGroup, newPerson, type TestPerson } from '../people/person.ts';
import { insertNewKey } from '../posting.ts';
import { storeWebhook } from '../stored-group.ts';
import { EventStream } from '../stream/event-stream.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { store } = booted.service;

const SECRET = 'xylophone4711';
const TEXTS = {
  title: `Patient ${SECRET}`,
  body: `Lives in ${SECRET} Street`,
  severity: 'critical',
};

interface Ground {
  readonly ada: TestPerson;
  readonly groupId: string;
  readonly path: string;
  readonly post: (texts?: object, idempotencyKey?: string) => ReturnType<typeof booted.send>;
  readonly redact: (seq: number) => ReturnType<TestPerson['send']>;
}

async function newGround(): Promise<Ground> {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  const { key } = await insertNewKey(booted, groupId);
  const path = `/api/v1/groups/${groupId}/notifications`;
  return {
    ada,
    groupId,
    path,
    post: (texts = TEXTS, idempotencyKey) =>
      booted.send({
        method: 'POST',
        path: '/api/v1/ingest',
        body: texts,
        headers: {
          'X-Api-Key': key,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
      }),
    redact: (seq) => ada.send('POST', `${path}/${seq}/redact`),
  };
}

test('its texts are in no answer any more, and its place, severity, sender and time are as before', async () => {
  const { ada, path, post, redact } = await newGround();
  await post();
  await post({ title: 'Next' });
  const before = await ada.get(`${path}/1`);

  const redacted = await redact(1);

  const found = await ada.get(`${path}?q=${SECRET}`);
  const list = await ada.get(path);
  assert.equal(redacted.status, 200);
  assert.deepEqual(Object.values(found.json['items'] ?? {}), []);
  assert.ok(!list.text.includes(SECRET));
  assert.deepEqual(
    ['id', 'seq', 'severity', 'created_at', 'sender'].map((name) => redacted.json[name]),
    ['id', 'seq', 'severity', 'created_at', 'sender'].map((name) => before.json[name]),
  );
  assert.equal(redacted.json['title'], 'Text removed');
  assert.equal(redacted.json['body'], null);
});

test('open streams hear of it, and a reader that is behind hears the notification without its texts', async () => {
  const { ada, groupId, post, redact } = await newGround();
  const path = `/api/v1/groups/${groupId}/stream`;
  using live = await EventStream.open(booted.base, { path, headers: ada.headers });
  await live.next('state');
  const before = live.position;
  await post();
  await live.next('notification');

  await redact(1);

  const signal = await live.next('redacted');
  assert.equal(signal.data['seq'], 1);
  using behind = await EventStream.open(booted.base, {
    path,
    headers: ada.headers,
    lastEventId: before,
  });
  const heard = await behind.next('notification');
  assert.equal(heard.data['title'], 'Text removed');
  await behind.next('redacted');
  assert.ok(!JSON.stringify(behind.events).includes(SECRET));
});

test('a request that is repeated with its key is answered without texts, whatever it says', async () => {
  const { post, redact } = await newGround();
  const first = await post(TEXTS, 'once');
  await redact(1);

  const again = await post(TEXTS, 'once');
  const other = await post({ title: 'Something else' }, 'once');

  assert.equal(again.status, 201);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual([again.json['id'], again.json['seq']], [first.json['id'], 1]);
  assert.ok(!again.text.includes(SECRET));
  assert.equal(other.json['title'], 'Text removed');
});

test('what is still to be sent to a webhook is not sent any more', async () => {
  const { ada, groupId, post, redact } = await newGround();
  await storeWebhook(store, {
    groupId,
    createdBy: ada.accountId,
    minSeverity: 'info',
    status: 'active',
  });
  await post();
  // Its receiver fails: the delivery waits for its next try.
  await store.write([
    sql`update webhooks set url = 'https://127.0.0.1/' where group_id = ${groupId}`,
  ]);

  await redact(1);

  const rows = await booted.database.rows(
    'select status from deliveries where group_id = ?',
    groupId,
  );
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['failed'],
  );
});

test('the comment of an acknowledgement goes with the texts, also out of what streams send', async () => {
  const { ada, groupId, path, post, redact } = await newGround();
  await post();
  await ada.send('PUT', `${path}/1/ack`);
  await store.write([
    sql`update acknowledgements set comment = ${SECRET} where group_id = ${groupId}`,
    sql`
      update signals
      set detail = ${JSON.stringify({ seq: 1, name: 'Ada', comment: SECRET })}
      where group_id = ${groupId} and kind = 'ack'`,
  ]);

  await redact(1);

  const rows = await booted.database.rows(
    `select a.comment, s.detail
    from acknowledgements a
    join signals s on s.group_id = a.group_id and s.kind = 'ack'
    where a.group_id = ?`,
    groupId,
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ comment: null, detail: JSON.stringify({ seq: 1, name: 'Ada' }) }],
  );
});

test('only an owner may, a second time changes nothing, and the audit says it without the texts', async () => {
  const { ada, groupId, path, post, redact } = await newGround();
  const grace = await newPerson(booted, 'Grace');
  await join(booted, { groupId, person: grace });
  await post();

  const refused = await grace.send('POST', `${path}/1/redact`);
  const none = await redact(2);
  await redact(1);
  await redact(1);

  const audit = await ada.get(`/api/v1/groups/${groupId}/audit`);
  const actions = Object.values(audit.json['items'] ?? {}).map(({ action }) => String(action));
  assert.deepEqual([refused.status, refused.json['code']], [403, 'owner_only']);
  assert.deepEqual([none.status, none.json['code']], [404, 'not_found']);
  assert.equal(actions.filter((action) => action === 'notification_redacted').length, 1);
  assert.ok(!audit.text.includes(SECRET));
});

test('once the bytes are overwritten no file of the embedded database holds the texts', async (context) => {
  if (testEngine !== 'sqlite')
    return context.diagnostic('PostgreSQL keeps dead rows until its vacuum');
  const word = 'zweihandschwert';
  const { groupId, post, redact } = await newGround();
  for (let count = 0; count < 60; count += 1) {
    await post({ title: `${word} ${count}`, body: `${word} `.repeat(count * 4) });
  }
  for (let seq = 60; seq > 0; seq -= 1) await redact(seq);
  const file = databaseFile(booted.database.dataDir);
  const holds = (): boolean =>
    [file, `${file}-wal`].some((one) => readFileSync(one).includes(word));

  const before = holds();
  const isSettled = await store.erasedBytes?.settle();

  assert.deepEqual([before, isSettled, holds()], [true, true, false]);
  const [row] = await booted.database.rows(
    'select count(*) as count from notifications where group_id = ?',
    groupId,
  );
  assert.equal(row?.['count'], 60);
});
