// `lothub serve` as a process: both services on one port, each alone, what it prints, how it ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestProgram, captureRun, testFolder } from '@lothub/kit/test/cli-run';
import type { ServedCli } from '@lothub/kit/test/cli-run';
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

async function statusOf({ base }: ServedCli, path: string): Promise<number> {
  return (await fetch(`${base}${path}`, { redirect: 'manual' })).status;
}

test('one process serves both services on one port', async () => {
  await using folder = await testFolder();
  await using served = await PROGRAM.serve({ DATA_DIR: folder.path, ...UNATTENDED });

  const event = await postEvent(served, 'e-1');
  const notification = await postNotification(served, 'Oven 3 is too hot');

  assert.equal(event.status, 201);
  assert.equal(notification.status, 201);
  assert.equal(await statusOf(served, '/api-docs'), 200);
  assert.equal(await statusOf(served, '/health'), 200);
  assert.equal(await statusOf(served, '/api/v1/health'), 200);
});

test('the first start prints keys and set-up link in one banner, and later starts no key', async () => {
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
});

test('a set-up without anybody prints no key, no link and no password', async () => {
  await using folder = await testFolder();

  await using served = await PROGRAM.serve({ DATA_DIR: folder.path, ...UNATTENDED }, ['--json']);

  const banner = JSON.parse(served.stdout().split('\n')[0] ?? '') as Record<string, unknown>;
  assert.deepEqual(Object.keys(banner).sort(), ['address', 'data_dir', 'inbox', 'keys', 'ok']);
  assert.deepEqual(banner['keys'], []);
  for (const secret of [GROUP_KEY, UNATTENDED.NOTIFICATIONS_OWNER_PASSWORD]) {
    assert.ok(!served.stdout().includes(secret));
  }
});

test('traceability alone knows no notifications and makes no database for them', async () => {
  await using folder = await testFolder();
  const settings = { DATA_DIR: folder.path, SERVICES: 'traceability', ...UNATTENDED };

  await using served = await PROGRAM.serve(settings);

  assert.equal((await postEvent(served, 'e-1')).status, 201);
  assert.equal((await postNotification(served, 'a')).status, 404);
  assert.equal(await statusOf(served, '/inbox'), 404);
  assert.equal(existsSync(folder.file('notifications.db')), false);
});

test('notifications alone know no chain, make no database for it and lead to the inbox', async () => {
  await using folder = await testFolder();
  const settings = { DATA_DIR: folder.path, SERVICES: 'notifications', ...UNATTENDED };

  await using served = await PROGRAM.serve(settings);
  const start = await fetch(served.base, { redirect: 'manual' });

  assert.equal((await postNotification(served, 'a')).status, 201);
  assert.equal((await postEvent(served, 'e-1')).status, 404);
  assert.equal(await statusOf(served, '/api-docs'), 404);
  assert.ok([302, 303, 307].includes(start.status));
  assert.equal(start.headers.get('location'), '/inbox');
  assert.equal(existsSync(folder.file('lothub.db')), false);
});

test('each service alone finds what both together have stored', async () => {
  await using folder = await testFolder();
  const settings = { DATA_DIR: folder.path, ...UNATTENDED };
  {
    await using both = await PROGRAM.serve(settings);
    await postEvent(both, 'e-1');
    await postNotification(both, 'first');
  }

  // One each, beside the other, over one directory.
  await using hub = await PROGRAM.serve({ ...settings, SERVICES: 'traceability' });
  await using notifications = await PROGRAM.serve({ ...settings, SERVICES: 'notifications' });
  const event = await postEvent(hub, 'e-1');
  const notification = await postNotification(notifications, 'second');

  assert.equal(event.status, 200);
  assert.equal(notification.body['seq'], 2);
});

for (const services of ['both', 'notifications'] as const) {
  test(`a directory that ${services} serve${services === 'both' ? 's' : ''} is refused to another process`, async () => {
    await using folder = await testFolder();
    const settings = { DATA_DIR: folder.path, ...UNATTENDED };
    await using _served = await PROGRAM.serve({ ...settings, SERVICES: services });

    const second = await captureRun((terminal) => runLothub(['serve'], terminal), {
      ...settings,
      PORT: '0',
    });

    assert.equal(second.code, 1);
    assert.match(second.stderr, /another lothub process is using it; stop that one first/);
  });
}

test('wrong settings of either service and of the start are told together, and end it with 2', async () => {
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

test('settings of a service that is not served are not looked at', async () => {
  await using folder = await testFolder();

  await using served = await PROGRAM.serve({
    DATA_DIR: folder.path,
    SERVICES: 'traceability',
    NOTIFICATIONS_STREAMS_PER_PERSON: '-1',
  });

  assert.equal(await statusOf(served, '/health'), 200);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends both services in order, with 0`, async () => {
    await using folder = await testFolder();
    await using served = await PROGRAM.serve({ DATA_DIR: folder.path, ...UNATTENDED });
    await postNotification(served, 'a');

    served.child.kill(signal);

    assert.equal(await served.ended, 0);
    assert.match(served.stdout(), /stopping/);
  });
}

test('posts that were begun at either service are answered although a stop was asked for', async () => {
  await using folder = await testFolder();
  await using served = await PROGRAM.serve({ DATA_DIR: folder.path, ...UNATTENDED });
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
  begun[0].write('{}');
  begun[1].write(notification);
  const answers = await Promise.all(begun.map(textOf));

  assert.match(answers[0] ?? '', /^HTTP\/1\.1 422 /);
  assert.match(answers[1] ?? '', /^HTTP\/1\.1 201 /);
  assert.equal(await served.ended, 0);
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

test('a port that is taken is told, and frees the directory for both services', async () => {
  await using folder = await testFolder();
  await using served = await PROGRAM.serve({ DATA_DIR: folder.file('a'), ...UNATTENDED });
  const settings = { DATA_DIR: folder.file('b'), ...UNATTENDED };

  const run = await captureRun((terminal) => runLothub(['serve'], terminal), {
    ...settings,
    PORT: new URL(served.base).port,
  });
  await using after = await PROGRAM.serve(settings);

  assert.equal(run.code, 1);
  assert.match(run.stderr, /^lothub: listening on 127\.0\.0\.1 port \d+: another program /);
  assert.equal(await statusOf(after, '/health'), 200);
});

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

async function textOf(socket: AsyncIterable<unknown>): Promise<string> {
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
