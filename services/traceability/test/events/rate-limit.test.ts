// Requests a minute, by key on /v1 and by client address on /public. Written from
// docs/interface/traceability.md#rates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey } from '../../src/keys/key-store.ts';
import { openHub } from '../../src/cli/operated-hub.ts';
import { ADMIN_KEY, boot, type Answer } from '../boot.ts';
import { storedHeight } from '../stored.ts';

const HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];

function listLimits(answer: Answer): readonly (string | null)[] {
  return HEADERS.slice(0, 2).map((name) => answer.headers.get(name));
}

function assertRefused(answer: Answer): void {
  assert.equal(answer.status, 429, answer.text);
  assert.deepEqual(Object.keys(answer.json), ['detail']);
  assert.equal(typeof answer.json['detail'], 'string');
  const retryAfter = answer.headers.get('retry-after') ?? '';
  assert.match(retryAfter, /^\d+$/);
  assert.ok(Number(retryAfter) >= 1 && Number(retryAfter) <= 60);
  assert.equal(answer.headers.get('ratelimit-reset'), retryAfter);
  assert.equal(answer.headers.get('ratelimit-remaining'), '0');
}

test('without settings it is 120 a minute on /v1 and 60 on /public', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '', RATE_LIMIT_PUBLIC: '' } });

  const tenant = await hub.call('/v1/events');
  const open = await hub.call('/public/explorer');

  assert.deepEqual(listLimits(tenant), ['120', '119']);
  assert.deepEqual(listLimits(open), ['60', '59']);
  assert.equal(tenant.headers.get('retry-after'), null);
});

test('a limit of 0 is none, and there are no headers', async () => {
  await using hub = await boot();

  const answers = [await hub.call('/v1/events'), await hub.call('/public/explorer')];

  for (const answer of answers) {
    assert.equal(answer.status, 200);
    for (const name of HEADERS) assert.equal(answer.headers.get(name), null);
  }
});

test('a key that is over its limit gets a 429 until the window resets', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '3' } });

  const answers: Answer[] = [];
  for (let count = 0; count < 5; count += 1) answers.push(await hub.call('/v1/events'));

  assert.deepEqual(
    answers.slice(0, 3).map((answer) => [answer.status, ...listLimits(answer)]),
    [
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
    ],
  );
  for (const answer of answers.slice(3)) assertRefused(answer);
});

test('a refused post stores nothing', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '1' } });
  await hub.call('/v1/events');

  const refused = await hub.post('/v1/events/batch', []);

  assertRefused(refused);
  assert.equal(await storedHeight(hub.database), 0);
});

test('each key has a count of its own, whatever tenant it names', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '2' } });
  await using commandLine = await openHub(hub.database);
  const other = await issueKey(commandLine, {
    role: 'tenant',
    label: 'other',
    tenantId: null,
    nowMs: Date.now(),
  });
  await using restarted = await hub.restart();
  for (const tenant of ['one', 'two']) {
    await restarted.call('/v1/events', { headers: { 'X-Tenant-Id': tenant } });
  }

  const spent = await restarted.call('/v1/events', { headers: { 'X-Tenant-Id': 'three' } });
  const fresh = await restarted.call('/v1/events', { headers: { 'X-Api-Key': other.key } });

  assertRefused(spent);
  assert.equal(fresh.status, 200);
});

test('made-up keys share one count, and the limit comes before the key', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '3' } });
  const statuses: number[] = [];

  for (const key of ['made-up-1', 'made-up-2', '', 'made-up-3', 'made-up-4']) {
    const answer = await hub.call('/v1/events', { headers: { 'X-Api-Key': key } });
    statuses.push(answer.status);
  }
  const good = await hub.call('/v1/events');

  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  assert.equal(good.status, 200);
});

