// The lot whose recall concerns the most: ten thousand lots were made from it in three steps, and all
// of them were sold of, in a hundred thousand lines, to thousands of customers.
import type { Portion, SupplyEvent } from './events.ts';
import { listPart, type ExtremesOptions } from './extremes.ts';
import type { OrdinaryFlow } from './flow.ts';
import { QUARTERS } from './model.ts';
import { SOLD } from './names.ts';
import type { Track } from './tracks.ts';

const DESCENDANTS_MAX = 10_000;
/** In a small hub so many events for one of those lots. */
const EVENTS_PER_DESCENDANT = 100;
/** Shares of the first and the second step; the third has the rest. */
const MIXED_SHARE = 0.01;
const PACKED_SHARE = 0.09;
const LINES_PER_DESCENDANT = 10;
/** Lines of one sale, and lots made by one run. */
const SALE_LINES = 10;
const RUN_LOTS = 10;
const SEED_QUARTERS = 40_000_000;
/** One in so many runs is recorded as two events with one reference. */
const SPLIT_RUNS = 7;

export class SoldLot {
  readonly descendantCount: number;
  /** SELL lines of all its descendants. */
  readonly lineCount: number;
  readonly tracks: readonly Track[];
  readonly #flow: OrdinaryFlow;
  readonly #descendants: number[] = [];
  #lot: number | undefined;

  constructor({ flow, eventCount }: Omit<ExtremesOptions, 'random'>) {
    this.#flow = flow;
    this.descendantCount = Math.min(
      DESCENDANTS_MAX,
      Math.floor(eventCount / EVENTS_PER_DESCENDANT),
    );
    this.lineCount = this.descendantCount * LINES_PER_DESCENDANT;
    const mixed = Math.max(1, Math.floor(this.descendantCount * MIXED_SHARE));
    const packed = Math.max(1, Math.floor(this.descendantCount * PACKED_SHARE));
    const sales = Math.ceil(this.lineCount / SALE_LINES);
    this.tracks = [
      { count: 1, from: 0.02, to: 1, make: () => [this.#receive()] },
      this.#step(1, mixed, [0.05, 0.1]),
      this.#step(2, packed, [0.12, 0.25]),
      this.#step(3, this.descendantCount - mixed - packed, [0.27, 0.5]),
      { count: sales, from: 0.52, to: 0.97, make: (n) => [this.#sell(n, sales)] },
    ];
  }

  get lot(): number {
    if (this.#lot === undefined) throw new Error('the sold lot was not received yet');
    return this.#lot;
  }

  #receive(): SupplyEvent {
    this.#lot = this.#flow.newReceived(seriesAt(0), SEED_QUARTERS);
    return this.#flow.events.receive([this.#lot]);
  }

  /** Runs that make `lots` lots of a level, each of one lot of the level above. */
  #step(level: number, lots: number, [from, to]: readonly [number, number]): Track {
    const runs = Math.ceil(lots / RUN_LOTS);
    return {
      count: runs,
      from,
      to,
      make: (n) => {
        const above = this.#flow.model.lotsOfSeries(seriesAt(level - 1));
        const source = above[n % above.length];
        if (source === undefined) throw new Error('a level was not made before the next one');
        const made = listPart(lots, runs, n).map(() => this.#flow.newMade(seriesAt(level)));
        this.#descendants.push(...made);
        return this.#flow.events.make({
          eventType: 'PRODUCE',
          basis: n % SPLIT_RUNS === 0 ? 'reference' : 'event',
          ins: [this.#flow.takePortion(source)],
          outs: made.map((lot) => this.#flow.takeWhole(lot)),
        });
      },
    };
  }

  /** The descendants in turn, each in as many lines as every other. */
  #sell(n: number, sales: number): SupplyEvent {
    const quarters = 1 + (n % QUARTERS);
    const portions = listPart(this.lineCount, sales, n).map((line): Portion => {
      const lot = this.#descendants[line % this.#descendants.length];
      if (lot === undefined) throw new Error('nothing was made of the sold lot');
      return { lot, quarters };
    });
    return this.#flow.events.sell(portions);
  }
}

function seriesAt(level: number): number {
  const seriesNo = SOLD[level];
  if (seriesNo === undefined) throw new Error(`there is no level ${level}`);
  return seriesNo;
}
