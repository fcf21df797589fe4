// Signatures as receivers check them: by a library of the specification, and by its published example.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { PREVIOUS_SECRET_MS, newWebhookSecret, secretsAt, signatureHeaders } from './signature.ts';

const BODY = '{"type":"notification.created","data":{"title":"Zürich ☂"}}';

test('the library of the specification accepts what is signed', () => {
  const secret = newWebhookSecret();

  const headers = signatureHeaders({
    id: 'msg_1',
    atMs: Date.now(),
    body: BODY,
    secrets: [secret],
  });

  assert.deepEqual(new Webhook(secret).verify(BODY, { ...headers }), JSON.parse(BODY));
});

test('the library refuses what was changed on the way', () => {
  const secret = newWebhookSecret();

  const headers = signatureHeaders({
    id: 'msg_1',
    atMs: Date.now(),
    body: BODY,
    secrets: [secret],
  });

  const changed = [
    [`${BODY} `, headers],
    [BODY, { ...headers, 'webhook-id': 'msg_2' }],
    [BODY, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
  ] as const;
  for (const [body, sent] of changed) {
    assert.throws(() => new Webhook(secret).verify(body, { ...sent }), /No matching signature/);
  }
});

test('either of two secrets is enough to check', () => {
  const [old, next] = [newWebhookSecret(), newWebhookSecret()];

  const headers = signatureHeaders({
    id: 'msg_1',
    atMs: Date.now(),
    body: BODY,
    secrets: [next, old],
  });

  assert.match(headers['webhook-signature'], /^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  for (const secret of [old, next]) {
    assert.deepEqual(new Webhook(secret).verify(BODY, { ...headers }), JSON.parse(BODY));
  }
});

test('the example of the specification comes out as it stands there', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    atMs: 1_614_265_330_000,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });

  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a secret is whsec_ and base64 of 24 to 64 bytes, and never the same twice', () => {
  const [first, second] = [newWebhookSecret(), newWebhookSecret()];

  const bytes = Buffer.from(first.replace(/^whsec_/, ''), 'base64').length;
  assert.match(first, /^whsec_[A-Za-z0-9+/]+=*$/);
  assert.ok(bytes >= 24 && bytes <= 64);
  assert.notEqual(first, second);
});

test('the secret before a rotation signs for 24 hours more', () => {
  const row = { secret: 'next', previous_secret: 'old', previous_until: PREVIOUS_SECRET_MS };

  assert.equal(PREVIOUS_SECRET_MS, 86_400_000);
  assert.deepEqual(secretsAt(row, PREVIOUS_SECRET_MS - 1), ['next', 'old']);
  assert.deepEqual(secretsAt(row, PREVIOUS_SECRET_MS), ['next']);
  assert.deepEqual(secretsAt({ ...row, previous_secret: null, previous_until: null }, 0), ['next']);
});
