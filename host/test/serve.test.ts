// `lothub serve` as a process: both services on one port, each alone, what it prints, how it ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestProgram, captureRun, testFolder } from '@lothub/kit/test/cli-run';
import { testInLongRun } from '@lothub/kit/test/rounds';
import type { ServedCli, TestFolder } from '@lothub/kit/test/cli-run';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { runLothub } from '../src/program.ts';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const TENANT_KEY = 'test-tenant-key-0123456789abcdef';
const GROUP_KEY = 'test-group-key-0123456789abcdef0123456789';

/** Everything that a first start would otherwise make up. */
const UNATTENDED = {
  TENANT_API_KEY: TENANT_KEY,
  ADMIN_API_KEY: 'test-admin-key-0123456789abcdef',
  NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
  NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
  NOTIFICATIONS_GROUP: 'Operations',
  NOTIFICATIONS_API_KEY: GROUP_KEY,
};

/** Requests that were begun may take eight seconds to end; a stream is no such request. */
const PROMPT_STOP_MS = 4_000;

interface Posted {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

function postEvent({ base }: ServedCli, externalId: string): Promise<Posted> {
  return post(`${base}/v1/events`, {
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

function postNotification({ base }: ServedCli, title: string): Promise<Posted> {
  return post(`${base}/api/v1/ingest`, {
    headers: { 'X-Api-Key': GROUP_KEY, 'Idempotency-Key': encodeURIComponent(title) },
    body: { command: 'notify', title },
  });
}

async function post(
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: object },
): Promise<Posted> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...request.headers },
    body: JSON.stringify(request.body),
  });
  return { status: answer.status, body: (await answer.json()) as Posted['body'] };
}

async function readStatus({ base }: ServedCli, path: string): Promise<number> {
  return (await fetch(`${base}${path}`, { redirect: 'manual' })).status;
}

