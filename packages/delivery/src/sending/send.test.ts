// Requests to real receivers on this machine, and to addresses that must not be reached.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setGlobalProxyFromEnv } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { present } from '@lothub/kit/present';
import { RECEIVER_CERTIFICATE, startReceiver, type Answering } from '../../test/receiver.ts';
import { AddressRules } from './address-rules.ts';
import type { Resolve } from './resolve-name.ts';
import { newSender, type SenderOptions, type WebhookRequest } from './send.ts';

const LOCAL = new AddressRules(['127.0.0.1']);
const NOBODY_ALLOWED = new AddressRules([]);
const BODY = '{"type":"notification.created"}';

function sendTo(
  url: string,
  options: Partial<SenderOptions> & { readonly signal?: AbortSignal } = {},
) {
  const { signal = new AbortController().signal, ...rest } = options;
  const send = newSender({ rules: LOCAL, ...rest });
  return send(requestTo(url, signal));
}

function requestTo(url: string, signal = new AbortController().signal): WebhookRequest {
  return { url: new URL(url), headers: { 'x-test': 'yes' }, body: BODY, signal };
}

const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) =>
    void response.writeHead(status, headers).end('and so on');

/** A name that stands for the receiver here. */
const resolveHere: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

test('a request is a POST with its headers and its body, and its status is reported', async () => {
  await using receiver = await startReceiver({ answer: answerWith(202) });

  const result = await sendTo(`${receiver.base}/hook?team=1`);

  assert.deepEqual(result, { kind: 'answered', status: 202, retryAfter: undefined });
  const [request] = receiver.received;
  assert.equal(`${request?.method} ${request?.path}`, 'POST /hook?team=1');
  assert.equal(request?.headers['x-test'], 'yes');
  assert.equal(request?.body, BODY);
});

test('a redirect is reported and not followed', async () => {
  await using target = await startReceiver();
  await using receiver = await startReceiver({
    answer: answerWith(307, { location: `${target.base}/` }),
  });

  const result = await sendTo(receiver.base);

  assert.deepEqual(result, { kind: 'answered', status: 307, retryAfter: undefined });
  assert.equal(target.received.length, 0);
});

test('an answer that never comes ends with the time-out', async () => {
  await using receiver = await startReceiver({ answer: () => undefined });

  const result = await sendTo(receiver.base, { timeoutMs: 50 });

  assert.deepEqual(result, { kind: 'unanswered', error: 'timed_out' });
});

test('headers that trickle in do not keep a try alive', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x-more: yes\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const result = await sendTo(`http://127.0.0.1:${port}/`, { timeoutMs: 100 });

  assert.deepEqual(result, { kind: 'unanswered', error: 'timed_out' });
  server.close();
});

test('a look-up that never ends is within the time-out', async () => {
  const resolve: Resolve = () => new Promise(() => undefined);

  const result = await sendTo('https://receiver.example/', { resolve, timeoutMs: 50 });

  assert.deepEqual(result, { kind: 'unanswered', error: 'timed_out' });
});

test('a body without end is cut off, and the status counts', async () => {
  let written = 0;
  await using receiver = await startReceiver({
    answer: (response) => {
      const endless = new Readable({
        read: () => {
          written += 16_384;
          endless.push(Buffer.alloc(16_384));
        },
      });
      endless.pipe(response.writeHead(200));
    },
  });

  const result = await sendTo(receiver.base);

  assert.deepEqual(result, { kind: 'answered', status: 200, retryAfter: undefined });
  // What the sockets of both sides hold comes on top of the 64 KiB that are read.
  assert.ok(written < 16 * 1_024 * 1_024, `${written} bytes`);
});

test('a body that stalls ends with the time-out, and the status counts', async () => {
  await using receiver = await startReceiver({
    answer: (response) => void response.writeHead(200).write('a'),
  });

  const result = await sendTo(receiver.base, { timeoutMs: 100 });

  assert.deepEqual(result, { kind: 'answered', status: 200, retryAfter: undefined });
});

test('a service that stops says nothing about the receiver', async () => {
  const stopping = new AbortController();
  await using receiver = await startReceiver({ answer: () => stopping.abort() });

  const result = await sendTo(receiver.base, { signal: stopping.signal });

  assert.deepEqual(result, { kind: 'stopped' });
});

test('each way to fail has its name', async () => {
  await using closed = await startReceiver();
  await closed[Symbol.asyncDispose]();
  await using hangsUp = await startReceiver({ answer: (response) => void response.destroy() });
  await using encrypted = await startReceiver({ scheme: 'https' });
  const noName = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });

  const results = await Promise.all([
    sendTo(closed.base),
    sendTo(hangsUp.base),
    sendTo(hangsUp.base.replace('http:', 'https:')),
    sendTo(encrypted.base),
    sendTo('https://nobody.example/', { resolve: () => Promise.reject(noName) }),
    sendTo('https://nobody.example/', { resolve: async () => [] }),
  ]);

  assert.deepEqual(
    results.map((result) => (result.kind === 'unanswered' ? result.error : result.kind)),
    [
      'connection_refused',
      'connection_lost',
      'tls_failed',
      'certificate_refused',
      'name_unknown',
      'name_unknown',
    ],
  );
});

