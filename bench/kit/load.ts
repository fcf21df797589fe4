// Closed-loop load over keep-alive connections: each connection sends its next request when the
// last one was answered. Latencies in ms.
import { Connection, requestWriter, type Answer } from './connection.ts';

export interface Latencies {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface LoadResult extends Latencies {
  readonly perSecond: number;
  readonly requests: number;
  readonly failures: number;
}

export interface LoadOptions {
  readonly url: string;
  /** The same at further processes: the connections go to all of them in turn. */
  readonly otherUrls?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly method: 'GET' | 'POST';
  /** Of each request; by default those of the benchmarks' tenant. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the load after so many requests, if the seconds have not done it. */
  readonly requestsMax?: number;
  /** Body of request number `n`; none for GET. */
  readonly body?: (n: number) => string;
  /** Path of request number `n`, when it differs from the address. */
  readonly path?: (n: number) => string;
  /** Looks at the answer to request number `n` after its time was taken; throws when it is wrong. */
  readonly check?: (n: number, answer: Answer) => void;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const target = new URL(options.url);
  const targets = [target, ...(options.otherUrls ?? []).map((url) => new URL(url))];
  const fixedPath = target.pathname + target.search;
  const requestsMax = options.requestsMax ?? Number.POSITIVE_INFINITY;
  const latencies: number[] = [];
  let sent = 0;
  let failures = 0;
  const connections = await Promise.all(
    Array.from({ length: options.connections }, async (_, n) => {
      const at = targets[n % targets.length] ?? target;
      return { connection: await Connection.open(at), write: requestWriter(at, options.headers) };
    }),
  );
  const startedAt = performance.now();
  const endAt = startedAt + options.seconds * 1_000;
  await Promise.all(
    connections.map(async ({ connection, write }) => {
      while (performance.now() < endAt && sent < requestsMax) {
        const n = sent++;
        const request = write({
          method: options.method,
          path: options.path?.(n) ?? fixedPath,
          body: options.body?.(n),
        });
        const begun = performance.now();
        const answer = await connection.send(request);
        latencies.push(performance.now() - begun);
        if (answer.status >= 300) failures += 1;
        options.check?.(n, answer);
      }
      connection.close();
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: latencies.length / elapsed,
    requests: latencies.length,
    failures,
    ...summarizeLatencies(latencies),
  };
}

export function summarizeLatencies(unsorted: readonly number[]): Latencies {
  const sorted = unsorted.toSorted((a, b) => a - b);
  return {
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