describe('one process with a set-up given by settings', () => {
  let folder: TestFolder;
  let served: ServedCli;
  before(async () => {
    folder = await testFolder();
    served = await PROGRAM.serve({ DATA_DIR: folder.path, ...UNATTENDED }, ['--json']);
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('serves both services on one port, and prints no secret', async () => {
    const event = await postEvent(served, 'e-1');
    const notification = await postNotification(served, 'Oven 3 is too hot');

    assert.equal(event.status, 201);
    assert.equal(notification.status, 201);
    assert.equal(await readStatus(served, '/api-docs'), 200);
    assert.equal(await readStatus(served, '/health'), 200);
    assert.equal(await readStatus(served, '/api/v1/health'), 200);
    const banner = JSON.parse(served.stdout().split('\n')[0] ?? '') as Record<string, unknown>;
    assert.deepEqual(Object.keys(banner).sort(), ['address', 'data_dir', 'inbox', 'keys', 'ok']);
    assert.deepEqual(banner['keys'], []);
  });

  // The last one: it ends the process.
  test('a stop ends streams at once and answers what was begun at either service, then ends with 0', async () => {
    const stream = await openStream(served);
    const notification = '{"title":"begun before the stop"}';
    const begun = [
      await beginPost(served, { path: '/v1/events', key: TENANT_KEY, bodyBytes: 2 }),
      await beginPost(served, {
        path: '/api/v1/ingest',
        key: GROUP_KEY,
        bodyBytes: notification.length,
      }),
    ] as const;

    served.child.kill('SIGTERM');
    await untilRefused(served);
    const frames = await stream.text();
    begun[0].write('{}');
    begun[1].write(notification);
    const answers = await Promise.all(begun.map(readText));
    const end = await Promise.race([
      served.ended,
      wait(stretchForLoad(PROMPT_STOP_MS), undefined, { ref: false }),
    ]);

    assert.match(frames, /^event: state$/m);
    assert.match(answers[0] ?? '', /^HTTP\/1\.1 422 /);
    assert.match(answers[1] ?? '', /^HTTP\/1\.1 201 /);
    assert.equal(end, 0);
    assert.match(served.stdout(), /stopping/);
  });
});

testInLongRun(
  'the first start prints keys and set-up link in one banner, and later starts no key',
  async () => {
    await using folder = await testFolder();
    const first = await PROGRAM.serve({ DATA_DIR: folder.path });
    const [, link = ''] = /^ +(http\S+\/inbox\/setup\/\S+)$/m.exec(first.stdout()) ?? [];
    const opened = await fetch(link);
    first.child.kill('SIGTERM');
    await first.ended;

    await using second = await PROGRAM.serve({ DATA_DIR: folder.path });

    assert.equal(first.stdout().match(/ is listening on /g)?.length, 1);
    assert.equal(new Set(first.stdout().match(/lh_(?:tenant|admin)_[\w-]{43}/g)).size, 2);
    assert.ok(link.startsWith(first.base));
    assert.equal(opened.status, 200);
    assert.doesNotMatch(second.stdout(), /lh_(?:tenant|admin)_/);
  },
);

testInLongRun(
  'each service alone knows nothing of the other, and both together find what it stored',
  async () => {
    await using folder = await testFolder();
    const settings = { DATA_DIR: folder.path, ...UNATTENDED };
    {
      await using hub = await PROGRAM.serve({ ...settings, SERVICES: 'traceability' });
      assert.equal((await postEvent(hub, 'e-1')).status, 201);
      assert.equal((await postNotification(hub, 'a')).status, 404);
      assert.equal(await readStatus(hub, '/inbox'), 404);
      assert.equal(existsSync(folder.file('notifications.db')), false);

      // Beside the other, over one directory.
      await using notifications = await PROGRAM.serve({ ...settings, SERVICES: 'notifications' });
      const start = await fetch(notifications.base, { redirect: 'manual' });
      assert.equal((await postNotification(notifications, 'a')).status, 201);
      assert.equal((await postEvent(notifications, 'e-2')).status, 404);
      assert.equal(await readStatus(notifications, '/api-docs'), 404);
      assert.equal(start.headers.get('location'), '/inbox');

      for (const services of ['both', 'traceability', 'notifications']) {
        const another = await captureRun((terminal) => runLothub(['serve'], terminal), {
          ...settings,
          PORT: '0',
          SERVICES: services,
        });
        assert.equal(another.code, 1);
        assert.match(another.stderr, /another lothub process is using it; stop that one first/);
      }
    }

    await using both = await PROGRAM.serve(settings);
    const event = await postEvent(both, 'e-1');
    const notification = await postNotification(both, 'b');

    assert.equal(event.status, 200);
    assert.equal(notification.body['seq'], 2);
  },
);

test('wrong settings of either service and of the start are reported together, and end it with 2', async () => {
  const run = await captureRun((terminal) => runLothub(['serve'], terminal), {
    SERVICES: 'all',
    PORT: 'http',
    TENANT_API_KEY: 'short',
    NOTIFICATIONS_STREAMS_PER_PERSON: '-1',
  });

  const named = [...run.stderr.matchAll(/^lothub: (\w+) is not usable/gm)].map(([, name]) => name);
  assert.equal(run.code, 2);
  assert.deepEqual(named.sort(), [
    'NOTIFICATIONS_STREAMS_PER_PERSON',
    'PORT',
    'SERVICES',
    'TENANT_API_KEY',
  ]);
});

test('after kill -9 under load both services have what they acknowledged', async () => {
  await using folder = await testFolder();
  const settings = {
    DATA_DIR: folder.path,
    RATE_LIMIT_V1: '0',
    NOTIFICATIONS_RATE_KEY_BURST: '0',
    ...UNATTENDED,
  };
  const killed = await PROGRAM.serve(settings);
  const events: string[] = [];
  const titles: string[] = [];
  const load = async (acknowledged: string[], send: (name: string) => Promise<Posted>) => {
    for (;;) {
      const name = `n-${acknowledged.length}`;
      const posted = await send(name).catch(() => undefined);
      if (posted === undefined) return; // It is dead.
      assert.equal(posted.status, 201);
      acknowledged.push(name);
      if (events.length >= 20 && titles.length >= 20) killed.child.kill('SIGKILL');
    }
  };
  await Promise.all([
    load(events, (name) => postEvent(killed, name)),
    load(titles, (name) => postNotification(killed, name)),
  ]);
  await killed.ended;

  await using again = await PROGRAM.serve(settings);
  const eventStatuses = new Set<number>();
  for (const name of events) eventStatuses.add((await postEvent(again, name)).status);
  const seqs: unknown[] = [];
  for (const title of titles) seqs.push((await postNotification(again, title)).body['seq']);

  assert.deepEqual([...eventStatuses], [200]);
  assert.deepEqual(
    seqs,
    titles.map((_title, index) => index + 1),
  );
});

test('a port that is taken is reported, and frees the directory for both services', async () => {
  await using folder = await testFolder();
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const settings = { DATA_DIR: folder.path, PORT: String(port), ...UNATTENDED };

  const runs = [
    await captureRun((terminal) => runLothub(['serve'], terminal), settings),
    await captureRun((terminal) => runLothub(['serve'], terminal), settings),
  ];
  taken.close();

  for (const { code, stderr } of runs) {
    assert.equal(code, 1);
    assert.match(stderr, /^lothub: listening on 127\.0\.0\.1 port \d+: another program /);
  }
});

/** Reads all groups of the first owner live; resolves when the stream has begun. */
async function openStream({ base }: ServedCli): Promise<Response> {
  const login = await fetch(`${base}/api/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: UNATTENDED.NOTIFICATIONS_OWNER_EMAIL,
      password: UNATTENDED.NOTIFICATIONS_OWNER_PASSWORD,
    }),
  });
  const [cookie = ''] = login.headers.getSetCookie();
  return await fetch(`${base}/api/v1/stream`, {
    headers: { Cookie: cookie.split(';')[0] ?? '' },
  });
}

/** Sends the head of a post; resolves when the service has taken it. */
async function beginPost(
  { base }: ServedCli,
  request: { readonly path: string; readonly key: string; readonly bodyBytes: number },
) {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${request.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `X-Api-Key: ${request.key}\r\nX-Tenant-Id: a\r\nExpect: 100-continue\r\n` +
      `Connection: close\r\nContent-Length: ${request.bodyBytes}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

async function readText(socket: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Until nobody listens any more. */
async function untilRefused({ base }: ServedCli): Promise<void> {
  for (;;) {
    try {
      await fetch(`${base}/health`, { headers: { Connection: 'close' } });
    } catch {
      return;
    }
    await wait(10);
  }
}
