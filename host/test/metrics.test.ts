// /metrics of a process that serves both services or one: who may read it, what it has, what it never holds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestProgram, testFolder, type ServedCli, type TestFolder } from '@lothub/kit/test/cli-run';
import { testInLongRun } from '@lothub/kit/test/rounds';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const TOKEN = 'test-metrics-token-0123456789abcdef';
const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const GROUP_KEY = 'test-group-key-0123456789abcdef0123456789';
const SETTINGS = {
  TENANT_API_KEY: TENANT_KEY,
  METRICS_TOKEN: TOKEN,
  NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
  NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
  NOTIFICATIONS_API_KEY: GROUP_KEY,
};

/** Senders have their token in the path; this one is that of nobody. */
const SENDER_TOKEN = 'test-sender-token-0123456789abcdef0123456789';

/** What requests carry and no figure may. */
const PRIVATE = ['acme-bakery', 'SECRET-LOT', 'Oven 3', TENANT_KEY, GROUP_KEY, TOKEN, SENDER_TOKEN];

let folder: TestFolder;
let served: ServedCli;
let text: string;

before(async () => {
  folder = await testFolder();
  served = await PROGRAM.serve({ ...SETTINGS, DATA_DIR: folder.path });
  await postEvent();
  await postEvent();
  await postNotification();
  await fetch(`${served.base}/public/verify/SECRET-LOT?brand=acme-bakery`);
  await fetch(`${served.base}/acme-bakery/SECRET-LOT`);
  await fetch(`${served.base}/api/v1/ingest/slack/${SENDER_TOKEN}`, { method: 'POST' });
  text = await (await readMetrics(served, `Bearer ${TOKEN}`)).text();
});