test('a certificate must be trusted and of the right name', async () => {
  await using receiver = await startReceiver({ scheme: 'https' });
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, RECEIVER_CERTIFICATE]);
  try {
    const named = await sendTo(`https://receiver.example:${receiver.port}/`, {
      resolve: resolveHere,
    });
    const other = await sendTo(`https://other.example:${receiver.port}/`, { resolve: resolveHere });

    assert.deepEqual(named, { kind: 'answered', status: 204, retryAfter: undefined });
    assert.deepEqual(other, { kind: 'unanswered', error: 'certificate_refused' });
  } finally {
    setDefaultCACertificates(before);
  }
});

test('the proxy of the environment is not asked', async () => {
  await using receiver = await startReceiver();
  await using proxy = await startReceiver();
  const restore = setGlobalProxyFromEnv({ http_proxy: proxy.base, https_proxy: proxy.base });
  try {
    const result = await sendTo(receiver.base);

    assert.equal(result.kind, 'answered');
    assert.equal(proxy.received.length, 0);
    assert.equal(receiver.received.length, 1);
  } finally {
    restore();
  }
});

for (const addresses of [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  // One that would do does not hide the other.
  ['8.8.8.8', '127.0.0.1'],
]) {
  test(`a name that stands for ${addresses.join(' and ')} is not reached`, async () => {
    await using receiver = await startReceiver();
    const resolve: Resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

    const result = await sendTo(`https://receiver.example:${receiver.port}/`, {
      rules: NOBODY_ALLOWED,
      resolve,
    });

    assert.deepEqual(result, { kind: 'unanswered', error: 'address_refused' });
    assert.equal(receiver.open.most, 0);
  });
}

for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0']) {
  test(`the address ${host} in a URL is not reached`, async () => {
    await using receiver = await startReceiver();

    const result = await sendTo(`http://${host}:${receiver.port}/`, { rules: NOBODY_ALLOWED });

    assert.deepEqual(result, { kind: 'unanswered', error: 'address_refused' });
    assert.equal(receiver.open.most, 0);
  });
}

test('requests one after the other use one connection, those at once have one each', async () => {
  await using receiver = await startReceiver();
  const send = newSender({ rules: LOCAL });
  const request = requestTo(receiver.base);

  for (let n = 0; n < 3; n += 1) await send(request);
  const oneByOne = receiver.connections();
  const results = await Promise.all([send(request), send(request), send(request)]);

  assert.deepEqual([oneByOne, receiver.connections()], [1, 3]);
  assert.ok(results.every(({ kind }) => kind === 'answered'));
});

test('an idle connection that the receiver has closed is replaced', async () => {
  // It reads what comes on a connection that it has answered on, and hangs up.
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      socket.once('data', () => socket.resetAndDestroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const send = newSender({ rules: LOCAL });
  const request = requestTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  const results = [await send(request), await send(request), await send(request)];
  server.close();

  assert.deepEqual(
    results.map((result) => result.kind),
    ['answered', 'answered', 'answered'],
  );
  assert.equal(requests, 3);
});

test('idle connections are kept to a number of receivers', async () => {
  const receivers = await Promise.all(Array.from({ length: 33 }, () => startReceiver()));
  await using cleaning = new AsyncDisposableStack();
  for (const receiver of receivers) cleaning.use(receiver);
  const send = newSender({ rules: LOCAL });

  // The first ones together: on a busy machine one after the other takes longer than they are kept.
  for (let time = 0; time < 2; time += 1) {
    await Promise.all(receivers.slice(0, 32).map(({ base }) => send(requestTo(base))));
    await send(requestTo(present(receivers[32], 'the last one').base));
  }

  const connections = receivers.map((receiver) => receiver.connections());
  assert.deepEqual(connections, [...Array.from({ length: 32 }, () => 1), 2]);
});

test('a name is judged at each connection by what it stands for then', async () => {
  await using receiver = await startReceiver();
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  let asked = 0;
  const resolve: Resolve = async () =>
    (answers[(asked += 1) - 1] ?? []).map((address) => ({ address, family: 4 }));

  const url = `http://receiver.example:${receiver.port}/`;
  const first = await sendTo(url, { resolve });
  const second = await sendTo(url, { resolve });

  assert.equal(first.kind, 'answered');
  assert.deepEqual(second, { kind: 'unanswered', error: 'address_refused' });
  // Judged and connected to is one and the same answer: nobody asks again in between.
  assert.equal(asked, 2);
});

test('plain http goes to an allow-listed address and not to a public one', async () => {
  const resolve: Resolve = async () => [{ address: '8.8.8.8', family: 4 }];

  const result = await sendTo('http://receiver.example/', { resolve });

  assert.deepEqual(result, { kind: 'unanswered', error: 'address_refused' });
});
