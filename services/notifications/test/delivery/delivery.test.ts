// What is delivered, how often it is tried, and when no more.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { Webhook as Verifier } from 'standardwebhooks';
import {
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
} from '../../src/delivery/webhooks/webhooks.ts';
import { LOCAL_RULES, openOutbox, until, type Outbox } from './outbox.ts';
import { startReceiver, type Answering, type Received } from '@lothub/delivery/test/receiver';
import { storeWith } from '../store-with.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let outbox: Outbox;

before(async () => {
  outbox = await openOutbox();
  outbox.startWorker({ timeoutMs: 2_000 });
});

after(() => outbox[Symbol.asyncDispose]());

const answerWith =
  (...statuses: readonly number[]): Answering =>
  (response, _request, index) =>
    void response.writeHead(statuses[Math.min(index, statuses.length - 1)] ?? 500).end();

/** A webhook in a group of its own, and its receiver. */
async function newReceiver(answer: Answering = answerWith(204)) {
  const receiver = await startReceiver({ answer });
  const groupId = await outbox.newGroup();
  const webhook = await outbox.newWebhook(`${receiver.base}/hook`, { groupId });
  return {
    receiver,
    groupId,
    webhook,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

function listIds(received: readonly Received[]): readonly unknown[] {
  return received.map(({ headers }) => headers['webhook-id']);
}

test('a notification arrives signed, as REST shows it, and is on record', async () => {
  await using to = await newReceiver();
  const { receiver, groupId, webhook } = to;

  const posted = await outbox.post({ groupId, title: 'Ofen 3 ist kalt ☃', severity: 'critical' });
  await outbox.settled(webhook, 'delivered');

  const [request] = receiver.received;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /hook');
  assert.equal(request?.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(request?.headers['webhook-id'], `msg_${posted.id}_${webhook.id}`);
  const headers = request?.headers as Record<string, string>;
  const payload: unknown = new Verifier(webhook.secret ?? '').verify(
    String(request?.body),
    headers,
  );
  const createdAt = new Date(posted.createdAt).toISOString();
  assert.deepEqual(payload, {
    type: 'notification.created',
    timestamp: createdAt,
    data: {
      id: posted.id,
      group_id: groupId,
      seq: 1,
      command: 'notify',
      title: 'Ofen 3 ist kalt ☃',
      body: null,
      severity: 'critical',
      created_at: createdAt,
      sender: { kind: 'person', id: outbox.actor.accountId, name: 'Ada' },
    },
  });
  const attempts = await outbox.attempts(`msg_${posted.id}_${webhook.id}`);
  assert.equal(attempts.length, 1);
  assert.equal(attempts[0]?.['http_status'], 204);
  assert.equal(attempts[0]?.['error'], null);
});

test('a webhook gets what is of its severity or above', async () => {
  await using receiver = await startReceiver();
  const groupId = await outbox.newGroup();
  const webhook = await outbox.newWebhook(receiver.base, { groupId, minSeverity: 'warning' });

  for (const severity of ['info', 'warning', 'critical'] as const) {
    await outbox.post({ groupId, severity });
  }
  await outbox.settled(webhook, 'delivered', 2);

  const seqs = (await outbox.deliveries(webhook)).map(({ seq }) => seq);
  assert.deepEqual(seqs, [2, 3]);
});

test('deliveries wait until a burst of posts is over, and no longer than a second', async () => {
  await using alone = await openOutbox();
  await using receiver = await startReceiver({ answer: answerWith(204) });
  await alone.newWebhook(receiver.base);
  await alone.post();
  const startedMs = performance.now();

  alone.startWorker({ store: storeWith(alone.store, { isBurst: () => true }) });
  await receiver.arrived(1);

  const waitedMs = performance.now() - startedMs;
  assert.ok(waitedMs >= 1_000, `${waitedMs} ms`);
});

test('what fails is tried by the schedule, with one id and one body, and then no more', async () => {
  await using to = await newReceiver(answerWith(500));
  const { receiver, groupId, webhook } = to;
  const startedMs = outbox.clock.ms;

  await outbox.post({ groupId });
  for (let tries = 1; tries <= 13; tries += 1) {
    await outbox.tried(webhook, tries);
    const [delivery] = await outbox.deliveries(webhook);
    if (tries < 13) outbox.advance(Number(delivery?.['due_at']) - outbox.clock.ms);
  }

  const [delivery] = await outbox.deliveries(webhook);
  assert.equal(delivery?.['status'], 'failed');
  assert.equal(new Set(listIds(receiver.received)).size, 1);
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  const days = (outbox.clock.ms - startedMs) / DAY_MS;
  assert.ok(days > 2.5 && days < 3.5, `${days} days`);
  // Each try is signed with its own time.
  const last = receiver.received.at(-1);
  const sentAt = Number(last?.headers['webhook-timestamp']);
  assert.equal(sentAt, Math.floor(outbox.clock.ms / 1_000));
  const signature = new Verifier(webhook.secret ?? '').sign(
    String(last?.headers['webhook-id']),
    new Date(sentAt * 1_000),
    String(last?.body),
  );
  assert.equal(last?.headers['webhook-signature'], signature);
});

test('a delivery is not tried before it is due, and a success ends it', async () => {
  await using to = await newReceiver(answerWith(503, 200));
  const { receiver, groupId, webhook } = to;

  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);
  const [waiting] = await outbox.deliveries(webhook);
  outbox.advance(4_999);
  // Another notification goes its way meanwhile, so the worker has looked.
  await using other = await newReceiver();
  await outbox.post({ groupId: other.groupId });
  await outbox.settled(other.webhook, 'delivered');
  const before5s = receiver.received.length;
  outbox.advance(1);
  await outbox.settled(webhook, 'delivered');

  assert.equal(waiting?.['status'], 'pending');
  assert.equal(before5s, 1);
  assert.equal(receiver.received.length, 2);
  assert.equal((await outbox.webhook(webhook))?.['failures'], 0);
});

test('a retry behind a delivery that is due is made at its time, although nothing else happens', async () => {
  await using alone = await openOutbox();
  alone.startWorker({ store: storeWith(alone.store, { onCommit: () => () => undefined }) });
  await using receiver = await startReceiver({ answer: answerWith(503, 204) });
  const webhook = await alone.newWebhook(`${receiver.base}/hook`);
  await alone.post();
  alone.advance(0);
  await alone.tried(webhook, 1);
  // A receiver that fails has one place; after a success it has several.
  for (const delivered of [1, 2]) {
    await alone.post();
    alone.advance(0);
    await alone.settled(webhook, 'delivered', delivered);
  }

  // Nobody wakes the worker.
  alone.clock.ms += HOUR_MS;
  await alone.settled(webhook, 'delivered', 3);

  assert.equal(receiver.received.length, 4);
});

test('a receiver that asks for more time gets it', async () => {
  await using to = await newReceiver(
    (response) => void response.writeHead(429, { 'retry-after': '90' }).end(),
  );
  const { groupId, webhook } = to;

  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);

  const [delivery] = await outbox.deliveries(webhook);
  assert.equal(Number(delivery?.['due_at']) - outbox.clock.ms, 90_000);
});

test('a redirect is a failed try, and the log says why', async () => {
  await using target = await startReceiver();
  await using to = await newReceiver(
    (response) => void response.writeHead(302, { location: target.base }).end(),
  );
  const { groupId, webhook } = to;

  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);

  const [delivery] = await outbox.deliveries(webhook);
  const [attempt] = await outbox.attempts(String(delivery?.['id']));
  assert.equal(delivery?.['status'], 'pending');
  assert.equal(attempt?.['http_status'], 302);
  assert.equal(attempt?.['error'], 'Redirects are not followed');
  assert.equal(target.received.length, 0);
});