test('the limit comes before a wrong tenant id, a wrong role and a wrong body', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '1' } });
  await hub.call('/v1/events');
  await hub.call('/v1/events', { headers: { 'X-Api-Key': ADMIN_KEY } });

  const answers = [
    await hub.call('/v1/events', { headers: { 'X-Tenant-Id': '?' } }),
    await hub.call('/v1/events', { headers: { 'X-Api-Key': ADMIN_KEY } }),
    await hub.post('/v1/events', {}),
  ];

  for (const answer of answers) assertRefused(answer);
});

test('/public is counted by address, apart from /v1, and /health not at all', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_PUBLIC: '2', RATE_LIMIT_V1: '9' } });
  const paths = ['/public/explorer', '/public/verify/NO-LOT', '/public/explorer/blocks'];
  const answers: Answer[] = [];
  for (const path of paths) answers.push(await hub.call(path));

  const health = await hub.call('/health');
  const tenant = await hub.call('/v1/events');

  assert.deepEqual(
    answers.slice(0, 2).map((answer) => answer.status),
    [200, 404],
  );
  assertRefused(answers[2]!);
  assert.equal(health.status, 200);
  assert.equal(tenant.headers.get('ratelimit-remaining'), '8');
});

test('a 429 of /public may be read by pages of other origins', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_PUBLIC: '1' } });
  await hub.call('/public/explorer');

  const refused = await hub.call('/public/explorer');

  assertRefused(refused);
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
});

for (const [name, trust, expected] of [
  ['nobody is trusted', '', [200, 429]],
  ['a proxy at this address is trusted', '127.0.0.1', [200, 200]],
  ['a proxy elsewhere is trusted', '10.0.0.0/8', [200, 429]],
] as const) {
  test(`X-Forwarded-For when ${name}: two clients get ${expected.join(' and ')}`, async () => {
    await using hub = await boot({ env: { RATE_LIMIT_PUBLIC: '1', TRUST_PROXY: trust } });
    const statuses: number[] = [];

    for (const client of ['192.0.2.1', '192.0.2.2']) {
      const headers = { 'X-Forwarded-For': client };
      statuses.push((await hub.call('/public/explorer', { headers })).status);
    }

    assert.deepEqual(statuses, expected);
  });
}

test('an IPv6 network of 2^64 addresses is one client, the next network another', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_PUBLIC: '2', TRUST_PROXY: 'loopback' } });
  const statuses: number[] = [];

  for (const client of [
    '2001:db8:0:1::1',
    '2001:db8:0:1::2',
    '2001:db8:0:1:f::3',
    '2001:db8:0:2::1',
  ]) {
    const headers = { 'X-Forwarded-For': client };
    statuses.push((await hub.call('/public/explorer', { headers })).status);
  }

  assert.deepEqual(statuses, [200, 200, 429, 200]);
});

test('made-up keys of one IPv6 network share one count', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '1', TRUST_PROXY: 'loopback' } });
  const statuses: number[] = [];

  for (const client of ['2001:db8::1', '2001:db8::2']) {
    const headers = { 'X-Forwarded-For': client, 'X-Api-Key': 'made-up' };
    statuses.push((await hub.call('/v1/events', { headers })).status);
  }

  assert.deepEqual(statuses, [401, 429]);
});

test('what a proxy forwards and is no address counts as the proxy, and is kept nowhere', async () => {
  await using hub = await boot({ env: { RATE_LIMIT_V1: '2', TRUST_PROXY: 'loopback' } });
  const statuses: number[] = [];

  for (const client of ['elsewhere', '<script>', '192.0.2.1, elsewhere', '']) {
    const headers = { 'X-Forwarded-For': client, 'X-Api-Key': 'made-up' };
    statuses.push((await hub.call('/v1/events', { headers })).status);
  }

  assert.deepEqual(statuses, [401, 401, 429, 429]);
  const audit = await hub.call('/v1/admin/audit', { headers: { 'X-Api-Key': ADMIN_KEY } });
  assert.match(audit.text, /127\.0\.0\.1/);
  assert.doesNotMatch(audit.text, /elsewhere|script/);
});
