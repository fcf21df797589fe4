// What the log costs those who post: single posts with their proof, single posts without it, and batches,
// each beside the same service with LOG=off, in turn.
import { join } from 'node:path';
import { BATCH_EVENTS, batchBodies, postBatches } from '../batches.ts';
import { benchEvent } from '../events.ts';
import { HEADERS, startService, type ServiceChild } from '../kit/child.ts';
import type { DatabaseServer } from '../kit/database-server.ts';
import { expectEqual, readJson, textAt, valueAt } from '../kit/json-answer.ts';
import { load, type LoadResult } from '../kit/load.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';
import { watchServices } from '../kit/service-watch.ts';

const CONNECTIONS = 64;
/** Many short ones: the speed of a virtual machine changes from second to second. */
const ROUNDS = 24;
/** Rounds that are not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 2;
/** A service that has rested is slower for the first second, and more so the more it has to do. */
const ROUND_SECONDS = 3;
/** Of a round. */
const BATCHES = 8;
const BATCH_ROUNDS = 36;
const BATCH_WARM_UP_ROUNDS = 3;
const US_PER_SECOND = 1_000_000;

const SINGLE_SHARE = 0.9;
const P99_TIMES = 1.15;
const BATCH_SHARE = 0.95;

type Way = 'off' | 'proof' | 'minimal';

const WAYS: Readonly<Record<Way, string>> = {
  off: 'LOG=off',
  proof: 'with its proof',
  minimal: 'with Prefer: return=minimal',
};

export async function benchPosts(options: {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
}): Promise<readonly Figure[]> {
  const { dir, server } = options;
  const start = async (name: string, env: Readonly<Record<string, string>>) => {
    const database = await server?.createDatabase();
    const url = database && { DATABASE_URL: database.url };
    return await startService({ dataDir: join(dir, name), env: { ...env, ...url } });
  };
  // One for each way: rows of another way would slow down the service that has them.
  await using off = await start('off', { LOG: 'off' });
  await using proof = await start('proof', {});
  await using minimal = await start('minimal', {});
  const hubs: Hubs = { services: { off, proof, minimal }, server };
  return [...(await benchSingles(hubs)), ...(await benchBatches(hubs))];
}

interface Hubs {
  readonly services: Readonly<Record<Way, ServiceChild>>;
  readonly server: DatabaseServer | undefined;
}

interface Measured {
  readonly result: LoadResult;
  /** Of the service, for each post, microseconds; undefined on a system that does not say. */
  readonly processorUs: number | undefined;
}

async function benchSingles(hubs: Hubs): Promise<readonly Figure[]> {
  const measured: Readonly<Record<Way, Measured[]>> = { off: [], proof: [], minimal: [] };
  const ways: readonly Way[] = ['off', 'proof', 'minimal'];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    console.error(`single posts: round ${round + 1} of ${WARM_UP_ROUNDS + ROUNDS}`);
    // Forwards and backwards, so that nobody is always measured after the same neighbour.
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const one = await postSingles(hubs, way, round);
      if (round >= WARM_UP_ROUNDS) measured[way].push(one);
    }
  }
  const figures = (way: Way, value: (result: LoadResult) => number): readonly number[] =>
    measured[way].map(({ result }) => value(result));
  const rate = ({ perSecond }: LoadResult): number => perSecond;
  const p99 = ({ p99Ms }: LoadResult): number => p99Ms;
  return [
    ...ways.flatMap((way) => singleFigures(WAYS[way], measured[way])),
    ...(['proof', 'minimal'] as const).flatMap((way): readonly Figure[] => [
      {
        name: `single POST ${WAYS[way]} as a share of LOG=off`,
        value: medianShare(figures(way, rate), figures('off', rate)),
        unit: '',
        target: { kind: 'at_least', value: SINGLE_SHARE },
      },
      {
        name: `single POST ${WAYS[way]}, p99 compared with LOG=off`,
        value: medianShare(figures(way, p99), figures('off', p99)),
        unit: 'times',
        target: { kind: 'at_most', value: P99_TIMES },
      },
    ]),
  ];
}

function singleFigures(way: string, measured: readonly Measured[]): readonly Figure[] {
  const middle = (value: (result: LoadResult) => number): number =>
    median(measured.map(({ result }) => value(result)));
  const processor = measured.flatMap(({ processorUs }) => processorUs ?? []);
  return [
    { name: `single POST ${way}`, value: middle(({ perSecond }) => perSecond), unit: '/s' },
    { name: `single POST ${way}, p50`, value: middle(({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: `single POST ${way}, p99`, value: middle(({ p99Ms }) => p99Ms), unit: 'ms' },
    ...(processor.length === 0
      ? []
      : [{ name: `single POST ${way}, processor time`, value: median(processor), unit: 'µs' }]),
  ];
}

async function postSingles(hubs: Hubs, way: Way, round: number): Promise<Measured> {
  const service = chooseBusy(hubs, way);
  const watch = watchServices([service], hubs.server);
  watch.start();
  const result = await load({
    url: `${service.address}/v1/events`,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    method: 'POST',
    headers: way === 'minimal' ? { ...HEADERS, prefer: 'return=minimal' } : HEADERS,
    body: (n) => JSON.stringify(benchEvent(n, `${way}${round}`)),
    check: (n, answer) => {
      if (n === 0) checkAnswer(way, readJson(answer));
    },
  });
  const use = watch.stop().find(({ name }) => name === 'service');
  if (result.failures > 0) throw new Error(`${result.failures} posts were refused`);
  const processorUs = use && (use.cores * US_PER_SECOND) / result.perSecond;
  return { result, processorUs };
}

/** The others, which have nothing to do meanwhile, are to do nothing. */
function chooseBusy({ services }: Hubs, way: Way): ServiceChild {
  const busy = services[way];
  for (const service of Object.values(services)) {
    service.process.send(service === busy ? 'verifier-resume' : 'verifier-pause');
  }
  return busy;
}

/** What is measured is what is meant. */
function checkAnswer(way: Way, answer: unknown): void {
  if (way === 'proof') textAt(answer, 'log', 'proof');
  if (way === 'minimal') expectEqual('log', valueAt(answer, 'log'), undefined);
  if (way === 'off') expectEqual('log_state', valueAt(answer, 'log_state'), 'off');
}

async function benchBatches(hubs: Hubs): Promise<readonly Figure[]> {
  const rates: Readonly<Record<'off' | 'proof', number[]>> = { off: [], proof: [] };
  const ways = ['off', 'proof'] as const;
  const rounds = BATCH_WARM_UP_ROUNDS + BATCH_ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    console.error(`batches: round ${round + 1} of ${rounds}`);
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const bodies = batchBodies(BATCHES, `batch-${way}${round}`);
      const rate = await postBatches(chooseBusy(hubs, way), bodies);
      if (round >= BATCH_WARM_UP_ROUNDS) rates[way].push(rate);
    }
  }
  const name = `batches of ${BATCH_EVENTS} events`;
  return [
    { name: `${name}, LOG=off`, value: median(rates.off), unit: 'events/s' },
    { name: `${name}, with their checkpoint`, value: median(rates.proof), unit: 'events/s' },
    {
      name: `${name} as a share of LOG=off`,
      value: medianShare(rates.proof, rates.off),
      unit: '',
      target: { kind: 'at_least', value: BATCH_SHARE },
    },
  ];
}