test('410 disables the webhook with an audit entry, and ends what it still has', async () => {
  await using to = await newReceiver(answerWith(500, 410));
  const { receiver, groupId, webhook } = to;

  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);
  await outbox.post({ groupId });
  await outbox.settled(webhook, 'failed', 2);
  await outbox.post({ groupId });

  const state = await outbox.webhook(webhook);
  assert.equal(state?.['status'], 'disabled');
  assert.equal(state?.['disabled_reason'], 'The receiver answered 410 Gone');
  assert.equal((await outbox.deliveries(webhook)).length, 2);
  assert.equal(receiver.received.length, 2);
  const audit = await outbox.read(sql`
    select actor, account_id, subject
    from audit
    where group_id = ${groupId}
      and action = 'webhook_disabled'`);
  assert.deepEqual(
    audit.map((row) => ({ ...row })),
    [{ actor: 'service', account_id: null, subject: webhook.id }],
  );
});

test('a webhook that accepts nothing for three days is disabled', async () => {
  await using to = await newReceiver(answerWith(500));
  const { groupId, webhook } = to;

  await outbox.post({ groupId });
  await outbox.post({ groupId });
  await outbox.tried(webhook, 2);
  for (let tries = 2; ; tries += 1) {
    await outbox.tried(webhook, tries);
    const pending = (await outbox.deliveries(webhook)).filter(({ status }) => status === 'pending');
    if (pending.length === 0) break;
    const due = Math.min(...pending.map((row) => Number(row['due_at'])));
    outbox.advance(Math.max(0, due - outbox.clock.ms));
  }
  // All 26 tries came to their end within 3 days: it is not disabled yet.
  const before3Days = (await outbox.webhook(webhook))?.['status'];
  outbox.advance(DAY_MS);
  await outbox.post({ groupId });
  await until(
    'it is disabled',
    async () => (await outbox.webhook(webhook))?.['status'] !== 'active',
  );

  const state = await outbox.webhook(webhook);
  assert.equal(before3Days, 'active');
  assert.equal(state?.['status'], 'disabled');
  assert.equal(state?.['disabled_reason'], 'The receiver has accepted nothing for 3 days');
});

