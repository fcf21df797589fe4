// The gate in front of /v1, without a service: both roles, bound keys, and the order of the checks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { Refusal, FieldsRefusal } from '../errors.ts';
import { keyGate } from './authentication.ts';
import type { KeyRecord, KeyRole } from './key-store.ts';

function recordOf(role: KeyRole, tenantId: string | null): KeyRecord {
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
  };
}

const KEYS: Readonly<Record<string, KeyRecord>> = {
  tenant: recordOf('tenant', null),
  admin: recordOf('admin', null),
  bound: recordOf('tenant', 'bakery'),
};

interface Passed {
  readonly outcome: string;
  /** Who was counted against the rate limit. */
  readonly counted: readonly string[];
  /** Why the key was refused, and which one of the hub it was. */
  readonly refused: readonly string[];
}

/** Sends a request with these headers through the gate of a role; answers how it ended. */
async function pass(
  role: KeyRole,
  headers: Readonly<Record<string, string>>,
  isOverLimit = false,
): Promise<Passed> {
  const counted: string[] = [];
  const refused: string[] = [];
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
  app.get('/', (request) => `${request.tenantId} by ${request.keyLabel}`);
  app.setErrorHandler((error, _request, reply) => {
    const loc = error instanceof FieldsRefusal ? error.fields[0]?.loc.join('.') : undefined;
    return reply.send(loc ?? (error instanceof Refusal ? error.code : 'error'));
  });
  const answer = await app.inject({ url: '/', headers });
  return { outcome: answer.payload, counted, refused };
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
    const { outcome } = await pass('tenant', headers, true);
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
