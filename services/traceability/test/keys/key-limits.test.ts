// Keys with a limit: what each of them opens of all that is below /v1, and that nobody can forget to say it of
// a route. Written from the chapter on keys of docs/operating.md.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { fastify } from 'fastify';
import { until } from '@lothub/kit/test/until';
import { openHub } from '../../src/cli/operated-hub.ts';
import { describeKeyNeeds } from '../../src/keys/key-limits.ts';
import { issueKey } from '../../src/keys/key-store.ts';
import { KEY_LIMITS, type KeyLimit } from '../../src/ledger/tables/off-chain.ts';
import { ADMIN_KEY, anEvent, boot, valueAt, type Answer } from '../boot.ts';

const BRAND = 'bakery';
/** Operations of the description, but for those of the operator. */
const OPERATIONS_MIN = 55;

const keys = new Map<KeyLimit, string>();
const hub = await openForFile(boot());
before(async () => {
  await using database = await openHub(hub.database);
  for (const limitedTo of KEY_LIMITS) {
    const issued = { role: 'tenant', label: `limited to ${limitedTo}`, tenantId: BRAND } as const;
    const { key } = await issueKey(database, { ...issued, limitedTo, nowMs: Date.now() });
    keys.set(limitedTo, key);
    await untilTaken(key);
  }
});

function call(limit: KeyLimit, method: string, path: string, body?: object): Promise<Answer> {
  return hub.call(path, {
    method,
    headers: {
      'X-Api-Key': keys.get(limit)!,
      'X-Tenant-Id': BRAND,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A path that is not there answers 404 to a key that is taken, whatever its limit. */
async function untilTaken(key: string): Promise<void> {
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': BRAND };
  await until('the key is taken', async () => {
    return (await hub.call('/v1/nothing', { headers })).status === 404;
  });
}

const POSTS = new Set([
  'POST /v1/events',
  'POST /v1/events/batch',
  'POST /v1/import/csv',
  'POST /v1/import/xlsx',
]);

/** As the page for operators says it. */
function neededFor(operation: string): KeyLimit {
  if (POSTS.has(operation)) return 'post-events';
  if (operation === 'POST /v1/recall/simulate') return 'read';
  if (operation === 'GET /v1/events/{id}/disclosure') return 'all';
  return operation.startsWith('GET ') ? 'read' : 'all';
}

interface Described {
  readonly 'x-key-limits': unknown;
  readonly responses: object;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly limits: unknown;
  readonly statuses: readonly string[];
}

async function operations(): Promise<readonly Operation[]> {
  const description = JSON.parse((await hub.call('/openapi.json')).text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  return Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/') && !path.startsWith('/v1/admin/'))
    .flatMap(([path, described]) =>
      Object.entries(described).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, '1'),
        limits: operation['x-key-limits'],
        statuses: Object.keys(operation.responses),
      })),
    );
}

test('every endpoint of tenants opens to the limits that the page for operators names', async () => {
  const all = await operations();
  assert.ok(all.length >= OPERATIONS_MIN, `there are ${all.length}`);

  for (const { name, method, path, limits, statuses } of all) {
    const needed = neededFor(name);
    const open = KEY_LIMITS.filter((limit) => limit === 'all' || limit === needed);
    assert.deepEqual(limits, open, name);
    assert.ok(statuses.includes('403'), name);
    for (const limit of KEY_LIMITS) {
      const { status, json } = await call(limit, method, path);
      assert.notEqual(status, 401, name);
      assert.equal(status === 403, !open.includes(limit), `${limit}: ${name} answers ${status}`);
      if (status !== 403) continue;
      const detail = valueAt(json, 'detail');
      assert.match(String(detail), new RegExp(`^The key is limited to ${limit}, .* needs `));
      const wanted = needed === 'all' ? 'a key without a limit' : `the limit ${needed}, or`;
      assert.ok(String(detail).includes(wanted), String(detail));
      assert.deepEqual(Object.keys(json), ['detail']);
    }
  }
});

test('HEAD opens to whom GET opens', async () => {
  const read = await call('read', 'HEAD', '/v1/lots');
  const posting = await call('post-events', 'HEAD', '/v1/lots');

  assert.deepEqual([read.status, posting.status], [200, 403]);
});

test('a key that is limited opens nothing below /v1/admin', async () => {
  for (const limit of KEY_LIMITS) {
    for (const path of ['/v1/admin/overview', '/v1/admin/audit']) {
      const answer = await call(limit, 'GET', path);
      assert.deepEqual([answer.status, answer.json], [401, { detail: 'Invalid API key' }]);
    }
  }
});

test('what is refused for a limit writes nothing of the brand', async () => {
  const posted = await call('post-events', 'POST', '/v1/events', anEvent());
  const refused = await call('read', 'POST', '/v1/events', anEvent({ external_id: 'second' }));

  const listed = await call('read', 'GET', '/v1/events');

  assert.deepEqual([posted.status, refused.status], [201, 403]);
  const events = valueAt(listed.json, 'events') as readonly unknown[];
  assert.equal(events.length, 1);
});

test('a request beyond a limit is in the audit of the operator, with the label of the key', async () => {
  await call('read', 'DELETE', '/v1/products/SKU-1');

  const answer = await hub.call('/v1/admin/audit?action=refuse_key', {
    headers: { 'X-Api-Key': ADMIN_KEY },
  });

  const entries = valueAt(answer.json, 'entries') as readonly object[];
  const beyond = entries.filter((entry) => valueAt(entry, 'details', 'reason') === 'beyond_limit');
  const found = beyond.find((entry) => valueAt(entry, 'actor') === 'limited to read');
  assert.equal(valueAt(found, 'details', 'path'), '/v1');
  assert.equal(valueAt(found, 'tenant_id'), null);
});

test('a route of either role that names no limit cannot be added', async () => {
  for (const role of ['tenant', 'admin'] as const) {
    await using app = fastify();
    app.addHook('onRoute', describeKeyNeeds(role));

    assert.throws(() => app.post('/v1/forgotten', () => 'open to all'), {
      message: 'POST /v1/forgotten names no limit of keys (keyNeeds)',
    });
  }
});
