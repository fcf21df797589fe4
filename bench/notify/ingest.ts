// Durable posts over many connections, beside a no-op of the same server and beside posts of which each
// is a commit of its own.
import { join } from 'node:path';
import { load, type LoadResult } from '../kit/load.ts';
import { POST_HEADERS, benchNotification, startNotifyHub, type NotifyHub } from './child.ts';
import { processorFigures, type ProcessorUse } from '../kit/processor-time.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';
import { flushesPerSecond } from '../kit/scratch.ts';
import { watchServices } from '../kit/service-watch.ts';
import type { DatabaseServer } from '../kit/database-server.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
/** Rounds that are not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 1;
const ROUND_SECONDS = 4;
/** docs/performance.md#notifications */
const SHARE_OF_NOOP = 0.4;
const TIMES_ONE_BY_ONE = 10;

export async function benchNotifyIngest(options: {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
  readonly processes: number;
}): Promise<readonly Figure[]> {
  const { dir, server, processes } = options;
  await using hub = await startNotifyHub({
    dataDir: join(dir, 'ingest'),
    databaseUrl: (await server?.createDatabase())?.url,
    processes,
  });
  const noops: LoadResult[] = [];
  const reals: LoadResult[] = [];
  const singles: LoadResult[] = [];
  const flushes: number[] = [];
  const uses: (readonly ProcessorUse[])[] = [];
  const watch = watchServices(hub.services, server);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const flushRate = flushesPerSecond(dir);
    const noop = await post(hub, 'noop');
    watch.start();
    const real = await post(hub, 'ingest');
    const use = watch.stop();
    const single = await post(hub, `one-by-one/${hub.groupId}`);
    if (round < WARM_UP_ROUNDS) continue;
    flushes.push(flushRate);
    noops.push(noop);
    reals.push(real);
    singles.push(single);
    uses.push(use);
  }
  const rates = (results: readonly LoadResult[]) => results.map(({ perSecond }) => perSecond);
  const latency = (read: (result: LoadResult) => number): number => median(reals.map(read));
  const name = `durable post, ${CONNECTIONS} connections`;
  return [
    { name: 'disk flushes', value: median(flushes), unit: '/s' },
    { name: `no-op POST, ${CONNECTIONS} connections`, value: median(rates(noops)), unit: '/s' },
    { name, value: median(rates(reals)), unit: '/s' },
    { name: `${name}, p50`, value: latency(({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: `${name}, p99`, value: latency(({ p99Ms }) => p99Ms), unit: 'ms' },
    {
      name: 'durable post as a share of the no-op',
      value: medianShare(rates(reals), rates(noops)),
      unit: '',
      target: { kind: 'at_least', value: SHARE_OF_NOOP },
    },
    { name: 'the same, one commit per request', value: median(rates(singles)), unit: '/s' },
    {
      name: 'durable post compared with one commit per request',
      value: medianShare(rates(reals), rates(singles)),
      unit: 'times',
      target: { kind: 'at_least', value: TIMES_ONE_BY_ONE },
    },
    // On a disk that flushes quickly the promise may lie beyond what the server does at all.
    {
      name: 'no-op compared with one commit per request',
      value: medianShare(rates(noops), rates(singles)),
      unit: 'times',
    },
    ...processorFigures('durable post', uses),
  ];
}

async function post(hub: NotifyHub, path: string): Promise<LoadResult> {
  const urls = hub.services.map(({ address }) => `${address}/api/v1/${path}`);
  const result = await load({
    url: urls[0] ?? '',
    otherUrls: urls.slice(1),
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    method: 'POST',
    headers: POST_HEADERS,
    body: benchNotification,
  });
  if (result.failures > 0) throw new Error(`${result.failures} posts to ${path} were refused`);
  return result;
}
