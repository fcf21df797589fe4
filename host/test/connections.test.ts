// A process with more connections than it has descriptors for continues: who does something is served, and
// what it says of the chain stays true.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestProgram, awaitEnd, captureRun, testFolder } from '@lothub/kit/test/cli-run';
import type { ServedCli } from '@lothub/kit/test/cli-run';
import { runLothub } from '../src/program.ts';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const DESCRIPTORS_MAX = 256;
const IDLE_CONNECTIONS = 400;
const EVENTS = 20;
const POLL_MS = 50;

const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const ADMIN_KEY = 'test-admin-key-0123456789abcdef';
const SETTINGS = {
  PATH: process.env['PATH'] ?? '',
  TENANT_API_KEY: TENANT_KEY,
  ADMIN_API_KEY: ADMIN_KEY,
  RATE_LIMIT_V1: '0',
  NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
  NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
  NOTIFICATIONS_GROUP: 'Operations',
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** On a connection of its own, as a client that comes new. */
async function ask(
  { base }: ServedCli,
  path: string,
  init: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object } = {},
): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method: init.body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close', ...init.headers },
    body: init.body === undefined ? null : JSON.stringify(init.body),
  });
  return { status: response.status, text: await response.text() };
}

function postEvent(served: ServedCli, externalId: string): Promise<Answer> {
  return ask(served, '/v1/events', {
    headers: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'bakery' },
    body: {
      external_id: externalId,
      event_type: 'RECEIVE',
      occurred_at: '2026-01-05T08:00:00Z',
      location: 'A',
      reference: 'PO-1',
      lines: [
        { lot_code: 'LOT-1', product_sku: 'FLOUR', direction: 'in', quantity: 1, unit: 'kg' },
      ],
    },
  });
}

interface Health {
  readonly chain: { readonly chain_valid: boolean; readonly verified_at: string | null };
}

async function readHealth(served: ServedCli): Promise<Health['chain']> {
  const answer = await ask(served, '/health');
  assert.equal(answer.status, 200);
  return (JSON.parse(answer.text) as Health).chain;
}

async function readAlarms(served: ServedCli): Promise<unknown> {
  const answer = await ask(served, '/v1/admin/overview', { headers: { 'X-Api-Key': ADMIN_KEY } });
  return (JSON.parse(answer.text) as { readonly alarms: unknown }).alarms;
}

/** Resolves once the verifier has looked again, tip record and all. */
async function untilVerifiedAfter(served: ServedCli, before: string | null): Promise<void> {
  for (;;) {
    const { verified_at: now } = await readHealth(served);
    if (now !== null && now !== before) return;
    await sleep(POLL_MS);
  }
}

/** Connections that say nothing. The server may close any of them. */
async function openIdle({ base }: ServedCli, count: number): Promise<readonly Socket[]> {
  const port = Number(new URL(base).port);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return sockets;
}

