// Requests at a steady rate from a thread of their own, whether or not the answers come: what others
// wait while one caller asks for much. A wait is counted from the moment the request was due.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
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
  /** Sent in turn, each once; the load ends with the last of them. */
  readonly requests: readonly SteadyRequest[];
  /** Statuses that are counted, as `KIND, refused`; any other of an error ends the load. */
  readonly refusals?: readonly number[];
}

export interface SteadyLoad {
  /** Sends no further requests. @returns the waits by kind, once all answers are here */
  stop(): Promise<ReadonlyMap<string, Latencies & { readonly requests: number }>>;
}

/** With all of them waiting, the next request waits for one, and that counts as well. */
const CONNECTIONS = 64;
/** Of a refusal, in the error. */
const SAID_MAX = 300;
const SECOND_MS = 1_000;

export async function startSteadyLoad(options: SteadyOptions): Promise<SteadyLoad> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  await once(worker, 'message');
  return {
    stop: async () => {
      worker.postMessage('stop');
      const [waits] = (await once(worker, 'message')) as [ReadonlyMap<string, readonly number[]>];
      await worker.terminate();
      return new Map(
        [...waits].map(([kind, list]) => [
          kind,
          { ...summarizeLatencies(list), requests: list.length },
        ]),
      );
    },
  };
}

async function sendSteadily(options: SteadyOptions, port: NonNullable<typeof parentPort>) {
  const target = new URL(options.url);
  const write = requestWriter(target, options.headers);
  const free = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => Connection.open(target)),
  );
  const waits = new Map<string, number[]>();
  const underway = new Set<Promise<void>>();
  let isStopped = false;
  port.once('message', () => (isStopped = true));
  port.postMessage('ready');
  const startedAt = performance.now();
  for (const [n, request] of options.requests.entries()) {
    const dueAt = startedAt + (n * SECOND_MS) / options.perSecond;
    while (performance.now() < dueAt && !isStopped) await setTimeout(1);
    if (isStopped) break;
    let connection = free.pop();
    for (; connection === undefined; connection = free.pop()) await setTimeout(1);
    const taken = connection;
    const send = async (): Promise<void> => {
      const answer = await taken.send(write(request));
      const isRefused = options.refusals?.includes(answer.status) === true;
      const kind = isRefused ? `${request.kind}, refused` : request.kind;
      const list = waits.get(kind) ?? [];
      waits.set(kind, list);
      list.push(performance.now() - dueAt);
      if (answer.status >= 300 && !isRefused) {
        const said = answer.bytes.slice(0, SAID_MAX);
        throw new Error(`${request.method} ${request.path} was answered ${answer.status}: ${said}`);
      }
      free.push(taken);
    };
    const sending = send().finally(() => underway.delete(sending));
    underway.add(sending);
  }
  while (!isStopped) await setTimeout(1);
  await Promise.all(underway);
  port.postMessage(waits);
}

if (!isMainThread && parentPort !== null) {
  await sendSteadily(workerData as SteadyOptions, parentPort);
}
