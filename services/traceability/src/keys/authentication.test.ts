// The gate in front of /v1, without a service: both roles, bound keys, and the order of the checks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { Refusal, FieldsRefusal } from '../errors.ts';
import { keyGate } from './authentication.ts';
import type { KeyLimit } from '../ledger/tables/off-chain.ts';
import type { KeyRecord, KeyRole } from './key-store.ts';

function makeRecord(
  role: KeyRole,
  tenantId: string | null,
  limitedTo: KeyLimit = 'all',
): KeyRecord {
  return {
    key_id: `${role} of ${tenantId ?? 'any'}`,
    role,
    label: `label of ${role}`,
    key_hash: '',
    tenant_id: tenantId,
    origin: 'issued',
    created_at: '',
    expires_at: null,
    revoked_at: null,
    first_tenant_id: null,
    second_tenant_id: null,
    second_tenant_at: null,
    tenants_accepted_at: null,
    limited_to: limitedTo,
  };
}

const KEYS: Readonly<Record<string, KeyRecord>> = {
  tenant: makeRecord('tenant', null),
  admin: makeRecord('admin', null),
  bound: makeRecord('tenant', 'bakery'),
  reads: makeRecord('tenant', 'bakery', 'read'),
  posts: makeRecord('tenant', 'bakery', 'post-events'),
};

interface Passed {
  readonly outcome: string;
  /** Who was counted against the rate limit. */
  readonly counted: readonly string[];
  /** Why the key was refused, and which one of the hub it was. */
  readonly refused: readonly string[];
  /** Keys whose use is noted. */
  readonly used: readonly string[];
}

interface Given {
  readonly isOverLimit?: boolean;
  /** What the route needs; nothing is said of it when it is not given. */
  readonly keyNeeds?: KeyLimit;
  readonly url?: string;
}

/** Sends a request with these headers through the gate of a role; answers how it ended. */
async function pass(
  role: KeyRole,
  headers: Readonly<Record<string, string>>,
  { isOverLimit = false, keyNeeds, url = '/' }: Given = {},
): Promise<Passed> {
  const counted: string[] = [];
  const refused: string[] = [];
  const used: string[] = [];
  await using app = fastify();
  app.decorateRequest('tenantId', '');
  app.decorateRequest('keyLabel', '');
  app.addHook(
    'onRequest',
    keyGate({
      keys: { find: (key) => KEYS[key ?? ''] },
      role,
      refused: {
        note: ({ reason, key }) => {
          refused.push(`${reason} ${key?.key_id ?? ''}`.trim());
          return Promise.resolve();
        },
      },
      uses: { note: (keyId) => used.push(keyId) },
      rateLimit: {
        take: (caller) => {
          counted.push(caller);
          return Promise.resolve({
            allowed: !isOverLimit,
            limit: 1,
            remaining: 0,
            resetSeconds: 17,
          });
        },
      },
    }),
  );
  const config = keyNeeds === undefined ? {} : { keyNeeds };
  app.get('/', { config }, (request) => `${request.tenantId} by ${request.keyLabel}`);
  app.setErrorHandler((error, _request, reply) => {
    const loc = error instanceof FieldsRefusal ? error.fields[0]?.loc.join('.') : undefined;
    return reply.send(loc ?? (error instanceof Refusal ? error.code : 'error'));
  });
  const answer = await app.inject({ url, headers });
  return { outcome: answer.payload, counted, refused, used };
}

const TENANT = 'header.x-tenant-id';
const INVALID = 'invalid_api_key';

const CASES: readonly (readonly [KeyRole, Record<string, string>, string])[] = [
  ['tenant', { 'x-api-key': 'tenant', 'x-tenant-id': 'acme' }, 'acme by label of tenant'],
  ['tenant', { 'x-api-key': 'bound', 'x-tenant-id': 'bakery' }, 'bakery by label of tenant'],
  ['tenant', { 'x-api-key': 'bound', 'x-tenant-id': 'acme' }, INVALID],
  ['tenant', { 'x-api-key': 'bound', 'x-tenant-id': 'Bakery' }, INVALID],
  ['tenant', { 'x-api-key': 'bound', 'x-tenant-id': '?' }, TENANT],
  ['tenant', { 'x-api-key': 'bound' }, TENANT],
  ['tenant', { 'x-api-key': 'admin', 'x-tenant-id': 'acme' }, INVALID],
  ['tenant', { 'x-api-key': 'admin', 'x-tenant-id': '?' }, INVALID],
  ['tenant', { 'x-api-key': 'unknown', 'x-tenant-id': 'acme' }, INVALID],
  ['tenant', { 'x-tenant-id': 'acme' }, INVALID],
  ['tenant', { 'x-api-key': 'tenant' }, TENANT],
  ['admin', { 'x-api-key': 'admin' }, ' by label of admin'],
  ['admin', { 'x-api-key': 'admin', 'x-tenant-id': 'acme' }, 'acme by label of admin'],
  ['admin', { 'x-api-key': 'admin', 'x-tenant-id': '?' }, TENANT],
  ['admin', { 'x-api-key': 'tenant', 'x-tenant-id': 'acme' }, INVALID],
  ['admin', { 'x-api-key': 'bound', 'x-tenant-id': 'bakery' }, INVALID],
  ['admin', {}, INVALID],
];