test('a webhook for which too many deliveries wait is disabled, and they end', async () => {
  await using alone = await openOutbox();
  alone.startWorker({ pendingMax: 2 });
  await using receiver = await startReceiver();
  const webhook = await alone.newWebhook(receiver.base);
  const later = alone.clock.ms + HOUR_MS;
  // Every hundredth notification is an occasion to look.
  await alone.store.write([
    sql`update group_heads set head_seq = 99 where group_id = ${alone.groupId}`,
    ...[97, 98, 99].map(
      (seq) => sql`
        insert into deliveries (id, webhook_id, group_id, seq, status, due_at, created_at)
        values (${`msg_${seq}`}, ${webhook.id}, ${alone.groupId}, ${seq}, 'pending', ${later}, 0)`,
    ),
  ]);

  await alone.post();
  await alone.settled(webhook, 'failed', 3);

  const state = await alone.webhook(webhook);
  assert.equal(state?.['status'], 'disabled');
  assert.equal(state?.['disabled_reason'], 'More than 2 deliveries were waiting');
  assert.equal(receiver.received.length, 1);
});

test('a receiver that says nothing is recognised by its time-out', async () => {
  await using alone = await openOutbox();
  alone.startWorker({ timeoutMs: 50 });
  await using receiver = await startReceiver({ answer: () => undefined });
  const webhook = await alone.newWebhook(receiver.base);

  await alone.post();
  await alone.tried(webhook, 1);

  const [delivery] = await alone.deliveries(webhook);
  const [attempt] = await alone.attempts(String(delivery?.['id']));
  assert.equal(attempt?.['http_status'], null);
  assert.equal(attempt?.['error'], 'There was no answer in time');
  assert.ok(Number(attempt?.['took_ms']) >= 50);
});

test('a name that stands for a private address is not reached, and the log says so', async () => {
  await using alone = await openOutbox();
  alone.startWorker({ resolve: async () => [{ address: '10.0.0.1', family: 4 }] });
  const webhook = await alone.newWebhook('https://receiver.example/');

  await alone.post();
  await alone.tried(webhook, 1);

  const [delivery] = await alone.deliveries(webhook);
  const [attempt] = await alone.attempts(String(delivery?.['id']));
  assert.equal(delivery?.['status'], 'pending');
  assert.match(String(attempt?.['error']), /^The address is not public/);
});

test('a receiver that stops answering gets few requests at a time and holds up nobody', async () => {
  const release = Promise.withResolvers<void>();
  await using slow = await newReceiver(async (response, _request, index) => {
    if (index > 0) await release.promise;
    response.writeHead(204).end();
  });
  await using quick = await newReceiver();
  await outbox.post({ groupId: slow.groupId });
  await outbox.settled(slow.webhook, 'delivered', 1);
  for (let count = 0; count < 20; count += 1) await outbox.post({ groupId: slow.groupId });
  await slow.receiver.arrived(9);

  for (let count = 0; count < 20; count += 1) await outbox.post({ groupId: quick.groupId });
  await outbox.settled(quick.webhook, 'delivered', 20);
  const openMeanwhile = slow.receiver.open.now;
  release.resolve();
  await outbox.settled(slow.webhook, 'delivered', 21);

  assert.equal(openMeanwhile, 8);
  assert.equal(slow.receiver.open.most, 8);
});

