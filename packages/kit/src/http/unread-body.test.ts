// Answers to requests whose body has not been read: every client gets them, and no body is read for ever.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { requestText, writeThenRead } from '../../test/raw-request.ts';
import { DISCARD_LIMITS, discardUnreadBodies, type DiscardLimits } from './unread-body.ts';

const MEBIBYTE = 1_048_576;
/** More than the buffers of a connection hold. */
const BODY = Buffer.alloc(24 * MEBIBYTE, ' ');
const BODY_MAX = MEBIBYTE;

/** Refuses at `/early` before anything of a body is read, and at `/large` what is over its limit. */
async function listening(limits: DiscardLimits): Promise<FastifyInstance & AsyncDisposable> {
  const app = fastify({ bodyLimit: BODY_MAX });
  discardUnreadBodies(app, limits);
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === '/early') await reply.code(401).send({ detail: 'no key' });
  });
  app.post('/early', () => ({}));
  app.post('/large', () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

const getBase = (app: FastifyInstance): string => app.listeningOrigin;

function post(path: string, headers: readonly string[] = []): Buffer {
  const head = requestText(`POST ${path}`, [
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    ...headers,
  ]);
  return Buffer.concat([Buffer.from(head), BODY]);
}

for (const [path, status] of [
  ['/early', 401],
  ['/large', 413],
] as const) {
  test(`a client that writes all before it reads gets the ${status} of ${path}`, async () => {
    await using app = await listening(DISCARD_LIMITS);

    const answer = await writeThenRead(getBase(app), post(path));

    assert.equal(answer.status, status);
    assert.equal(
      Buffer.byteLength(answer.body),
      Number(/content-length: (\d+)/i.exec(answer.head)?.[1]),
    );
  });

  test(`fetch gets the ${status} of ${path}`, async () => {
    await using app = await listening(DISCARD_LIMITS);

    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(getBase(app) + path, { method: 'POST', headers, body: BODY });

    assert.equal(answer.status, status);
    assert.ok((await answer.text()).startsWith('{'));
  });
}

test('a body without a length that is too large is read on as well', async () => {
  await using app = await listening(DISCARD_LIMITS);
  const head =
    'POST /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n';
  const request = `${head}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n`;

  const answer = await writeThenRead(
    getBase(app),
    Buffer.concat([Buffer.from(request), BODY, Buffer.from('\r\n0\r\n\r\n')]),
  );

  assert.equal(answer.status, 413);
});

test('a connection that is kept serves its next request behind a body that was thrown away', async () => {
  await using app = await listening(DISCARD_LIMITS);
  const socket = connect(Number(new URL(getBase(app)).port), '127.0.0.1');
  const lines = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}`;
  socket.write(Buffer.concat([Buffer.from(`POST /early HTTP/1.1\r\n${lines}\r\n\r\n`), BODY]));
  socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');

  const text = Buffer.concat(await socket.toArray()).toString('utf8');

  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 404']);
});

for (const [what, limits] of [
  ['bytes', { ...DISCARD_LIMITS, bytesMax: MEBIBYTE }],
  ['time', { ...DISCARD_LIMITS, msMax: 1 }],
] as const) {
  test(`over its limit of ${what} a body is not read on: the connection ends`, async () => {
    await using app = await listening(limits);
    const socket = connect(Number(new URL(getBase(app)).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(`POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: ${10 * BODY.length}\r\n\r\n`);
    const writeOn = (error?: Error | null): void => {
      if (!(error instanceof Error) && socket.writable)
        socket.write(BODY.subarray(0, MEBIBYTE), writeOn);
    };

    if (what === 'bytes') writeOn();
    socket.resume();
    await closed;

    assert.ok(socket.bytesWritten < 10 * BODY.length);
  });
}

test('who leaves in the middle of a refused body ends the reading of it', async () => {
  await using app = await listening(DISCARD_LIMITS);
  const answered = Promise.withResolvers<void>();
  app.server.on('request', (_request, response) => response.on('close', answered.resolve));
  const socket = connect(Number(new URL(getBase(app)).port), '127.0.0.1');
  socket.write(`POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY.length}\r\n\r\nxx`);
  await once(socket, 'data');

  socket.destroy();

  await answered.promise;
});
