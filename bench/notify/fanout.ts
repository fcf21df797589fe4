// Streams: a thousand readers at a steady rate of posts, with and without one of them stalled; ten
// thousand readers and one post; one reader that comes back ten thousand notifications behind.
import { join } from 'node:path';
import type { DatabaseServer } from '../kit/database-server.ts';
import { summarizeLatencies } from '../kit/load.ts';
import { benchNotification, startNotifyHub, type NotifyHub } from './child.ts';
import { fillGroup } from './fill.ts';
import { Readers, checkComplete, postSteadily } from './readers.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';

/** docs/performance.md#notifications */
const STEADY_READERS = 1_000;
const POSTS_PER_SECOND = 50;
const STEADY_P99_MS = 200;
const MANY_READERS = 10_000;
const MANY_WITHIN_MS = 750;
const BYTES_PER_READER = 25_000;
const BEHIND = 10_000;
const BEHIND_WITHIN_MS = 2_000;
const STALLED_TIMES = 1.2;

const STEADY_SECONDS = 10;
const STEADY_ROUNDS = 3;
const LONE_POSTS = 10;
/** Long enough that each post meets readers that have nothing else to do. */
const LONE_POSTS_PER_SECOND = 0.5;
const CATCH_UPS = 5;
/** Beside a stalled reader: what it does not read fills the system's buffers within seconds. */
const LONG_BODY = 'It goes on without an end. '.repeat(140);

export interface FanoutOptions {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
  readonly processes: number;
}

export async function benchNotifyFanout(options: FanoutOptions): Promise<readonly Figure[]> {
  return [
    ...(await benchSteadyReaders(options)),
    ...(await benchManyReaders(options)),
    ...(await benchCatchingUp(options)),
  ];
}

async function startHub(options: FanoutOptions, name: string): Promise<NotifyHub> {
  return await startNotifyHub({
    dataDir: join(options.dir, name),
    databaseUrl: (await options.server?.createDatabase())?.url,
    processes: options.processes,
  });
}

const STREAM = '/api/v1/stream';

/** Spread over all processes; the posts go to the first of them. */
async function openReaders(
  readers: Readers,
  hub: NotifyHub,
  count: number,
  stalled = false,
): Promise<void> {
  const { services, readHeaders: headers } = hub;
  for (const [n, { address }] of services.entries()) {
    const from = Math.round((n * count) / services.length);
    const share = Math.round(((n + 1) * count) / services.length) - from;
    if (share > 0) {
      await readers.open(address, { path: STREAM, headers, count: share, stalled });
    }
  }
}

async function benchSteadyReaders(options: FanoutOptions): Promise<readonly Figure[]> {
  const plain: number[] = [];
  const beside: number[] = [];
  const short: ReturnType<typeof summarizeLatencies>[] = [];
  const count = POSTS_PER_SECOND * STEADY_SECONDS;
  const expected = count * STEADY_READERS;
  const measure = async (hub: NotifyHub, readers: Readers, body?: string) => {
    const { address } = hub.services[0];
    const posts = { address, perSecond: POSTS_PER_SECOND, count };
    await postSteadily(body === undefined ? posts : { ...posts, body });
    const report = await readers.report(expected);
    checkComplete(report, expected);
    return summarizeLatencies(report.waits);
  };
  await using hub = await startHub(options, 'steady');
  await using readers = await Readers.start();
  await openReaders(readers, hub, STEADY_READERS);
  await measure(hub, readers);
  for (let round = 0; round < STEADY_ROUNDS; round += 1) {
    short.push(await measure(hub, readers));
    plain.push((await measure(hub, readers, LONG_BODY)).p99Ms);
    // Of its own process, so that it is gone with the round.
    await using stalled = await Readers.start();
    await openReaders(stalled, hub, 1, true);
    beside.push((await measure(hub, readers, LONG_BODY)).p99Ms);
  }
  const name = `${STEADY_READERS} readers, ${POSTS_PER_SECOND} posts/s`;
  const ms = (value: number) => ({ value, unit: 'ms' });
  return [
    { name: `${name}: post to arrival, p50`, ...ms(median(short.map(({ p50Ms }) => p50Ms))) },
    {
      name: `${name}: post to arrival, p99`,
      ...ms(median(short.map(({ p99Ms }) => p99Ms))),
      target: { kind: 'at_most', value: STEADY_P99_MS },
    },
    { name: `${name}, long bodies: p99`, ...ms(median(plain)) },
    { name: `${name}, long bodies, one more reader stalled: p99`, ...ms(median(beside)) },
    {
      name: 'p99 beside a stalled reader, compared',
      value: medianShare(beside, plain),
      unit: 'times',
      target: { kind: 'at_most', value: STALLED_TIMES },
    },
  ];
}

