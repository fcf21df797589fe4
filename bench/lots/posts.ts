// Single posts that go on where the generated hub ended, beside the same posts on an empty hub and
// posts of the same kinds on a small hub; and posts with lots from anywhere in the large one.
import { join } from 'node:path';
import { startService, type ServiceChild } from '../kit/child.ts';
import { TENANT, fillHub } from '../kit/hub.ts';
import { load } from '../kit/load.ts';
import { median } from '../kit/report.ts';
import { EVENTS_MIN, SupplyChain } from '../supply/chain.ts';
import type { Reach } from '../supply/flow.ts';

const CONNECTIONS = 64;
const BODIES_AT_ONCE = 2_000;
/** Rounds until compiled code and page caches are those of a service that has been at it for a while. */
const WARM_UP_ROUNDS = 2;

export interface PostRates {
  readonly noop: number;
  readonly hub: number;
  /** On the hub as well, with lots of any age. */
  readonly anywhere: number;
  readonly empty: number;
  readonly small: number;
  readonly hubOfNoop: number;
  readonly hubOfEmpty: number;
  readonly hubOfSmall: number;
  readonly anywhereOfEmpty: number;
}

/** Medians of rounds in which all are measured in turn, each with its own background verifier only. */
export async function comparePosts(options: {
  readonly chain: SupplyChain;
  readonly hub: ServiceChild;
  readonly dir: string;
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
}): Promise<PostRates> {
  const { chain, hub, dir, rounds, seconds } = options;
  const smallChain = new SupplyChain({
    eventCount: EVENTS_MIN,
    seed: options.seed + 1,
    tenantId: TENANT,
  });
  const smallDir = join(dir, 'small');
  await fillHub({ dataDir: smallDir, events: smallChain.events() });
  await using small = await startService({ dataDir: smallDir });
  await using empty = await startService({ dataDir: join(dir, 'empty') });
  const services = [hub, small, empty];
  const measureRate = async (
    service: ServiceChild,
    path: string,
    bodies: Bodies,
  ): Promise<number> => {
    for (const other of services) {
      other.process.send(other === service ? 'verifier-resume' : 'verifier-pause');
    }
    const result = await load({
      url: `${service.address}${path}`,
      connections: CONNECTIONS,
      seconds,
      method: 'POST',
      body: (n) => bodies.at(n),
    });
    if (result.failures > 0) throw new Error(`${result.failures} posts to ${path} were refused`);
    return result.perSecond;
  };
  const rates: Readonly<Record<'noop' | 'hub' | 'empty' | 'small', number>>[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const bodies = new Bodies(chain, 'recent');
    const measured = {
      hub: await measureRate(hub, '/v1/events', bodies),
      empty: await measureRate(empty, '/v1/events', bodies),
      small: await measureRate(small, '/v1/events', new Bodies(smallChain, 'recent')),
      noop: await measureRate(hub, '/v1/noop', bodies),
    };
    if (round >= WARM_UP_ROUNDS) rates.push(measured);
  }
  // Apart from the others: lots of any age drive the recent ones out of the caches.
  const anywhere: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    anywhere.push(await measureRate(hub, '/v1/events', new Bodies(chain, 'all')));
  }
  return {
    noop: median(rates.map(({ noop }) => noop)),
    hub: median(rates.map((rate) => rate.hub)),
    anywhere: median(anywhere),
    empty: median(rates.map((rate) => rate.empty)),
    small: median(rates.map((rate) => rate.small)),
    hubOfNoop: median(rates.map((rate) => rate.hub / rate.noop)),
    hubOfEmpty: median(rates.map((rate) => rate.hub / rate.empty)),
    hubOfSmall: median(rates.map((rate) => rate.hub / rate.small)),
    anywhereOfEmpty: median(anywhere) / median(rates.map((rate) => rate.empty)),
  };
}

/** As many bodies as are asked for, the same for the same number. */
class Bodies {
  readonly #chain: SupplyChain;
  readonly #reach: Reach;
  readonly #made: string[];

  constructor(chain: SupplyChain, reach: Reach) {
    this.#chain = chain;
    this.#reach = reach;
    this.#made = [...chain.postBodies(BODIES_AT_ONCE, reach)];
  }

  at(n: number): string {
    const body = this.#made[n];
    if (body !== undefined) return body;
    this.#made.push(...this.#chain.postBodies(BODIES_AT_ONCE, this.#reach));
    return this.at(n);
  }
}
