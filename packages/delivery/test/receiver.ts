// A receiver of webhooks on this machine: keeps what it was sent and answers as a test wants.
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createEncryptedServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** For receiver.example and 127.0.0.1, signed by itself, with its key. */
export const RECEIVER_CERTIFICATE = readFileSync(
  new URL('certificates/receiver.pem', import.meta.url),
  'utf8',
);

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** As they came. */
  readonly bytes: Buffer;
}

/** Answers one request; `index` counts from 0 over all of them. */
export type Answering = (
  response: ServerResponse,
  request: Received,
  index: number,
) => void | Promise<void>;

export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:…` or `https://127.0.0.1:…`, without a slash at the end. */
  readonly base: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Requests that are not answered yet, and the most there were at a time. */
  readonly open: { now: number; most: number };
  /** Connections that it was given so far. */
  connections(): number;
  /** Resolves once so many have come. */
  arrived(count: number): Promise<void>;
}

export interface ReceiverOptions {
  readonly answer?: Answering;
  readonly scheme?: 'http' | 'https';
}

/** Answers 204 to everything by default. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { answer = (response) => void response.writeHead(204).end(), scheme = 'http' } = options;
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const open = { now: 0, most: 0 };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => (open.now -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const bytes = Buffer.concat(chunks);
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: bytes.toString('utf8'),
      bytes,
    };
    const index = received.push(one) - 1;
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    await answer(response, one, index);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    receive(request, response).catch(() => response.destroy());
  };
  const server =
    scheme === 'http'
      ? createPlainServer(listener)
      : createEncryptedServer({ key: RECEIVER_CERTIFICATE, cert: RECEIVER_CERTIFICATE }, listener);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `${scheme}://127.0.0.1:${port}`,
    port,
    received,
    open,
    connections: () => connections,
    arrived: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
