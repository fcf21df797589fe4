// Requests at a steady rate from a thread of their own, whether or not the answers come: what others
// wait while one caller asks for much. A wait is counted from the moment the request was due.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { Connection, requestWriter, type RequestParts } from './connection.ts';
import { summarizeLatencies, type Latencies } from './load.ts';

export interface SteadyRequest extends RequestParts {
  /** What it is counted as. */
  readonly kind: string;
}

export interface SteadyOptions {
  readonly url: string;
  /** Of each request; by default those of the benchmarks' tenant. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly perSecond: number;
  /**
   * Each is due at any moment of its interval, as people come, in place of its beginning. Loads beside each other then
   * meet as often as it happens, and not always or never.
   */
  readonly atAnyMoment?: boolean;
  /** Sent in turn, each once; the load ends with the last of them. */
  readonly requests: readonly SteadyRequest[];
  /**
   * What is due in this time from the beginning is sent and not counted: a load opens all its connections at once,
   * and what that takes is no wait of a load under way.
   */
  readonly beginningMs?: number;
  /** Statuses that are counted, as `KIND, refused`; any other of an error ends the load. */
  readonly refusals?: readonly number[];
}

export interface SteadyWaits extends Latencies {
  readonly requests: number;
  /** Of each request, in no order. */
  readonly waitsMs: readonly number[];
}

export interface SteadyLoad {
  /** Sends no further requests. @returns the waits by kind, once all answers are here */
  stop(): Promise<ReadonlyMap<string, SteadyWaits>>;
}

/** With all of them waiting, the next request waits for one, and that counts as well. */
const CONNECTIONS = 64;
/** Of a refusal, in the error. */
const SAID_MAX = 300;
const SECOND_MS = 1_000;
const STOPS_WITHIN_MS = 50;

/** Threads without a load. One that has sent before sends with compiled code, which takes less of the processors. */
const idleThreads: Worker[] = [];

export async function startSteadyLoad(options: SteadyOptions): Promise<SteadyLoad> {
  const thread = idleThreads.pop() ?? new Worker(new URL(import.meta.url));
  thread.ref();
  thread.postMessage(options);
  await once(thread, 'message');
  return {
    stop: async () => {
      thread.postMessage('stop');
      const [waits] = (await once(thread, 'message')) as [ReadonlyMap<string, readonly number[]>];
      thread.unref();
      idleThreads.push(thread);
      return new Map(
        [...waits].map(([kind, list]) => [
          kind,
          { ...summarizeLatencies(list), requests: list.length, waitsMs: list },
        ]),
      );
    },
  };
}

/** @param isStopped asked before each request, and while there is none to be sent */
async function sendSteadily(
  options: SteadyOptions,
  { ready, isStopped }: { readonly ready: () => void; readonly isStopped: () => boolean },
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { beginningMs = 0, atAnyMoment = false } = options;
  const target = new URL(options.url);
  const write = requestWriter(target, options.headers);
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(target)),
  );
  const free = [...connections];
  const waits = new Map<string, number[]>();
  const underway = new Set<Promise<void>>();
  ready();
  const startedAt = performance.now();
  for (const [n, request] of options.requests.entries()) {
    const place = atAnyMoment ? n + Math.random() : n;
    const dueAt = startedAt + (place * SECOND_MS) / options.perSecond;
    while (performance.now() < dueAt && !isStopped()) {
      const leftMs = Math.ceil(dueAt - performance.now());
      await setTimeout(Math.min(Math.max(leftMs, 1), STOPS_WITHIN_MS));
    }
    if (isStopped()) break;
    let connection = free.pop();
    for (; connection === undefined; connection = free.pop()) await setTimeout(1);
    const taken = connection;
    const send = async (): Promise<void> => {
      const answer = await taken.send(write(request));
      const isRefused = options.refusals?.includes(answer.status) === true;
      const kind = isRefused ? `${request.kind}, refused` : request.kind;
      if (dueAt - startedAt >= beginningMs) {
        const list = waits.get(kind) ?? [];
        waits.set(kind, list);
        list.push(performance.now() - dueAt);
      }
      if (answer.status >= 300 && !isRefused) {
        const said = answer.bytes.slice(0, SAID_MAX);
        throw new Error(`${request.method} ${request.path} was answered ${answer.status}: ${said}`);
      }
      free.push(taken);
    };
    const sending = send().finally(() => underway.delete(sending));
    underway.add(sending);
  }
  while (!isStopped()) await setTimeout(STOPS_WITHIN_MS);
  await Promise.all(underway);
  for (const connection of connections) connection.close();
  return waits;
}

function serveLoads(port: NonNullable<typeof parentPort>): void {
  let isStopped = false;
  port.on('message', (message: SteadyOptions | 'stop') => {
    if (message === 'stop') {
      isStopped = true;
      return;
    }
    isStopped = false;
    // What fails ends the thread, and with it the benchmark.
    void sendSteadily(message, {
      ready: () => port.postMessage('ready'),
      isStopped: () => isStopped,
    }).then((waits) => port.postMessage(waits));
  });
}

if (!isMainThread && parentPort !== null) serveLoads(parentPort);