test('a receiver that fails gets one request at a time until one succeeds', async () => {
  const release = Promise.withResolvers<void>();
  await using to = await newReceiver(async (response, _request, index) => {
    if (index > 0) await release.promise;
    response.writeHead(index === 0 ? 500 : 204).end();
  });
  const { receiver, groupId, webhook } = to;
  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);

  for (let count = 0; count < 5; count += 1) await outbox.post({ groupId });
  await receiver.arrived(2);
  await using other = await newReceiver();
  await outbox.post({ groupId: other.groupId });
  await outbox.settled(other.webhook, 'delivered');
  const openMeanwhile = receiver.open.now;
  release.resolve();
  await outbox.settled(webhook, 'delivered', 5);

  assert.equal(openMeanwhile, 1);
});

test('after a rotation both secrets sign for a day, and then the new one alone', async () => {
  await using to = await newReceiver();
  const { receiver, groupId, webhook } = to;

  const rotated = await rotateWebhookSecret(outbox, outbox.owned(webhook));
  await outbox.post({ groupId });
  await outbox.settled(webhook, 'delivered', 1);
  outbox.advance(DAY_MS);
  await outbox.post({ groupId });
  await outbox.settled(webhook, 'delivered', 2);

  const signatures = receiver.received.map(({ headers, body }) => {
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const id = String(headers['webhook-id']);
    return [rotated.secret, webhook.secret].map((secret) =>
      String(headers['webhook-signature'])
        .split(' ')
        .includes(new Verifier(secret ?? '').sign(id, sentAt, body)),
    );
  });
  assert.deepEqual(signatures, [
    [true, true],
    [true, false],
  ]);
});

test('a paused webhook ends what it still has and gets nothing, until it is active again', async () => {
  await using to = await newReceiver(answerWith(500, 204));
  const { receiver, groupId, webhook } = to;
  const deps = { ...outbox, addresses: LOCAL_RULES };
  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);

  await changeWebhook(deps, outbox.owned(webhook), { status: 'paused' });
  await outbox.settled(webhook, 'failed');
  await outbox.post({ groupId });
  await changeWebhook(deps, outbox.owned(webhook), { status: 'active' });
  await outbox.post({ groupId });
  await outbox.settled(webhook, 'delivered');

  const rows = await outbox.deliveries(webhook);
  assert.deepEqual(
    rows.map(({ seq, status }) => [seq, status]),
    [
      [1, 'failed'],
      [3, 'delivered'],
    ],
  );
  assert.equal(receiver.received.length, 2);
});

test('a deleted webhook goes with its deliveries and their tries', async () => {
  await using to = await newReceiver(answerWith(500));
  const { groupId, webhook } = to;
  await outbox.post({ groupId });
  await outbox.tried(webhook, 1);
  const [delivery] = await outbox.deliveries(webhook);

  await deleteWebhook(outbox, outbox.owned(webhook));
  await until('it is gone', async () => (await outbox.webhook(webhook)) === undefined);

  assert.deepEqual(await outbox.deliveries(webhook), []);
  assert.deepEqual(await outbox.attempts(String(delivery?.['id'])), []);
});

test('a delivery that is sent anew keeps its id and gets all its tries again', async () => {
  await using to = await newReceiver(answerWith(204, 500));
  const { receiver, groupId, webhook } = to;
  await outbox.post({ groupId });
  await outbox.settled(webhook, 'delivered');
  const [{ id } = {}] = await outbox.deliveries(webhook);

  await outbox.replay(webhook, String(id));
  await outbox.tried(webhook, 2);

  const [delivery] = await outbox.deliveries(webhook);
  assert.equal(delivery?.['status'], 'pending');
  assert.equal(Number(delivery?.['due_at']) - outbox.clock.ms, 5_000);
  assert.deepEqual(
    (await outbox.attempts(String(id))).map((row) => row['http_status']),
    [204, 500],
  );
  assert.equal(new Set(listIds(receiver.received)).size, 1);
});
