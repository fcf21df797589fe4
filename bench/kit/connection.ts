// One keep-alive connection to a service, on a plain socket, because the generator shares the
// machine's cores with the service: autocannon took 31 µs of a core for each request here, the
// runtime's HTTP client 43, this about 16.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { HEADERS } from './child.ts';

export interface RequestParts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** Byte for byte: a character for each byte of UTF-8. */
  readonly bytes: string;
}

/** @param headersOfEach headers of each request; by default those of the benchmarks' tenant */
export function requestWriter(
  target: URL,
  headersOfEach: Readonly<Record<string, string>> = HEADERS,
): (parts: RequestParts) => string {
  const headers = Object.entries({ host: target.host, ...headersOfEach })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return ({ method, path, body }) => {
    const start = `${method} ${path} HTTP/1.1\r\n${headers}`;
    if (body === undefined) return `${start}\r\n`;
    return (
      `${start}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  };
}

const STATUS_AT = 'HTTP/1.1 '.length;
const STATUS_DIGITS = 3;
const LINE_END = '\r\n';
const HEADERS_END = '\r\n\r\n';
const LENGTH_HEADER = 'content-length: ';
const CHUNKED_HEADER = 'transfer-encoding: chunked';
/** What a chunked answer ends with; no JSON text has a line end of this kind in it. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
const HEX = 16;

/** Where the body of an answer begins, and where it ends if the headers say so. */
interface Frame {
  readonly bodyAt: number;
  readonly end: number | 'last chunk';
}

/** Carries one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #parts: string[] = [];
  #length = 0;
  /** Of the answer that is being read, once its headers are here. */
  #frame: Frame | undefined;
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', (error) => this.#reject(error));
    socket.on('close', () => this.#reject(new Error('the service closed a connection')));
  }

  static async open(target: URL): Promise<Connection> {
    const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** @returns the answer, once it is here to its last byte */
  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
    this.#frame ??= this.#readFrame();
    const frame = this.#frame;
    if (frame === undefined || !this.#isWhole(frame)) return;
    const text = this.#joined();
    this.#parts = [];
    this.#length = 0;
    this.#frame = undefined;
    this.#resolve({
      status: Number(text.slice(STATUS_AT, STATUS_AT + STATUS_DIGITS)),
      bytes: frame.end === 'last chunk' ? unchunked(text, frame.bodyAt) : text.slice(frame.bodyAt),
    });
  }

  #isWhole({ bodyAt, end }: Frame): boolean {
    if (end !== 'last chunk') return this.#length >= end;
    if (this.#length < bodyAt + LAST_CHUNK.length) return false;
    let tail = '';
    for (let n = this.#parts.length - 1; n >= 0 && tail.length < LAST_CHUNK.length; n -= 1) {
      tail = (this.#parts[n] ?? '') + tail;
    }
    return tail.endsWith(LAST_CHUNK);
  }

  #readFrame(): Frame | undefined {
    const text = this.#joined();
    const headersEnd = text.indexOf(HEADERS_END);
    if (headersEnd < 0) return undefined;
    const bodyAt = headersEnd + HEADERS_END.length;
    // The service writes its headers small, a proxy does not.
    const headers = text.slice(0, headersEnd).toLowerCase();
    const lengthAt = headers.indexOf(LENGTH_HEADER);
    if (lengthAt >= 0) {
      const length = Number.parseInt(headers.slice(lengthAt + LENGTH_HEADER.length), 10);
      return { bodyAt, end: bodyAt + length };
    }
    if (headers.includes(CHUNKED_HEADER)) return { bodyAt, end: 'last chunk' };
    this.#reject(new Error('an answer that does not say where it ends'));
    return undefined;
  }

  /** Most answers come in one piece; a large one is joined once, when it is whole. */
  #joined(): string {
    return this.#parts.length === 1 ? (this.#parts[0] ?? '') : this.#parts.join('');
  }
}

function unchunked(text: string, bodyAt: number): string {
  const pieces: string[] = [];
  for (let at = bodyAt; ;) {
    const dataAt = text.indexOf(LINE_END, at) + LINE_END.length;
    const length = Number.parseInt(text.slice(at, dataAt), HEX);
    if (length === 0) return pieces.join('');
    pieces.push(text.slice(dataAt, dataAt + length));
    at = dataAt + length + LINE_END.length;
  }
}