after(async () => {
  await served[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function readMetrics({ base }: ServedCli, authorization?: string): Promise<Response> {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  return fetch(`${base}/metrics`, { headers });
}

async function postEvent(): Promise<void> {
  const answer = await fetch(`${served.base}/v1/events`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Api-Key': TENANT_KEY,
      'X-Tenant-Id': 'acme-bakery',
    },
    body: JSON.stringify({
      event_type: 'RECEIVE',
      occurred_at: '2026-01-05T08:00:00Z',
      location: 'A',
      reference: 'PO-1',
      lines: [
        { lot_code: 'SECRET-LOT', product_sku: 'F', direction: 'in', quantity: 1, unit: 'kg' },
      ],
    }),
  });
  assert.equal(answer.status, 201);
}

async function postNotification(): Promise<void> {
  const answer = await fetch(`${served.base}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': GROUP_KEY },
    body: JSON.stringify({ title: 'Oven 3 is too hot' }),
  });
  assert.equal(answer.status, 201);
}

/** The value of the one sample with these labels. */
function readValue(name: string, labels: Readonly<Record<string, string>> = {}): number {
  const found = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) =>
      Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
    );
  assert.equal(found.length, 1, `${name}: ${found.join('; ')}`);
  return Number(found[0]!.split(' ').at(-1));
}

for (const [who, authorization] of [
  ['without a token', undefined],
  ['with a wrong token', `Bearer ${TOKEN}x`],
  ['with the token in another scheme', `Basic ${TOKEN}`],
  ['with an empty token', 'Bearer '],
] as const) {
  test(`the figures are refused ${who}`, async () => {
    const answer = await readMetrics(served, authorization);

    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    assert.doesNotMatch(await answer.text(), /lothub_/);
  });
}

test('the figures are read, not written', async () => {
  const answer = await fetch(`${served.base}/metrics`, { method: 'POST' });

  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get('allow'), 'GET, HEAD');
});

test('requests are counted by the pattern of their route and by status', () => {
  const posts = { service: 'traceability', method: 'POST', route: '/v1/events' };
  const verify = { service: 'traceability', route: '/public/verify/:lot_code', status: '200' };
  const ingest = { service: 'notifications', route: '/api/v1/ingest', status: '201' };

  assert.equal(readValue('lothub_http_requests_total', { ...posts, status: '201' }), 2);
  assert.equal(readValue('lothub_http_requests_total', verify), 1);
  assert.equal(readValue('lothub_http_requests_total', ingest), 1);
  const slack = { service: 'notifications', route: '/api/v1/ingest/slack/:token', status: '401' };
  assert.equal(readValue('lothub_http_requests_total', slack), 1);
  assert.equal(readValue('lothub_http_requests_total', { route: 'none', status: '404' }), 1);
});

test('no figure holds what was sent', () => {
  assert.deepEqual(
    PRIVATE.filter((one) => text.includes(one)),
    [],
  );
});

test('groups, waits, the queue, the chain, streams, deliveries and connections are there', () => {
  assert.ok(readValue('lothub_append_group_jobs_count', { service: 'traceability' }) >= 2);
  assert.ok(readValue('lothub_append_wait_seconds_count', { service: 'notifications' }) >= 1);
  assert.equal(readValue('lothub_append_queue', { service: 'traceability' }), 0);
  assert.equal(readValue('lothub_chain_height'), 2);
  assert.equal(readValue('lothub_chain_valid'), 1);
  assert.equal(readValue('lothub_verifier_findings'), 0);
  assert.equal(readValue('lothub_streams_open'), 0);
  assert.equal(readValue('lothub_deliveries_waiting', { kind: 'first' }), 0);
  assert.equal(readValue('lothub_delivery_oldest_seconds', { kind: 'retry' }), 0);
  assert.equal(readValue('lothub_hub_deliveries_waiting', { kind: 'first' }), 0);
  assert.equal(readValue('lothub_hub_delivery_oldest_seconds', { kind: 'retry' }), 0);
  assert.equal(readValue('lothub_hub_delivery_tries_total', { outcome: 'delivered' }), 0);
  assert.ok(readValue('lothub_connections_open') >= 1);
  assert.ok(readValue('nodejs_eventloop_lag_p99_seconds') >= 0);
});

for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
  test(`every figure that ${file} names is there`, () => {
    const rules = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
    const named = new Set(rules.match(/\b(?:lothub|nodejs|process)_\w+/g));
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', kind]) =>
        kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );

    const missing = [...named].filter((name) => !known.has(name));

    assert.ok(named.size > 5);
    assert.deepEqual(missing, []);
  });
}

for (const [services, play] of [
  ['both', test],
  ['traceability', testInLongRun],
  ['notifications', testInLongRun],
] as const) {
  void play(`without the setting a process of ${services} has no figures`, async () => {
    await using own = await testFolder();
    const { METRICS_TOKEN: _unset, ...settings } = SETTINGS;
    await using without = await PROGRAM.serve({
      ...settings,
      DATA_DIR: own.path,
      SERVICES: services,
    });

    const answer = await readMetrics(without, `Bearer ${TOKEN}`);

    assert.equal(answer.status, 404);
  });
}

test('notifications that are served alone have figures, too', async () => {
  await using own = await testFolder();
  await using alone = await PROGRAM.serve({
    ...SETTINGS,
    DATA_DIR: own.path,
    SERVICES: 'notifications',
  });

  const answer = await readMetrics(alone, `Bearer ${TOKEN}`);

  const figures = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(figures, /^lothub_database_up\{service="notifications"\} 1$/m);
  assert.doesNotMatch(figures, /lothub_chain_/);
});

test('a token that could be guessed stops the start', async () => {
  await using own = await testFolder();
  const child = PROGRAM.start(['serve'], { DATA_DIR: own.path, METRICS_TOKEN: 'short' });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));

  const code = await new Promise<unknown>((resolve) => child.once('close', resolve));

  assert.equal(code, 2);
  assert.match(stderr, /^lothub: METRICS_TOKEN is not usable/m);
});
