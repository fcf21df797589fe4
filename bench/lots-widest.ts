// Asks for the genealogy of the widest lot over and over, alone and while others post and read at a
// steady rate, and for what the others wait with it and without it.
import { setTimeout } from 'node:timers/promises';
import type { ServiceChild } from './child.ts';
import { checkedOnce, genealogyRead, readInTurn, recordRead } from './lots-reads.ts';
import type { OrdinaryLot } from './lots-reads.ts';
import type { Latencies } from './load.ts';
import type { Random } from './random.ts';
import { startSteadyLoad } from './steady-load.ts';
import type { SteadyRequest } from './steady-load.ts';
import type { SupplyChain } from './supply-chain.ts';

/** Half posts, half small reads. */
const OTHERS_PER_SECOND = 100;
const KINDS = ['single POST', 'small GET'] as const;
const SECOND_MS = 1_000;

export interface WidestResult {
  readonly nodeCount: number;
  readonly alone: Latencies;
  readonly meanwhile: Latencies;
  readonly others: readonly {
    readonly kind: string;
    readonly before: Latencies;
    readonly during: Latencies;
  }[];
}

interface WidestOptions {
  readonly service: ServiceChild;
  readonly chain: SupplyChain;
  readonly ordinary: readonly OrdinaryLot[];
  readonly random: Random;
  /** Of each of the three parts. */
  readonly seconds: number;
}

export async function measureWidest(options: WidestOptions): Promise<WidestResult> {
  const { service, chain, seconds } = options;
  const { lot } = chain.widest;
  const related = chain.model.related(lot);
  const widest = checkedOnce(genealogyRead(chain.model, { lot, related }));
  const start = () =>
    startSteadyLoad({
      url: service.address,
      perSecond: OTHERS_PER_SECOND,
      requests: othersRequests(options, OTHERS_PER_SECOND * (seconds + 1)),
    });
  const alone = await readInTurn(service, [widest], seconds);
  const undisturbed = await start();
  await setTimeout(seconds * SECOND_MS);
  const before = await undisturbed.stop();
  const disturbed = await start();
  const meanwhile = await readInTurn(service, [widest], seconds);
  const during = await disturbed.stop();
  return {
    nodeCount: related.nodeCount,
    alone,
    meanwhile,
    others: KINDS.map((kind) => ({
      kind,
      before: latenciesIn(before, kind),
      during: latenciesIn(during, kind),
    })),
  };
}

/** Posts, and records of ordinary lots, lists of events and single blocks. */
function othersRequests(options: WidestOptions, count: number): readonly SteadyRequest[] {
  const { chain, ordinary, random } = options;
  const pathOf = (n: number): string => {
    if (n % 3 === 0) return recordRead(chain.model, random.pick(ordinary).lot).path;
    if (n % 3 === 1) return '/v1/events?limit=10';
    return `/public/explorer/block/${random.integer(1, chain.eventCount)}`;
  };
  return chain.postBodies(Math.ceil(count / 2)).flatMap((body, n): readonly SteadyRequest[] => [
    { kind: KINDS[0], method: 'POST', path: '/v1/events', body },
    { kind: KINDS[1], method: 'GET', path: pathOf(n) },
  ]);
}

function latenciesIn(results: ReadonlyMap<string, Latencies>, kind: string): Latencies {
  const latencies = results.get(kind);
  if (latencies === undefined) throw new Error(`no ${kind} was answered`);
  return latencies;
}
