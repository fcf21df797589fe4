// What devices are sent, and what they are not: read by a push service and browsers that decrypt it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPushService, verifySigner } from '@lothub/delivery/test/push-service';
import type { PushService } from '@lothub/delivery/test/push-service';
import { instantText } from '@lothub/kit/clock';
import { at } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { OPERATOR } from '../../src/groups/ownership.ts';
import { acknowledge } from '../../src/inbox/acknowledge.ts';
import { markRead } from '../../src/inbox/read-state.ts';
import { setQuietHours } from '../../src/devices/preferences.ts';
import { ensureVapidKeys } from '../../src/devices/vapid.ts';
import { redactNotification } from '../../src/duties/redact.ts';
import type { Severity } from '../../src/store/post.ts';
import { until } from '../delivery/outbox.ts';
import { postTo } from '../stored-group.ts';
import { CONTACT, listMessages, openPushing, type Pushing, type TestReader } from './pushing.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let pushing: Pushing;
let pushes: PushService;
/** By the path of the endpoint. */
const statuses = new Map<string, number>();

before(async () => {
  pushing = await openPushing();
  pushes = await startPushService((response, { path }) => {
    response.writeHead(statuses.get(path) ?? 201).end();
  });
});
after(async () => {
  await pushing[Symbol.asyncDispose]();
  await pushes[Symbol.asyncDispose]();
});

/** Moves the clock to the next noon in UTC: it never goes back. */
function toNoon(): number {
  const { clock } = pushing.outbox;
  clock.ms = Math.ceil(clock.ms / DAY_MS + 0.5) * DAY_MS - DAY_MS / 2;
  return clock.ms;
}

function post({ groupId }: TestReader, severity: Severity = 'info', title = 'Oven 3 is cold') {
  return pushing.outbox.post({ groupId, severity, title });
}

test('a notification arrives small and encrypted, with what finds it again and what is unread', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);

  const body = 'All ovens of hall 2. '.repeat(180);
  const posted = await pushing.outbox.store.post(
    postTo(reader.groupId, { severity: 'critical', body, dedupKey: 'oven-3', status: 'firing' }),
  );
  await sendUntil(reader, 'delivered');

  assert.ok(posted.kind === 'created');
  const [message] = listMessages(browser);
  const { request } = at(browser.messages(), 0);
  const { body: sent = '', tag, ...rest } = message ?? { tag: '' };
  assert.deepEqual(rest, {
    kind: 'created',
    title: 'Oven 3 is too hot',
    notification: {
      ...{ id: posted.id, group_id: reader.groupId, group: 'Bakery', seq: 1 },
      ...{ severity: 'critical', status: 'firing', created_at: instantText(posted.createdAt) },
    },
    unread: 1,
  });
  assert.ok(sent !== null && sent.endsWith('…') && body.startsWith(sent.slice(0, -1)));
  assert.ok(request.bytes.length < 2_048);
  const { topic, urgency, ttl } = request.headers;
  assert.deepEqual({ topic, urgency, ttl }, { topic: tag, urgency: 'high', ttl: '86400' });
  assert.ok(!request.bytes.includes('oven'));
  assert.ok(!String(topic).includes('oven'));
});

test('a push is signed with the key that the service keeps, for its push service', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);

  await post(reader);
  await sendUntil(reader, 'delivered');

  const { store, clock } = pushing.outbox;
  const { publicKey } = await ensureVapidKeys({ store, clock });
  const signer = await verifySigner(at(browser.messages(), 0).request);
  assert.equal(signer.publicKey, publicKey);
  assert.equal(signer.claims.aud, pushes.receiver.base);
  assert.equal(signer.claims.sub, CONTACT);
});

test('the urgency says what wakes a phone, and what is alone has no topic', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);

  for (const severity of ['info', 'warning', 'critical'] as const) {
    await post(reader, severity);
  }
  await sendUntil(reader, 'delivered', 3);

  const sent = browser.messages().map(({ request }) => request.headers);
  assert.deepEqual(sent.map(({ urgency }) => urgency).sort(), ['high', 'low', 'normal']);
  assert.deepEqual(
    sent.map(({ topic }) => topic),
    [undefined, undefined, undefined],
  );
});

test('a text of control characters, which JSON spells out, makes no message too long', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);

  const title = `A${'\u0001'.repeat(119)}`;
  await pushing.outbox.store.post(postTo(reader.groupId, { title, body: '\u0002'.repeat(4_000) }));
  await sendUntil(reader, 'delivered');

  assert.equal(listMessages(browser)[0]?.title, title);
});

/** Lets what waits be tried. */
async function sendUntil(reader: TestReader, status: 'delivered' | 'failed', count = 1) {
  await using worker = pushing.startWorker();
  await pushing.settled(reader, status, count);
  await worker.close();
}

async function countTries({ deviceId }: TestReader): Promise<number> {
  const [row] = await pushing.outbox.read(sql`
    select count(*) as tries
    from device_attempts a
    join device_deliveries d on d.id = a.delivery_id
    where d.device_id = ${deviceId}`);
  return Number(row?.['tries']);
}

async function write(statement: Sql): Promise<void> {
  await pushing.outbox.store.write([statement]);
}

interface Meanwhile {
  readonly what: string;
  readonly happens: (reader: TestReader, seq: number) => Promise<unknown>;
}

