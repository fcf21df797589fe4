// What posts wait while many readers come back far behind: a steady rate of posts alone, and the same
// while twenty streams resume over 50,000 notifications each.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DatabaseServer } from '../kit/database-server.ts';
import type { Latencies } from '../kit/load.ts';
import { POST_HEADERS, benchNotification, startNotifyHub, type NotifyHub } from './child.ts';
import { fillGroup } from './fill.ts';
import { Readers, checkComplete } from './readers.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';
import { startSteadyLoad, type SteadyRequest } from '../kit/steady-load.ts';

const READERS = 20;
const BEHIND = 50_000;
const POSTS_PER_SECOND = 100;
const POSTS_P99_TIMES = 1.5;
/** Each is measured alone and beside the readers. */
const ROUNDS = 3;
const ALONE_SECONDS = 10;
const RESUMED_MAX_SECONDS = 300;
const SECOND_MS = 1_000;
const LONG_BODY = 'Measured 7.4 degrees, expected at most 5. '.repeat(4);

export async function benchNotifyResuming(options: {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
}): Promise<readonly Figure[]> {
  const { dir, server } = options;
  await using hub = await startNotifyHub({
    dataDir: join(dir, 'resuming'),
    databaseUrl: (await server?.createDatabase())?.url,
  });
  const { address } = hub.services[0];
  const first = await fillGroup({ address, count: 1, body: benchNotification });
  await fillGroup({ address, count: BEHIND, body: countedNotification });
  const alone: Latencies[] = [];
  const beside: Latencies[] = [];
  const seconds: number[] = [];
  await postMeanwhile(address, () => setTimeout(ALONE_SECONDS * SECOND_MS));
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await postMeanwhile(address, () => setTimeout(ALONE_SECONDS * SECOND_MS)));
    const begunMs = performance.now();
    beside.push(await postMeanwhile(address, () => resumeAll(hub, first)));
    seconds.push((performance.now() - begunMs) / SECOND_MS);
  }
  const name = `${POSTS_PER_SECOND} posts/s`;
  const readers = `${READERS} readers resume over ${BEHIND}`;
  const ms = (rounds: readonly Latencies[], quantile: 'p50Ms' | 'p99Ms') => ({
    value: median(rounds.map((one) => one[quantile])),
    unit: 'ms',
  });
  return [
    { name: `${name}, p50`, ...ms(alone, 'p50Ms') },
    { name: `${name}, p99`, ...ms(alone, 'p99Ms') },
    { name: `${name} while ${readers}, p50`, ...ms(beside, 'p50Ms') },
    { name: `${name} while ${readers}, p99`, ...ms(beside, 'p99Ms') },
    {
      name: `p99 while ${readers}, compared`,
      value: medianShare(
        beside.map(({ p99Ms }) => p99Ms),
        alone.map(({ p99Ms }) => p99Ms),
      ),
      unit: 'times',
      target: { kind: 'at_most', value: POSTS_P99_TIMES },
    },
    { name: `${readers}, all of them`, value: median(seconds), unit: 's' },
  ];
}

/** The readers count these; the posts of the load have other titles. */
function countedNotification(n: number): string {
  return JSON.stringify({ title: `t${n}`, body: n % 4 === 0 ? LONG_BODY : undefined });
}

/** The waits of posts at a steady rate for as long as something else lasts. */
async function postMeanwhile(address: string, work: () => Promise<unknown>): Promise<Latencies> {
  const requests = Array.from(
    { length: POSTS_PER_SECOND * RESUMED_MAX_SECONDS },
    (_, n): SteadyRequest => ({
      kind: 'post',
      method: 'POST',
      path: '/api/v1/ingest',
      body: benchNotification(n),
    }),
  );
  const load = await startSteadyLoad({
    url: address,
    headers: POST_HEADERS,
    perSecond: POSTS_PER_SECOND,
    requests,
  });
  await work();
  const waits = (await load.stop()).get('post');
  if (waits === undefined) throw new Error('no post was sent');
  return waits;
}

/** @throws Error when a reader misses one of those that were there, or gets one twice */
async function resumeAll(hub: NotifyHub, after: number): Promise<void> {
  await using readers = await Readers.start();
  await readers.open(hub.services[0].address, {
    path: `/api/v1/stream?after=${after}`,
    headers: hub.readHeaders,
    count: READERS,
  });
  const expected = READERS * BEHIND;
  checkComplete(await readers.report(expected, RESUMED_MAX_SECONDS * SECOND_MS), expected);
}
