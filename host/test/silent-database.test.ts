// Both services over a PostgreSQL that is away, or that holds every connection and says nothing: whoever
// asks or posts is answered in time, and the process ends in time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestProgram } from '@lothub/kit/test/cli-run';
import type { ServedCli } from '@lothub/kit/test/cli-run';
import { testFolder } from '@lothub/kit/test/cli-run';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { startCuttingProxy, type CuttingProxy } from '@lothub/kit/test/postgres/cutting-proxy';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import { chooseRounds } from '@lothub/kit/test/rounds';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const GROUP_KEY = 'test-group-key-0123456789abcdef0123456789';
/** With limits that are counted in the database, and too high to be met. */
const SETTINGS = {
  TENANT_API_KEY: TENANT_KEY,
  RATE_LIMIT_V1: '1000000',
  NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
  NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
  NOTIFICATIONS_API_KEY: GROUP_KEY,
  NOTIFICATIONS_RATE_KEY_BURST: '100000',
  LOG_LEVEL: 'fatal',
};

/** What is promised. */
const HEALTH_MAX_MS = 2_000;
const POST_MAX_MS = 10_000;
const STOP_MAX_MS = 10_000;

const PATHS = { hub: '/health', notifications: '/api/v1/health' } as const;
const POSTS_AT_ONCE = chooseRounds({ usual: 100, long: 1_000 });
const POLL_MS = 50;
const NOBODY_LISTENS = 'postgresql://127.0.0.1:1/none';

