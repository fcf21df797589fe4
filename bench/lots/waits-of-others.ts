// What others wait, who post and read at a steady rate, while one caller asks for much, beside what
// they wait without it.
import { setTimeout } from 'node:timers/promises';
import type { ServiceChild } from '../kit/child.ts';
import { recordRead, type OrdinaryLot } from './reads.ts';
import type { Latencies } from '../kit/load.ts';
import type { Random } from '../kit/random.ts';
import { startSteadyLoad, type SteadyRequest } from '../kit/steady-load.ts';
import type { SupplyChain } from '../supply/chain.ts';

/** Half posts, half small reads. */
const OTHERS_PER_SECOND = 100;
const KINDS = ['single POST', 'small GET'] as const;
const SECOND_MS = 1_000;

export interface OthersWaits {
  readonly kind: (typeof KINDS)[number];
  readonly before: Latencies;
  readonly during: Latencies;
}

export interface OthersOptions {
  readonly service: ServiceChild;
  readonly chain: SupplyChain;
  readonly ordinary: readonly OrdinaryLot[];
  readonly random: Random;
  /** How long they are undisturbed. */
  readonly seconds: number;
  /** They go on for so long beside the work; a longer work has nobody beside it in the end. */
  readonly workSecondsMax?: number;
}

export async function measureOthers<Result>(
  options: OthersOptions,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly others: readonly OthersWaits[] }> {
  const { service, seconds } = options;
  const start = (forSeconds: number) =>
    startSteadyLoad({
      url: service.address,
      perSecond: OTHERS_PER_SECOND,
      requests: othersRequests(options, OTHERS_PER_SECOND * forSeconds),
    });
  const undisturbed = await start(seconds + 1);
  await setTimeout(seconds * SECOND_MS);
  const before = await undisturbed.stop();
  const disturbed = await start((options.workSecondsMax ?? seconds) + 1);
  const result = await work();
  const during = await disturbed.stop();
  return {
    result,
    others: KINDS.map((kind) => ({
      kind,
      before: latenciesIn(before, kind),
      during: latenciesIn(during, kind),
    })),
  };
}

/** Posts, and records of ordinary lots, lists of events and single blocks. */
function othersRequests(options: OthersOptions, count: number): readonly SteadyRequest[] {
  const { chain, ordinary, random } = options;
  const buildPath = (n: number): string => {
    if (n % 3 === 0) return recordRead(chain.model, random.pick(ordinary).lot).path;
    if (n % 3 === 1) return '/v1/events?limit=10';
    return `/public/explorer/block/${random.integer(1, chain.eventCount)}`;
  };
  return chain.postBodies(Math.ceil(count / 2)).flatMap((body, n): readonly SteadyRequest[] => [
    { kind: KINDS[0], method: 'POST', path: '/v1/events', body },
    { kind: KINDS[1], method: 'GET', path: buildPath(n) },
  ]);
}

function latenciesIn(results: ReadonlyMap<string, Latencies>, kind: string): Latencies {
  const latencies = results.get(kind);
  if (latencies === undefined) throw new Error(`no ${kind} was answered`);
  return latencies;
}
