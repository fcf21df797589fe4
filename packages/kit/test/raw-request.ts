// Sends bytes over a socket as they are: for requests that no well-behaved client would send, such
// as repeated headers, broken escapes and malformed HTTP.
import { connect } from 'node:net';
import { PATIENCE_MS } from './patience.ts';

export interface RawAnswer {
  readonly status: number;
  /** Status line and headers as sent. */
  readonly head: string;
  readonly body: string;
}

/**
 * The first answer to `request`. Ask for `Connection: close`, unless the service is to close the
 * connection by itself.
 */
export async function rawRequest(base: string, request: string | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname);
  socket.setTimeout(PATIENCE_MS, () => {
    socket.destroy(new Error('the service neither answered nor closed the connection'));
  });
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', (error) => {
    if (chunks.length === 0) reject(error);
  });
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  socket.write(request);
  return answerIn(await promise);
}

function answerIn(text: string): RawAnswer {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  if (status === undefined) throw new Error(`no HTTP answer but ${text.length} characters`);
  const end = text.indexOf('\r\n\r\n');
  return { status: Number(status), head: text.slice(0, end), body: text.slice(end + 4) };
}

/** As Python's clients do: all of the request is written before any of the answer is read. */
export async function writeThenRead(base: string, request: Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(PATIENCE_MS, () => {
    socket.destroy(new Error('the service neither took the request nor closed the connection'));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(request, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
  return answerIn(Buffer.concat(await socket.toArray()).toString('utf8'));
}

/** The text of a request whose header lines are given as they are to be sent. */
export function requestText(
  line: string,
  headers: readonly string[] = [],
  body: string | undefined = undefined,
): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, ...length];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
