// Closed-loop load over keep-alive connections: each connection sends its next request when the
// last one was answered. Latencies in ms. On plain sockets, because the generator shares the
// machine's cores with the service: autocannon took 31 µs of a core for each request here, the
// runtime's HTTP client 43, this about 16.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { HEADERS } from './child.ts';

export interface LoadResult {
  readonly perSecond: number;
  readonly requests: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly method: 'GET' | 'POST';
  /** Body of request number `n`; none for GET. */
  readonly body?: (n: number) => string;
  /** Path of request number `n`, when it differs from the address. */
  readonly path?: (n: number) => string;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const target = new URL(options.url);
  const request = requestWriter(options, target);
  const latencies: number[] = [];
  let sent = 0;
  let failures = 0;
  const sockets = await Promise.all(
    Array.from({ length: options.connections }, () => openSocket(target)),
  );
  const startedAt = performance.now();
  const endAt = startedAt + options.seconds * 1_000;
  await Promise.all(
    sockets.map(async (socket) => {
      const answers = new AnswerReader(socket);
      while (performance.now() < endAt) {
        const begun = performance.now();
        socket.write(request(sent++));
        const status = await answers.next();
        latencies.push(performance.now() - begun);
        if (status >= 300) failures += 1;
      }
      socket.destroy();
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / elapsed,
    requests: latencies.length,
    failures,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

async function openSocket(target: URL): Promise<Socket> {
  const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function requestWriter(options: LoadOptions, target: URL): (n: number) => string {
  const headers = Object.entries({ host: target.host, ...HEADERS })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const fixedPath = target.pathname + target.search;
  return (n) => {
    const start = `${options.method} ${options.path?.(n) ?? fixedPath} HTTP/1.1\r\n${headers}`;
    if (options.body === undefined) return `${start}\r\n`;
    const body = options.body(n);
    return (
      `${start}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  };
}

const STATUS_AT = 'HTTP/1.1 '.length;
const STATUS_DIGITS = 3;
const HEADERS_END = '\r\n\r\n';
const LENGTH_HEADER = 'content-length: ';

/** Reads answers off one connection; every answer of the service names its length. */
class AnswerReader {
  #text = '';
  #resolve: (status: number) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      this.#text += chunk;
      this.#take();
    });
    socket.on('error', (error) => this.#reject(error));
    socket.on('close', () => this.#reject(new Error('the service closed a connection')));
  }

  /** Status of the next answer, once it is here to its last byte. */
  next(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #take(): void {
    const headersEnd = this.#text.indexOf(HEADERS_END);
    if (headersEnd < 0) return;
    const lengthAt = this.#text.indexOf(LENGTH_HEADER);
    if (lengthAt < 0 || lengthAt > headersEnd) {
      this.#reject(new Error('an answer without content-length'));
      return;
    }
    const length = Number.parseInt(this.#text.slice(lengthAt + LENGTH_HEADER.length), 10);
    const end = headersEnd + HEADERS_END.length + length;
    if (this.#text.length < end) return;
    const status = Number(this.#text.slice(STATUS_AT, STATUS_AT + STATUS_DIGITS));
    this.#text = this.#text.slice(end);
    this.#resolve(status);
  }
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
