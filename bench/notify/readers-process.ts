// Readers of a stream, thousands of them, in a process of their own. Each counts what it gets and checks
// that it comes in order and without gaps; when a notification was due is written in its title.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FromReaders, ReadersReport, ToReaders } from './readers.ts';

/** Connections that are opened at the same moment; a listening socket has room for 511. */
const OPENED_TOGETHER = 100;
const FRAME_END = '\n\n';
/** A frame of a notification: its seq, and in microseconds of the machine's clock when it was due. */
const NOTIFICATION = /"seq":(\d+),.*?"title":"t(\d+)/;
const MICROSECONDS = 1_000;

let waits: number[] = [];
let received = 0;
let outOfOrder = 0;
let ended = 0;

class Reader {
  readonly socket: Socket;
  #rest = '';
  #seq = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Resolves once the service has begun to answer. */
  static async open(options: ToReaders): Promise<Reader> {
    const socket = connect({ host: options.host, port: options.port, noDelay: true });
    socket.setEncoding('latin1');
    await once(socket, 'connect');
    const headers = Object.entries({ host: `${options.host}:${options.port}`, ...options.headers });
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`GET ${options.path} HTTP/1.1\r\n${head}\r\n`);
    const [first] = (await once(socket, 'data')) as [string];
    if (!first.startsWith('HTTP/1.1 200')) throw new Error(`the stream was answered ${first}`);
    const reader = new Reader(socket);
    socket.on('close', () => (ended += 1));
    socket.on('error', () => undefined);
    if (options.stalled) {
      socket.pause();
      return reader;
    }
    reader.#take(first);
    socket.on('data', (text: string) => reader.#take(text));
    return reader;
  }

  #take(text: string): void {
    const nowUs = Number(process.hrtime.bigint() / 1_000n);
    const whole = this.#rest + text;
    let at = 0;
    for (let end = whole.indexOf(FRAME_END); end >= 0; end = whole.indexOf(FRAME_END, at)) {
      const match = NOTIFICATION.exec(whole.slice(at, end));
      if (match !== null) {
        const seq = Number(match[1]);
        if (this.#seq !== 0 && seq !== this.#seq + 1) outOfOrder += 1;
        this.#seq = seq;
        received += 1;
        waits.push((nowUs - Number(match[2])) / MICROSECONDS);
      }
      at = end + FRAME_END.length;
    }
    this.#rest = whole.slice(at);
  }
}

const readers: Reader[] = [];

async function openAll(options: ToReaders): Promise<void> {
  for (let from = 0; from < options.count; from += OPENED_TOGETHER) {
    const count = Math.min(OPENED_TOGETHER, options.count - from);
    const opening = Array.from({ length: count }, () => Reader.open(options));
    readers.push(...(await Promise.all(opening)));
  }
}

function send(message: FromReaders): void {
  if (process.send === undefined) throw new Error('the benchmark starts this file as a child');
  process.send(message);
}

function takeReport(): ReadersReport {
  const report = { received, outOfOrder, ended, waits };
  waits = [];
  received = 0;
  return report;
}

process.on('message', (message: ToReaders | 'report' | 'received') => {
  if (message === 'report') send({ kind: 'report', report: takeReport() });
  else if (message === 'received') send({ kind: 'received', received });
  else {
    openAll(message).then(
      () => send({ kind: 'opened' }),
      (error: unknown) => send({ kind: 'failed', message: String(error) }),
    );
  }
});
send({ kind: 'ready' });
