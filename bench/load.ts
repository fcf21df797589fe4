// Closed-loop load over keep-alive connections: each connection sends its next request when the
// last one was answered. Latencies in ms. Runs in the benchmark's process, apart from the service.
import { Agent, request } from 'node:http';
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
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const target = new URL(options.url);
  const latencies: number[] = [];
  let sent = 0;
  let failures = 0;
  const startedAt = performance.now();
  const endAt = startedAt + options.seconds * 1_000;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const n = sent;
      sent += 1;
      const body = options.body?.(n);
      const begun = performance.now();
      const call = request(
        {
          agent,
          host: target.hostname,
          port: target.port,
          path: options.path?.(n) ?? target.pathname + target.search,
          method: options.method,
          headers:
            body === undefined
              ? HEADERS
              : {
                  ...HEADERS,
                  'content-type': 'application/json',
                  'content-length': Buffer.byteLength(body),
                },
        },
        (response) => {
          response.resume();
          response.once('end', () => {
            latencies.push(performance.now() - begun);
            if ((response.statusCode ?? 500) >= 300) failures += 1;
            resolve();
          });
        },
      );
      call.once('error', reject);
      call.end(body);
    });
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      while (performance.now() < endAt) await one();
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / elapsed,
    requests: latencies.length,
    failures,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
