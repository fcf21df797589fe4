// A refusal in the middle of an upload reaches every client, also one that reads no answer before it has
// sent everything: the rest of the form is read and dropped, up to a limit.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import fastify from 'fastify';
import { receiveFile, takeFormsOnly } from '../../src/csv-import/upload.ts';
import { installErrorAnswers } from '../../src/http-errors.ts';
import type { App } from '../../src/http.ts';
import { openImportApp } from './app.ts';

/** Far more than the buffers of two sockets hold. */
const SENT_BYTES = 24_000_000;
/** Files of more and of fewer bytes than are sent. */
const ROOMY_BYTES = 32_000_000;
const TIGHT_BYTES = 16_000_000;
/** A client that hangs for so long has not got its answer. */
const SLOW = { timeout: PATIENCE_MS } as const;
/** A disk without room, as Linux offers one. */
const FULL_DISK = '/dev/full';

const PATH = '/v1/import/csv';
const FORM = 'Content-Type: multipart/form-data; boundary=b';
const FILE_PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
const OTHER_PART = '--b\r\nContent-Disposition: form-data; name="secret"; filename="f"\r\n\r\n';

interface Sent {
  readonly headers: readonly string[];
  readonly query?: string;
  /** How the form begins; the rest is filled up. */
  readonly beginning?: string;
  /** Ends a client that waits for ever. */
  readonly signal: AbortSignal;
}

/** Sends all of a form and reads the answer only then, as urllib of Python does. */
async function sendThenRead(base: string, sent: Sent): Promise<string> {
  const { headers, query = '', beginning = FILE_PART, signal } = sent;
  const url = new URL(base);
  const socket = connect({ port: Number(url.port), host: url.hostname, signal });
  await once(socket, 'connect');
  const lines = [`POST ${PATH}${query} HTTP/1.1`, 'Host: x', ...headers];
  socket.write(`${lines.join('\r\n')}\r\nContent-Length: ${SENT_BYTES}\r\n\r\n`);
  const body = Buffer.alloc(SENT_BYTES, 'x\n');
  body.write(beginning);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(body, (error) => (error ? reject(error) : resolve()));
  });
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.endsWith('}')) break;
  }
  return answer;
}

/** Takes forms whose file goes to a disk that is full. */
async function openFullDiskApp(): Promise<App & AsyncDisposable> {
  const app: App = fastify({ forceCloseConnections: true });
  installErrorAnswers(app);
  takeFormsOnly(app);
  app.post(PATH, { bodyLimit: ROOMY_BYTES }, async (request) => {
    await receiveFile(request, { target: FULL_DISK, fileBytesMax: ROOMY_BYTES });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() });
}

const REFUSALS: readonly {
  readonly name: string;
  readonly status: number;
  readonly fileBytesMax?: number;
  readonly type?: string;
  readonly query?: string;
  readonly beginning?: string;
}[] = [
  { name: 'a file that is too large', status: 413, fileBytesMax: TIGHT_BYTES },
  { name: 'another part', status: 422, beginning: OTHER_PART },
  { name: 'a body that is no form', status: 415, type: 'Content-Type: text/csv' },
  { name: 'a wrong query', status: 422, query: '?on_error=never' },
];

for (const connection of ['keep-alive', 'close']) {
  test(
    `a full disk is answered to a client that sends first (${connection})`,
    SLOW,
    async ({ signal }) => {
      await using app = await openFullDiskApp();

      const answer = await sendThenRead(app.listeningOrigin, {
        headers: [FORM, `Connection: ${connection}`],
        signal,
      });

      assert.match(
        answer,
        /^HTTP\/1\.1 503 .*"The disk has no room for the file: nothing was stored/s,
      );
    },
  );

  for (const { name, status, fileBytesMax = ROOMY_BYTES, type = FORM, ...sent } of REFUSALS) {
    test(
      `${name} is answered to a client that sends first (${connection})`,
      SLOW,
      async ({ signal }) => {
        await using app = await openImportApp({ fileBytesMax });

        const headers = [type, `Connection: ${connection}`];
        const answer = await sendThenRead(app.base, { headers, ...sent, signal });

        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
        assert.doesNotMatch(answer, /secret/);
        assert.deepEqual(await app.leftovers(), []);
      },
    );
  }
}

test('a client that reads while it sends gets the answer at once', SLOW, async ({ signal }) => {
  await using app = await openImportApp();
  const url = new URL(app.base);
  const socket = connect({ port: Number(url.port), host: url.hostname, signal });
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\n${FORM}\r\nContent-Length: 9999\r\n\r\n`);
  socket.write(`${OTHER_PART}x`);

  const [answer] = (await once(socket, 'data')) as [Buffer];

  socket.destroy();
  assert.match(answer.toString(), /^HTTP\/1\.1 422 /);
});
