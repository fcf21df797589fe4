// What a push service and a browser find in a message: read with http_ece and jose, which know nothing of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { at, present } from '@lothub/kit/present';
import { startPushService, verifySigner, type PushService } from '../../test/push-service.ts';
import { AddressRules } from '../sending/address-rules.ts';
import { newSender } from '../sending/send.ts';
import { PUSH_BYTES_MAX, newPushSender, type PushOptions, type PushSend } from './push-sender.ts';
import { canEncryptFor } from './subscription.ts';
import { newVapidKeys } from './vapid-keys.ts';

const CONTACT = 'mailto:operator@example.com';
const KEYS = newVapidKeys();
const OPTIONS: PushOptions = {
  urgency: 'high',
  topic: 'oven-3',
  ttlSeconds: 600,
  signal: new AbortController().signal,
};

let pushes: PushService;
let status = 201;
let nowMs = systemClock.nowMs();

before(async () => {
  pushes = await startPushService((response) => void response.writeHead(status).end());
});
after(() => pushes[Symbol.asyncDispose]());

function newPush(rules = new AddressRules(['127.0.0.1'])): PushSend {
  const send = newSender({ rules });
  return newPushSender({ send, keys: KEYS, contact: CONTACT, clock: { nowMs: () => nowMs } });
}

test('a browser decrypts what was sent, and the push service reads how to keep it', async () => {
  const browser = pushes.newBrowser();

  const result = await newPush()(browser.subscription, 'Grüße 🔥', OPTIONS);

  const { payload, request } = at(browser.messages(), 0);
  const { ttl, urgency, topic } = request.headers;
  assert.deepEqual(result, { kind: 'answered', status: 201, retryAfter: undefined });
  assert.equal(payload, 'Grüße 🔥');
  assert.deepEqual({ ttl, urgency, topic }, { ttl: '600', urgency: 'high', topic: 'oven-3' });
});

test('what is sent is signed for its push service with the key that browsers subscribe with', async () => {
  const browser = pushes.newBrowser();

  await newPush()(browser.subscription, 'x', OPTIONS);

  const { claims, publicKey } = await verifySigner(at(browser.messages(), 0).request);
  assert.equal(publicKey, KEYS.publicKey);
  assert.equal(claims.aud, pushes.receiver.base);
  assert.equal(claims.sub, CONTACT);
});

test('a signature is used again for hours, and never until it ends', async () => {
  const browser = pushes.newBrowser();
  const push = newPush();
  const startMs = nowMs;
  const HOUR_MS = 3_600_000;

  for (const hours of [0, 5, 7]) {
    nowMs = startMs + hours * HOUR_MS;
    await push(browser.subscription, 'x', OPTIONS);
  }

  const [first, later, last] = browser.messages().map(({ request }) => request);
  const ends = (await verifySigner(present(last, 'the last message'))).claims.exp ?? 0;
  nowMs = startMs;
  assert.equal(first?.headers.authorization, later?.headers.authorization);
  assert.notEqual(later?.headers.authorization, last?.headers.authorization);
  assert.ok(ends * 1_000 > startMs + 18 * HOUR_MS);
});

for (const gone of [404, 410]) {
  test(`${gone} means that the subscription has ended`, async () => {
    status = gone;

    const result = await newPush()(pushes.newBrowser().subscription, 'x', OPTIONS);

    status = 201;
    assert.equal(result.kind, 'gone');
    assert.equal('status' in result && result.status, gone);
  });
}

test('another refusal is an answer as of any receiver', async () => {
  status = 429;

  const result = await newPush()(pushes.newBrowser().subscription, 'x', OPTIONS);

  status = 201;
  assert.deepEqual(result, { kind: 'answered', status: 429, retryAfter: undefined });
});

test('an endpoint at an address that is not public is not reached', async () => {
  const browser = pushes.newBrowser();

  const result = await newPush(new AddressRules([]))(browser.subscription, 'x', OPTIONS);

  assert.deepEqual(result, { kind: 'unanswered', error: 'address_refused' });
  assert.deepEqual(browser.messages(), []);
});

test('a message that is too long is refused before it is sent', async () => {
  const browser = pushes.newBrowser();

  await assert.rejects(
    newPush()(browser.subscription, 'x'.repeat(PUSH_BYTES_MAX + 1), OPTIONS),
    RangeError,
  );

  assert.deepEqual(browser.messages(), []);
});

test('only keys that messages can be encrypted with are taken', () => {
  const { p256dh, auth } = pushes.newBrowser().subscription;
  const short = Buffer.from(p256dh, 'base64url').subarray(1).toString('base64url');
  const offCurve = Buffer.from(p256dh, 'base64url').fill(7, 1).toString('base64url');

  const verdicts = [
    { p256dh, auth },
    { p256dh: short, auth },
    { p256dh: offCurve, auth },
    { p256dh, auth: 'AAAA' },
    { p256dh: `${p256dh}!`, auth },
  ].map(canEncryptFor);

  assert.deepEqual(verdicts, [true, false, false, false, false]);
});
