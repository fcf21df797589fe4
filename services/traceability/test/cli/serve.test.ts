// `lothub serve` as a process: its banner and keys, its log, signals, its lock on the data directory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_KEY, TENANT_KEY, type Json } from '../boot.ts';
import type { ServedCli, TestFolder } from '@lothub/kit/test/cli-run';
import { awaitEnd, runCli, serveCli, startCli, testFolder } from './run.ts';

const KEY = /lh_(?:tenant|admin)_[\w-]{43}/g;
const GIVEN_KEYS = { TENANT_API_KEY: TENANT_KEY, ADMIN_API_KEY: ADMIN_KEY };

function keysIn(text: string): readonly string[] {
  return [...new Set(text.match(KEY))];
}

describe('the first start and a later one', () => {
  let folder: TestFolder;
  let first: ServedCli;
  let firstEnd: number | string;
  let posted: Response;
  /** Status by address. */
  const shown = new Map<string, number>();
  let second: ServedCli;
  let secondEnd: number | string;
  before(async () => {
    folder = await testFolder();
    first = await serveCli({ DATA_DIR: folder.path });
    const banner = first.stdout();
    const body = /-d '([^']+)'/.exec(banner)?.[1] ?? '';
    const [key = ''] = keysIn(banner);
    const headers = {
      'X-Api-Key': key,
      'X-Tenant-Id': 'bakery',
      'Content-Type': 'application/json',
    };
    posted = await fetch(`${first.base}/v1/events`, { method: 'POST', headers, body });
    for (const [, address] of banner.matchAll(/^ +(http\S+)$/gm)) {
      shown.set(address!, (await fetch(address!)).status);
    }
    first.child.kill('SIGTERM');
    firstEnd = await first.ended;

    second = await serveCli({ DATA_DIR: folder.path });
    second.child.kill('SIGINT');
    secondEnd = await second.ended;
  });
  after(async () => {
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('the first start prints both keys, and no later start prints any', () => {
    assert.equal(keysIn(first.stdout()).length, 2);
    assert.deepEqual(keysIn(second.stdout()), []);
  });

  test('the event of the banner, sent unchanged, makes the lot that the banner shows', () => {
    assert.equal(posted.status, 201);
    assert.deepEqual([...shown.values()], [200, 200, 200, 200]);
  });

  test('the log begins after the banner and is one JSON object a line', () => {
    const [banner = '', log = ''] = first.stdout().split('Its log follows.\n');
    const messages = log.split('\n').filter((line) => line !== '');

    assert.match(banner, /^Lothub [\d.]+ is listening on /);
    assert.notEqual(messages.length, 0);
    for (const line of messages) assert.equal(typeof (JSON.parse(line) as Json)['msg'], 'string');
  });

  test('SIGTERM ends the service in order, with 0', () => {
    assert.equal(firstEnd, 0);
    assert.match(first.stdout(), /stopping/);
  });

  test('SIGINT ends the service in order, with 0', () => {
    assert.equal(secondEnd, 0);
    assert.match(second.stdout(), /stopping/);
  });
});

testInLongRun(
  'with --json every line of standard output is JSON, and the first holds address and keys',
  async () => {
    await using folder = await testFolder();
    await using served = await serveCli({ DATA_DIR: folder.path }, ['--json']);

    served.child.kill('SIGTERM');
    await served.ended;

    const [first, ...log] = served
      .stdout()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    assert.equal(first?.['address'], served.base);
    assert.equal(Object.keys(first?.['keys'] ?? {}).length, 2);
    assert.ok(log.every((line) => 'msg' in line));
  },
);

testInLongRun(
  'a request that was begun is answered although the service has been asked to stop',
  async () => {
    await using folder = await testFolder();
    await using served = await serveCli({ DATA_DIR: folder.path, ...GIVEN_KEYS });
    const socket = await beginEvent(served.base);
    served.child.kill('SIGTERM');
    await untilRefused(served.base);

    socket.write('}');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);

    assert.match(answer, /^HTTP\/1\.1 422 /);
    assert.equal(await served.ended, 0);
  },
);

/** Sends all of a request but its last byte; resolves when the service has taken the head. */
async function beginEvent(base: string) {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `X-Api-Key: ${TENANT_KEY}\r\nX-Tenant-Id: a\r\nExpect: 100-continue\r\n` +
      'Connection: close\r\nContent-Length: 2\r\n\r\n',
  );
  await once(socket, 'data');
  socket.write('{');
  return socket;
}

/** Until nobody listens any more. */
async function untilRefused(base: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${base}/health`, { headers: { Connection: 'close' } });
    } catch {
      return;
    }
    await wait(10);
  }
}

testInLongRun(
  'two services never share a data directory, and one that was killed leaves no lock behind',
  async () => {
    await using folder = await testFolder();
    const settings = { DATA_DIR: folder.path, ...GIVEN_KEYS };
    const killed = await serveCli(settings);

    const second = await runCli(['serve'], { ...settings, PORT: '0' });
    killed.child.kill('SIGKILL');
    await killed.ended;
    await using again = await serveCli(settings);

    assert.equal(second.code, 1);
    assert.match(second.stderr, /another lothub process is using it; stop that one first/);
    assert.equal((await fetch(`${again.base}/health`)).status, 200);
  },
);

test('a port that is taken is one plain sentence, ends with 1, and frees the data directory', async () => {
  await using folder = await testFolder();
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const settings = { DATA_DIR: folder.path, PORT: String(port), ...GIVEN_KEYS };

  // A lock that the first left behind would be what the second one names.
  const runs = [await runCli(['serve'], settings), await runCli(['serve'], settings)];
  taken.close();

  for (const { code, stderr } of runs) {
    assert.equal(code, 1);
    assert.match(stderr, /^lothub: listening on 127\.0\.0\.1 port \d+: another program .*\n$/);
  }
});

testInLongRun('a service whose log nobody reads any more goes on serving', async () => {
  await using folder = await testFolder();
  await using served = await serveCli({
    DATA_DIR: folder.path,
    LOG_LEVEL: 'debug',
    ...GIVEN_KEYS,
  });

  served.child.stdout.destroy();
  const statuses: number[] = [];
  for (let request = 0; request < 5; request += 1) {
    statuses.push((await fetch(`${served.base}/health`)).status);
  }

  assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
});

test('a settings error of a real process is on stderr, with 2, and stdout is empty', async () => {
  await using folder = await testFolder();
  const child = startCli(['serve'], { DATA_DIR: folder.path, PORT: 'http' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));

  const end = await awaitEnd(child);

  assert.equal(end, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /^lothub: PORT is not usable: give a whole number from 0 to 65535/);
});
