// Starts the process that reads streams, and posts to them at a steady rate.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection, requestWriter } from '../kit/connection.ts';
import { POST_HEADERS } from './child.ts';

/** Readers to be opened. */
export interface ToReaders {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
  /** They read the beginning of the answer and no byte more. */
  readonly stalled: boolean;
}

export interface ReadersReport {
  /** Notifications, all readers together. */
  readonly received: number;
  /** Notifications that did not follow on the one before. */
  readonly outOfOrder: number;
  /** Readers whose connection was closed. */
  readonly ended: number;
  /** From the moment a notification was due until a reader had it, ms. */
  readonly waits: readonly number[];
}

export type FromReaders =
  | { readonly kind: 'ready' | 'opened' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'received'; readonly received: number }
  | { readonly kind: 'report'; readonly report: ReadersReport };

/** How long the last of what was posted may take to arrive before it is taken for lost. */
const ARRIVAL_MAX_MS = 20_000;
const LOOK_EVERY_MS = 20;

export class Readers implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(): Promise<Readers> {
    const module = new URL('./readers-process.ts', import.meta.url);
    const child = fork(fileURLToPath(module), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // Numbers by the hundred thousand cross it.
      serialization: 'advanced',
    });
    await once(child, 'message');
    return new Readers(child);
  }

  /** Resolves once the service has begun to answer all of them. */
  async open(
    address: string,
    options: Omit<ToReaders, 'host' | 'port' | 'stalled'> & { readonly stalled?: boolean },
  ): Promise<void> {
    const { hostname: host, port } = new URL(address);
    await this.#ask({ stalled: false, ...options, host, port: Number(port) });
  }

  /** What has come since the last report, once `expected` notifications have, or too long has passed. */
  async report(expected: number, withinMs = ARRIVAL_MAX_MS): Promise<ReadersReport> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      const answer = await this.#ask('received');
      if (answer.kind === 'received' && answer.received >= expected) break;
      await setTimeout(LOOK_EVERY_MS);
    }
    const answer = await this.#ask('report');
    if (answer.kind !== 'report') throw new Error('the readers did not report');
    return answer.report;
  }

  async #ask(message: ToReaders | 'report' | 'received'): Promise<FromReaders> {
    this.#child.send(message);
    const [answer] = (await once(this.#child, 'message')) as [FromReaders];
    if (answer.kind === 'failed') throw new Error(answer.message);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** @throws Error when a reader missed one, got one twice or out of order, or was cut off */
export function checkComplete(report: ReadersReport, expected: number): void {
  if (report.received === expected && report.outOfOrder === 0 && report.ended === 0) return;
  throw new Error(
    `of ${expected} arrivals there were ${report.received}; ${report.outOfOrder} were out of ` +
      `order, and ${report.ended} readers were cut off`,
  );
}

/** Connections of one poster: a post that waits for the one before would be late. */
const POST_CONNECTIONS = 16;
const SECOND_MS = 1_000;

export interface SteadyPosts {
  readonly address: string;
  readonly perSecond: number;
  readonly count: number;
  readonly body?: string;
}

/** Posts at a steady rate, each with the moment it was due in its title. */
export async function postSteadily(options: SteadyPosts): Promise<void> {
  const target = new URL(options.address);
  const write = requestWriter(target, POST_HEADERS);
  const free = await Promise.all(
    Array.from({ length: POST_CONNECTIONS }, () => Connection.open(target)),
  );
  const all = [...free];
  const underway: Promise<void>[] = [];
  const startedAt = process.hrtime.bigint();
  for (let n = 0; n < options.count; n += 1) {
    const dueNs = startedAt + BigInt(Math.round((n * SECOND_MS * 1e6) / options.perSecond));
    while (process.hrtime.bigint() < dueNs) await setTimeout(1);
    let connection = free.pop();
    for (; connection === undefined; connection = free.pop()) await setTimeout(1);
    const taken = connection;
    const request = write({
      method: 'POST',
      path: '/api/v1/ingest',
      body: JSON.stringify({ title: `t${dueNs / 1_000n}`, body: options.body }),
    });
    const post = async (): Promise<void> => {
      const answer = await taken.send(request);
      if (answer.status !== 201) throw new Error(`a post was answered ${answer.status}`);
      free.push(taken);
    };
    underway.push(post());
  }
  await Promise.all(underway);
  for (const connection of all) connection.close();
}