/** Reads all groups of the first owner; resolves when the stream has begun. */
async function openStream(served: ServedCli): Promise<Response> {
  const login = await fetch(`${served.base}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({
      email: SETTINGS.NOTIFICATIONS_OWNER_EMAIL,
      password: SETTINGS.NOTIFICATIONS_OWNER_PASSWORD,
    }),
  });
  const [cookie = ''] = login.headers.getSetCookie();
  return await fetch(`${served.base}/api/v1/stream`, {
    headers: { Cookie: cookie.split(';')[0] ?? '' },
  });
}

test('more idle connections than descriptors keep nobody from posting, and raise no alarm', async () => {
  await using folder = await testFolder();
  const settings = { ...SETTINGS, DATA_DIR: folder.path };
  await using served = await PROGRAM.serve(settings, [], { descriptorsMax: DESCRIPTORS_MAX });
  const stream = await openStream(served);
  const idle = await openIdle(served, IDLE_CONNECTIONS);

  const posted: number[] = [];
  while (posted.length < EVENTS) {
    posted.push((await postEvent(served, `e-${posted.length}`)).status);
  }
  const { verified_at: before } = await readHealth(served);
  await untilVerifiedAfter(served, before);
  const health = await readHealth(served);
  const alarms = await readAlarms(served);
  const notifications = await ask(served, '/api/v1/health');
  for (const socket of idle) socket.destroy();
  await stream.body?.cancel();
  served.child.kill('SIGTERM');
  const end = await served.ended;
  await using again = await PROGRAM.serve(settings);

  assert.deepEqual(new Set(posted), new Set([201]));
  assert.equal(stream.status, 200);
  assert.equal(notifications.status, 200);
  assert.equal(health.chain_valid, true);
  assert.deepEqual(alarms, []);
  assert.match(served.stdout(), /connections are at MAX_CONNECTIONS: idle ones and streams/);
  assert.doesNotMatch(served.stdout(), /EMFILE/);
  assert.equal(end, 0);
  assert.equal((await readHealth(again)).chain_valid, true);
  assert.deepEqual(await readAlarms(again), []);
});

test('a stream makes room for a post; a post under way makes none, and health is answered', async () => {
  await using folder = await testFolder();
  await using served = await PROGRAM.serve({
    ...SETTINGS,
    DATA_DIR: folder.path,
    MAX_CONNECTIONS: '2',
  });
  const stream = await openStream(served);
  const ended = (async () => {
    for await (const _chunk of stream.body ?? []) continue;
  })().catch(() => undefined);
  const bodies = [await beginPost(served), await beginPost(served)];
  await ended;

  const refused = await postEvent(served, 'e-1');
  const refusedNotifications = await ask(served, '/api/v1/groups');
  const health = [await ask(served, '/health'), await ask(served, '/api/v1/health')];
  for (const body of bodies) body.socket.end(body.rest);
  const answers = await Promise.all(bodies.map(({ answer }) => answer));
  const later = await postEvent(served, 'e-1');

  assert.equal(refused.status, 503);
  assert.equal(
    refused.text,
    '{"detail":"There are too many connections: nothing was stored, close this one and try again"}',
  );
  assert.equal(refusedNotifications.status, 503);
  assert.equal((JSON.parse(refusedNotifications.text) as { code: string }).code, 'unavailable');
  assert.deepEqual(
    health.map(({ status }) => status),
    [200, 200],
  );
  // Both were read to their ends: they are no JSON.
  for (const answer of answers) assert.match(answer, /HTTP\/1\.1 422 /);
  assert.equal(later.status, 201);
});

test('connections that do not fit into the descriptors stop the start', async () => {
  const settings = { ...SETTINGS, MAX_CONNECTIONS: '257' };
  const child = PROGRAM.start(['serve'], settings, { descriptorsMax: 512 });
  const [code, errorText] = await Promise.all([awaitEnd(child), text(child.stderr)]);
  const wrong = await captureRun((terminal) => runLothub(['serve'], terminal), {
    MAX_CONNECTIONS: '0',
    PORT: 'http',
  });

  assert.equal(code, 2);
  assert.match(
    errorText,
    /^lothub: MAX_CONNECTIONS is not usable: give a whole number from 1 to 256, /,
  );
  assert.equal(wrong.code, 2);
  assert.match(
    wrong.stderr,
    /^lothub: PORT is not usable.*\nlothub: MAX_CONNECTIONS is not usable/,
  );
});

/** Sends all of a post but its last byte; resolves once the service has begun to read it. */
async function beginPost({ base }: ServedCli) {
  const body = '{"external_id":';
  const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    'POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `X-Api-Key: ${TENANT_KEY}\r\nX-Tenant-Id: bakery\r\nExpect: 100-continue\r\n` +
      `Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.write(body.slice(0, -1));
  const answer = (async () => {
    let answered = '';
    for await (const chunk of socket) answered += String(chunk);
    return answered;
  })();
  return { socket, rest: body.slice(-1), answer };
}