async function benchManyReaders(options: FanoutOptions): Promise<readonly Figure[]> {
  await using hub = await startHub(options, 'many');
  await using readers = await Readers.start();
  const { services } = hub;
  const memory = async (): Promise<number> => {
    const sizes = await Promise.all(services.map((service) => service.rssBytes()));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  const { address } = services[0];
  // Whatever a service makes once, it has made before the memory is looked at.
  await openReaders(readers, hub, 1);
  await postSteadily({ address, perSecond: POSTS_PER_SECOND, count: POSTS_PER_SECOND });
  await readers.report(POSTS_PER_SECOND);
  const before = await memory();
  await openReaders(readers, hub, MANY_READERS - 1);
  const idle = await memory();
  const longest: number[] = [];
  for (let n = 0; n < LONE_POSTS; n += 1) {
    await postSteadily({ address, perSecond: LONE_POSTS_PER_SECOND, count: 1 });
    const report = await readers.report(MANY_READERS);
    checkComplete(report, MANY_READERS);
    longest.push(report.waits.reduce((most, wait) => Math.max(most, wait), 0));
  }
  const after = await memory();
  const perReader = (bytes: number): number => (bytes - before) / MANY_READERS;
  return [
    {
      name: `${MANY_READERS} readers: one post to the last of them, median`,
      value: median(longest),
      unit: 'ms',
    },
    {
      name: `${MANY_READERS} readers: one post to the last of them, longest of ${LONE_POSTS}`,
      value: Math.max(...longest),
      unit: 'ms',
      target: { kind: 'at_most', value: MANY_WITHIN_MS },
    },
    { name: 'memory of a reader, idle', value: perReader(idle), unit: 'bytes' },
    {
      name: 'memory of a reader, after the posts',
      value: perReader(after),
      unit: 'bytes',
      target: { kind: 'at_most', value: BYTES_PER_READER },
    },
  ];
}

async function benchCatchingUp(options: FanoutOptions): Promise<readonly Figure[]> {
  await using hub = await startHub(options, 'behind');
  const { address } = hub.services[0];
  const first = await fillGroup({ address, count: 1, body: benchNotification });
  await fillGroup({ address, count: BEHIND, body: benchNotification });
  const times: number[] = [];
  for (let n = 0; n < CATCH_UPS; n += 1) {
    times.push(await catchUp(hub, first));
  }
  return [
    {
      name: `a reader ${BEHIND} behind has caught up, longest of ${CATCH_UPS}`,
      value: Math.max(...times),
      unit: 'ms',
      target: { kind: 'at_most', value: BEHIND_WITHIN_MS },
    },
  ];
}

const SEQ = /^data: \{"id":\d+,"group_id":"[^"]+","seq":(\d+)/;

/** @returns ms from the request to the last of them. @throws Error when one is missing or twice */
async function catchUp(hub: NotifyHub, after: number): Promise<number> {
  const begun = performance.now();
  const url = `${hub.services[0].address}${STREAM}?after=${after}`;
  const ending = new AbortController();
  const response = await fetch(url, { headers: hub.readHeaders, signal: ending.signal });
  if (response.body === null) throw new Error(`the stream was answered ${response.status}`);
  let rest = '';
  let seq = 1;
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = SEQ.exec(line);
      if (match === null) continue;
      if (Number(match[1]) !== seq + 1) throw new Error(`seq ${match[1]} came after ${seq}`);
      seq += 1;
    }
    if (seq === BEHIND + 1) break;
  }
  const took = performance.now() - begun;
  ending.abort();
  if (seq !== BEHIND + 1) throw new Error(`the stream ended at seq ${seq}`);
  return took;
}