const ENDED: readonly Meanwhile[] = [
  {
    what: 'the person has read elsewhere',
    happens: ({ accountId, groupId }, seq) => markRead(pushing.outbox, { accountId, groupId }, seq),
  },
  {
    what: 'the person has acknowledged elsewhere',
    happens: ({ accountId, groupId }, seq) =>
      acknowledge(pushing.outbox, { person: { accountId, name: 'Ada' }, groupId, seq }),
  },
  {
    what: 'an owner has redacted',
    happens: ({ groupId }, seq) =>
      redactNotification(pushing.outbox, { actor: OPERATOR, groupId, seq }),
  },
  {
    what: 'is gone',
    happens: ({ groupId }) => write(sql`delete from notifications where group_id = ${groupId}`),
  },
  {
    what: 'is of a group that the person has left',
    happens: ({ accountId, groupId }) =>
      write(sql`
        delete from members
        where group_id = ${groupId}
          and account_id = ${accountId}`),
  },
  {
    what: 'is a day old',
    happens: () => {
      pushing.outbox.clock.ms += DAY_MS;
      return Promise.resolve();
    },
  },
];

for (const { what, happens } of ENDED) {
  test(`what ${what} before the try is not sent, and its delivery ends`, async () => {
    const browser = pushes.newBrowser();
    const reader = await pushing.newReader(browser);
    const { seq } = await post(reader, 'critical');

    await happens(reader, seq);
    await sendUntil(reader, 'failed');

    assert.equal(await countTries(reader), 0);
    assert.deepEqual(browser.messages(), []);
  });
}

test('in quiet hours nothing is sent but what is critical, and nothing of it later', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);
  toNoon();
  const hours = { from: '11:00', until: '13:00', time_zone: 'UTC', lets_critical: true };
  await setQuietHours(pushing.outbox, reader.accountId, hours);

  await post(reader, 'warning', 'held back');
  await post(reader, 'critical', 'let through');
  await sendUntil(reader, 'delivered');
  pushing.outbox.clock.ms += 2 * HOUR_MS;
  await post(reader, 'warning', 'after them');
  await sendUntil(reader, 'delivered', 2);

  assert.deepEqual(
    listMessages(browser).map(({ title }) => title),
    ['let through', 'after them'],
  );
});

test('quiet hours without an exception hold critical ones back, too, but not what is escalated', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);
  const noonMs = toNoon();
  const hours = { from: '11:00', until: '13:00', time_zone: 'UTC', lets_critical: false };
  await setQuietHours(pushing.outbox, reader.accountId, hours);
  const { id, seq } = await post(reader, 'critical');
  await write(sql`
    insert into device_deliveries
      (id, device_id, group_id, seq, kind, status, due_at, created_at)
    values (
      ${`esc_${id}_${reader.deviceId}`}, ${reader.deviceId}, ${reader.groupId}, ${seq},
      'escalated', 'pending', ${noonMs}, ${noonMs}
    )`);

  await sendUntil(reader, 'delivered');

  assert.deepEqual(
    listMessages(browser).map(({ kind }) => kind),
    ['escalated'],
  );
});

for (const gone of [404, 410]) {
  test(`a device whose push service answers ${gone} is removed with what waits for it`, async () => {
    const browser = pushes.newBrowser();
    const reader = await pushing.newReader(browser);
    statuses.set(new URL(browser.subscription.endpoint).pathname, gone);
    await post(reader);

    await using worker = pushing.startWorker();
    await until('the device is gone', async () => (await pushing.device(reader)) === undefined);
    await worker.close();

    assert.deepEqual(await pushing.deliveries(reader), []);
    const [entry] = await pushing.outbox.read(sql`
      select action, details
      from audit
      where subject = ${reader.deviceId}
        and action = 'device_removed'`);
    assert.match(String(entry?.['details']), new RegExp(String(gone)));
  });
}

test('what fails is tried again by the schedule of webhooks, and the device stays', async () => {
  const browser = pushes.newBrowser();
  const reader = await pushing.newReader(browser);
  const { pathname } = new URL(browser.subscription.endpoint);
  statuses.set(pathname, 503);
  await post(reader);
  await using worker = pushing.startWorker();
  await until('the first try has failed', async () => (await countTries(reader)) === 1);

  statuses.delete(pathname);
  pushing.advance(4_000);
  const [waiting] = await pushing.deliveries(reader);
  pushing.advance(2_000);
  await pushing.settled(reader, 'delivered');
  await worker.close();

  assert.equal(waiting?.['status'], 'pending');
  const [first, second] = listMessages(browser);
  assert.deepEqual(first?.notification, second?.notification);
  assert.equal((await pushing.device(reader))?.['status'], 'active');
});

test('a push service that hangs holds up nobody but its own devices', async () => {
  const release = Promise.withResolvers<void>();
  await using hanging = await startPushService(async (response) => {
    await release.promise;
    response.writeHead(201).end();
  });
  const slow = await Promise.all(
    Array.from({ length: 12 }, () => pushing.newReader(hanging.newBrowser())),
  );
  for (const reader of slow) for (let n = 0; n < 5; n += 1) await post(reader);
  await using worker = pushing.startWorker();
  await hanging.receiver.arrived(slow.length);

  const browser = pushes.newBrowser();
  const quick = await pushing.newReader(browser);
  for (let n = 0; n < 10; n += 1) await post(quick);
  await pushing.settled(quick, 'delivered', 10);

  assert.equal(hanging.receiver.open.now, hanging.receiver.received.length);
  release.resolve();
  await Promise.all(slow.map((reader) => pushing.settled(reader, 'delivered', 5)));
  await worker.close();
});