for (const [role, headers, expected] of CASES) {
  test(`the ${role} gate answers ${JSON.stringify(headers)} with ${expected}`, async () => {
    const { outcome } = await pass(role, headers);

    assert.equal(outcome, expected);
  });
}

test('over the limit nothing else is looked at', async () => {
  for (const headers of [{}, { 'x-api-key': 'tenant' }, { 'x-api-key': 'admin' }]) {
    const { outcome } = await pass('tenant', headers, { isOverLimit: true });
    assert.equal(outcome, 'rate_limited');
  }
});

test('a valid key is counted by key, anything else by address', async () => {
  const counted = [
    await pass('tenant', { 'x-api-key': 'tenant', 'x-tenant-id': 'a' }),
    await pass('tenant', { 'x-api-key': 'tenant', 'x-tenant-id': 'b' }),
    await pass('tenant', { 'x-api-key': 'made-up' }),
    await pass('tenant', {}),
  ].map((passed) => passed.counted);

  assert.deepEqual(counted, [
    ['key:tenant of any'],
    ['key:tenant of any'],
    ['ip:127.0.0.1'],
    ['ip:127.0.0.1'],
  ]);
});

test('each refused key is noted once with its reason, and with its id when it is one of the hub', async () => {
  const refused = [
    await pass('tenant', {}),
    await pass('tenant', { 'x-api-key': 'made-up' }),
    await pass('tenant', { 'x-api-key': 'admin', 'x-tenant-id': 'acme' }),
    await pass('admin', { 'x-api-key': 'tenant' }),
    await pass('tenant', { 'x-api-key': 'bound', 'x-tenant-id': 'acme' }),
    await pass('tenant', { 'x-api-key': 'tenant', 'x-tenant-id': '?' }),
    await pass('tenant', { 'x-api-key': 'tenant', 'x-tenant-id': 'acme' }),
  ].map((passed) => passed.refused);

  assert.deepEqual(refused, [
    ['missing'],
    ['unknown'],
    ['wrong_role admin of any'],
    ['wrong_role tenant of any'],
    ['wrong_tenant tenant of bakery'],
    [],
    [],
  ]);
});

const OF_BAKERY = { 'x-tenant-id': 'bakery' };

for (const [key, keyNeeds, outcome] of [
  ['reads', 'read', 'bakery by label of tenant'],
  ['reads', 'post-events', 'key_limited'],
  ['reads', 'all', 'key_limited'],
  ['posts', 'read', 'key_limited'],
  ['posts', 'post-events', 'bakery by label of tenant'],
  ['posts', 'all', 'key_limited'],
  ['bound', 'read', 'bakery by label of tenant'],
  ['bound', 'post-events', 'bakery by label of tenant'],
  ['bound', 'all', 'bakery by label of tenant'],
] as const) {
  test(`the key ${key} at a route that needs ${keyNeeds}: ${outcome}`, async () => {
    const passed = await pass('tenant', { ...OF_BAKERY, 'x-api-key': key }, { keyNeeds });

    assert.equal(passed.outcome, outcome);
  });
}

test('a route that says nothing is closed to keys with a limit', async () => {
  const { outcome } = await pass('tenant', { ...OF_BAKERY, 'x-api-key': 'reads' });

  assert.equal(outcome, 'key_limited');
});

test('the limit is looked at last, and not where there is no route', async () => {
  const given = { keyNeeds: 'all' } as const;
  const key = { 'x-api-key': 'reads' };

  const outcomes = [
    await pass('tenant', key, given),
    await pass('tenant', { ...key, 'x-tenant-id': 'acme' }, given),
    await pass('admin', { ...key, ...OF_BAKERY }, given),
    await pass('tenant', { ...key, ...OF_BAKERY }, { ...given, isOverLimit: true }),
  ].map(({ outcome }) => outcome);
  const nowhere = await pass('tenant', { ...key, ...OF_BAKERY }, { ...given, url: '/nowhere' });

  assert.deepEqual(outcomes, [TENANT, INVALID, INVALID, 'rate_limited']);
  assert.match(nowhere.outcome, /Route GET:\/nowhere not found/);
});

test('a refusal of a limit is noted with the key', async () => {
  const headers = { ...OF_BAKERY, 'x-api-key': 'posts' };

  const { refused } = await pass('tenant', headers, { keyNeeds: 'read' });

  assert.deepEqual(refused, ['beyond_limit tenant of bakery']);
});

test('a key is used when it is not refused as a key', async () => {
  const used = [
    await pass('tenant', { ...OF_BAKERY, 'x-api-key': 'reads' }, { keyNeeds: 'read' }),
    await pass('tenant', { ...OF_BAKERY, 'x-api-key': 'reads' }, { keyNeeds: 'all' }),
    await pass('tenant', { 'x-tenant-id': 'acme', 'x-api-key': 'reads' }, { keyNeeds: 'read' }),
    await pass('tenant', { ...OF_BAKERY, 'x-api-key': 'made-up' }, { keyNeeds: 'read' }),
  ].map((passed) => passed.used);

  assert.deepEqual(used, [['tenant of bakery'], ['tenant of bakery'], [], []]);
});
