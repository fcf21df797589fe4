// The rate of single posts with and without open cases: posts that touch none of their lots, a mix of
// which a share does, and posts that all do.
import type { ServiceChild } from '../kit/child.ts';
import { load } from '../kit/load.ts';
import { lateEvent, lateSale } from './late.ts';
import { median } from '../kit/report.ts';
import type { SupplyChain } from '../supply/chain.ts';

const CONNECTIONS = 64;
const BODIES_AT_ONCE = 2_000;
/** Rounds until compiled code and page caches are those of a service that has been at it for a while. */
const WARM_UP_ROUNDS = 1;
/**
 * Of the posts of the mix, those that touch a lot of an open case: with a thousand cases of a hundred
 * lots a fifth of the hub's lots is recalled, though what is recalled is hardly moved any more.
 */
export const TOUCHING_SHARE = 0.1;
/** Of the touching posts one in so many makes a new lot, which widens the cases; the others sell. */
const WIDENING_EVERY = 5;

export interface PostMix {
  readonly name: string;
  /** Of the posts, those that touch a lot of the cases. */
  readonly touching: number;
  /** Promised of the rate with the cases, compared with the one without. */
  readonly shareLeast: number;
}

export const MIXES: readonly PostMix[] = [
  { name: 'posts, none touches a case', touching: 0, shareLeast: 0.9 },
  {
    name: `posts, ${TOUCHING_SHARE * 100} % touch cases`,
    touching: TOUCHING_SHARE,
    shareLeast: 0.7,
  },
  { name: 'posts, all touch cases', touching: 1, shareLeast: 0.6 },
];

/** Of one mix: the medians of its rounds. */
export interface MixResult {
  readonly perSecond: number;
  /** What `catchUp` resolved to after the posts of a round. */
  readonly behindMs: number;
}

/** @returns results in the order of {@link MIXES} */
export async function measurePosts(options: {
  readonly service: ServiceChild;
  readonly chain: SupplyChain;
  /** Lots of the cases, whether these are open at the time or not. */
  readonly covered: readonly number[];
  /** Of these, the ones of which nothing can be made that the cases do not cover. */
  readonly widened: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** Waits until the cases have followed all posts, so that no mix pays for the one before it. */
  readonly catchUp: () => Promise<number>;
}): Promise<readonly MixResult[]> {
  const { service, seconds, rounds } = options;
  const measured = MIXES.map((): MixResult[] => []);
  const codes = new Set(options.covered.map((lot) => options.chain.model.getCode(lot)));
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    for (const [index, mix] of MIXES.entries()) {
      const bodies = new MixedBodies({ ...options, codes, touching: mix.touching });
      const result = await load({
        url: `${service.address}/v1/events`,
        connections: CONNECTIONS,
        seconds,
        method: 'POST',
        body: (n) => bodies.at(n),
      });
      if (result.failures > 0) throw new Error(`${result.failures} ${mix.name} were refused`);
      const behindMs = await options.catchUp();
      if (round < WARM_UP_ROUNDS) continue;
      measured[index]?.push({ perSecond: result.perSecond, behindMs });
    }
  }
  return measured.map((results) => ({
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    behindMs: median(results.map(({ behindMs }) => behindMs)),
  }));
}

class MixedBodies {
  readonly #chain: SupplyChain;
  readonly #covered: readonly number[];
  readonly #widened: readonly number[];
  readonly #codes: ReadonlySet<string>;
  readonly #touching: number;
  readonly #ordinary: string[] = [];
  #touched = 0;

  constructor(options: {
    readonly chain: SupplyChain;
    readonly covered: readonly number[];
    readonly widened: readonly number[];
    readonly codes: ReadonlySet<string>;
    readonly touching: number;
  }) {
    this.#chain = options.chain;
    this.#covered = options.covered;
    this.#widened = options.widened;
    this.#codes = options.codes;
    this.#touching = options.touching;
    if (this.#touching < 1) this.#makeOrdinary();
  }

  at(n: number): string {
    const touchedByThen = Math.floor((n + 1) * this.#touching);
    return touchedByThen > this.#touched ? this.#nextTouching() : this.#nextOrdinary();
  }

  #nextTouching(): string {
    this.#touched += 1;
    const { model } = this.#chain;
    return JSON.stringify(
      this.#touched % WIDENING_EVERY === 0
        ? lateEvent(model, pickAny(this.#widened)).body
        : lateSale(model, pickAny(this.#covered)),
    );
  }

  #nextOrdinary(): string {
    if (this.#ordinary.length === 0) this.#makeOrdinary();
    const body = this.#ordinary.pop();
    if (body === undefined) throw new Error('every post of the hub touches a lot of a case');
    return body;
  }

  /** Bodies as the hub's own events, without those whose lots are of a case. */
  #makeOrdinary(): void {
    const bodies = this.#chain.postBodies(BODIES_AT_ONCE).toReversed();
    this.#ordinary.push(...bodies.filter((body) => !this.#touches(body)));
  }

  #touches(body: string): boolean {
    return [...body.matchAll(LOT_CODE)].some(([, code = '']) => this.#codes.has(code));
  }
}

function pickAny(lots: readonly number[]): number {
  const lot = lots[Math.floor(Math.random() * lots.length)];
  if (lot === undefined) throw new Error('no case covers a lot');
  return lot;
}

/** Codes of generated lots need no escapes. */
const LOT_CODE = /"lot_code":"([^"]+)"/g;