let server: TestPostgres;
/** Serves the tests that leave it as they found it. */
let shared: Ground;
before(async () => {
  server = await startTestPostgres();
  shared = await serve();
});
after(async () => {
  await shared[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

interface Ground extends AsyncDisposable {
  readonly served: ServedCli;
  readonly proxy: CuttingProxy;
}

async function serve(): Promise<Ground> {
  await using opening = new AsyncDisposableStack();
  const { url } = await server.createDatabase();
  const folder = opening.use(await testFolder());
  const proxy = opening.use(await startCuttingProxy(url));
  const served = opening.use(
    await PROGRAM.serve({ ...SETTINGS, DATA_DIR: folder.path, DATABASE_URL: proxy.url }),
  );
  const opened = opening.move();
  return { served, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

interface Timed {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

async function ask(served: ServedCli, path: string, init: RequestInit = {}): Promise<Timed> {
  const startedMs = performance.now();
  const response = await fetch(served.base + path, init);
  const text = await response.text();
  return { status: response.status, text, tookMs: performance.now() - startedMs };
}

function postEvent(served: ServedCli, externalId: string): Promise<Timed> {
  return ask(served, '/v1/events', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Api-Key': TENANT_KEY,
      'X-Tenant-Id': 'acme',
    },
    body: JSON.stringify({
      event_type: 'RECEIVE',
      external_id: externalId,
      location: 'BAKERY-1',
      occurred_at: '2026-01-05T06:00:00Z',
      reference: 'PO-1',
      lines: [{ direction: 'in', lot_code: 'F-1', product_sku: 'F', quantity: 1, unit: 'kg' }],
    }),
  });
}

function postNotification(served: ServedCli, key: string): Promise<Timed> {
  return ask(served, '/api/v1/ingest', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Api-Key': GROUP_KEY,
      'Idempotency-Key': key,
    },
    body: JSON.stringify({ title: key }),
  });
}

const POSTS = { hub: postEvent, notifications: postNotification } as const;
const SERVICES = ['hub', 'notifications'] as const;

function slowest(answers: readonly Timed[]): number {
  return Math.max(...answers.map(({ tookMs }) => tookMs));
}

function listStatuses(answers: readonly Timed[]): readonly number[] {
  return [...new Set(answers.map(({ status }) => status))];
}

/** Until it is, or the runner's own time limit. */
async function untilHealthy(served: ServedCli): Promise<void> {
  for (const service of SERVICES) {
    while ((await ask(served, PATHS[service])).status !== 200) await sleep(POLL_MS);
  }
}

test('while the database says nothing, a health check says so within two seconds', async (t) => {
  const { served, proxy } = shared;
  proxy.freeze();

  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    rounds.push(await Promise.all(SERVICES.map((service) => ask(served, PATHS[service]))));
  }
  proxy.thaw();

  const answers = rounds.flat();
  t.diagnostic(`at most ${Math.round(slowest(answers))} ms`);
  assert.deepEqual(listStatuses(answers), [503]);
  assert.ok(answers.every(({ text }) => text.includes('is not known')));
  assert.ok(slowest(answers) < stretchForLoad(HEALTH_MAX_MS), `${slowest(answers)} ms`);
  const hub = JSON.parse(answers[0]!.text) as { readonly chain: Readonly<Record<string, unknown>> };
  assert.deepEqual([hub.chain['height'], hub.chain['chain_valid']], [null, true]);
  await untilHealthy(served);
});

test('while the database says nothing, each post is answered within ten seconds, and is stored once', async (t) => {
  const { served, proxy } = shared;
  const names = Array.from({ length: 20 }, (_, index) => `frozen-${index}`);
  proxy.freeze();

  const refused = await Promise.all(
    SERVICES.flatMap((service) => names.map((name) => POSTS[service](served, name))),
  );
  proxy.thaw();

  t.diagnostic(`at most ${Math.round(slowest(refused))} ms`);
  assert.deepEqual(listStatuses(refused), [503]);
  assert.ok(slowest(refused) < stretchForLoad(POST_MAX_MS), `${slowest(refused)} ms`);
  await untilHealthy(served);
  for (const service of SERVICES) {
    const first = await Promise.all(names.map((name) => POSTS[service](served, name)));
    const second = await Promise.all(names.map((name) => POSTS[service](served, name)));
    assert.deepEqual(
      second.map(({ text }) => readPlace(text)),
      first.map(({ text }) => readPlace(text)),
    );
  }
});

/** Where the answer says that it is stored. */
function readPlace(text: string): unknown {
  const answer = JSON.parse(text) as { readonly id?: unknown };
  assert.ok(answer.id !== undefined, text);
  return answer.id;
}

test(`while the database is away, each of ${POSTS_AT_ONCE} posts to each service is refused within ten seconds`, async (t) => {
  await using ground = await serve();
  const { served, proxy } = ground;
  for (const service of SERVICES) {
    assert.equal((await POSTS[service](served, 'before')).status, 201);
  }
  proxy.leadTo(NOBODY_LISTENS);
  proxy.cut();

  for (const service of SERVICES) {
    const answers = await Promise.all(
      Array.from({ length: POSTS_AT_ONCE }, (_, index) => POSTS[service](served, `away-${index}`)),
    );

    t.diagnostic(`${service}: at most ${Math.round(slowest(answers))} ms`);
    assert.deepEqual(listStatuses(answers), [503], service);
    assert.ok(answers.every(({ text }) => /nothing was stored/i.test(text)));
    assert.ok(slowest(answers) < stretchForLoad(POST_MAX_MS), `${slowest(answers)} ms`);
  }
});

for (const [what, begin] of [
  ['nobody waits', () => []],
  [
    'posts and reads wait',
    (served: ServedCli) => [
      postEvent(served, 'waits'),
      postNotification(served, 'waits'),
      ask(served, '/public/explorer'),
    ],
  ],
] as const) {
  test(`while the database says nothing and ${what}, a signal ends the process within ten seconds`, async (t) => {
    await using ground = await serve();
    const { served, proxy } = ground;
    proxy.freeze();
    const begun = begin(served);
    // Answered after a second and a half: what was sent before it is under way by then.
    await ask(served, PATHS.hub);
    const startedMs = performance.now();

    served.child.kill('SIGTERM');
    const code = await served.ended;

    const tookMs = performance.now() - startedMs;
    t.diagnostic(`${Math.round(tookMs)} ms`);
    const answers = await Promise.all(begun);
    assert.equal(code, 0);
    assert.ok(tookMs < stretchForLoad(STOP_MAX_MS), `${tookMs} ms`);
    assert.ok(answers.every(({ status }) => status === 503));
  });
}
