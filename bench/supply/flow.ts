// The ordinary flow of goods of one tenant: received, made into others in three steps, packed in
// three, and meanwhile moved, shipped, sold, disposed of.
import type { Random } from '../kit/random.ts';
import { SupplyEvents, type Portion, type SupplyEvent } from './events.ts';
import { PACKED_FROM, QUARTERS, SupplyModel } from './model.ts';
import { DEEPEST, FILM, ORDINARY } from './names.ts';
import type { Track } from './tracks.ts';

/** Of a million events of a flow; what these leave are movements. */
const MILLION = 1_000_000;
const RECEIPTS = 60_000;
/** Productions or packings of one level. */
const RUNS_OF_LEVEL = 41_000;
const LOTS_PER_DAY = 500;

/** Movements of a hundred. */
const MOVEMENTS = [
  { kind: 'ship', share: 32 },
  { kind: 'sell', share: 36 },
  { kind: 'transfer', share: 23 },
  { kind: 'dispose', share: 6 },
  { kind: 'correct', share: 3 },
] as const;

/** When the first run of each level comes, and the first movement: some lots have to be there. */
const LEVEL_STEP = 0.004;
const FIRST_MOVEMENT_AT = 0.03;
/** Lots of the level above that are at hand for a run: fewer make families, more mix all with all. */
const AT_HAND = 14;
/** Share of a level's lots that may be moved at any time: the last ones made. */
const IN_STOCK = 0.04;
const IN_STOCK_MIN = 40;
/** A run takes such a part of a lot. */
const PARTS_OF_RUNS = 4;
/** A lot is shipped and sold in so many parts. */
const PARTS_OF_LOT = 6;
/** Tries to find a lot of which something is left. */
const TRIES = 4;

/** One in so many runs is recorded as two events with one reference. */
const SPLIT_RUNS = 7;
/** One in so many deliveries of two lots is of one lot of the supplier. */
const SAME_SUPPLIER_LOT = 4;
/** Share of the last packings that use film, and how often one roll is used. */
const FILM_SHARE = 0.6;
const FILM_USES_MAX = 1_200;
const FILM_USES_MIN = 10;
const FILM_QUARTERS = 40_000;
const LOT_QUARTERS = { least: 800, most: 6_000 } as const;

/** Where a run or a movement finds its lots: among the last ones made, or among all of them. */
export type Reach = 'recent' | 'all';

export class OrdinaryFlow {
  readonly model: SupplyModel;
  readonly events: SupplyEvents;
  reach: Reach = 'recent';
  readonly #random: Random;
  readonly #eventCount: number;
  readonly #filmUsesMax: number;
  #filmUses = Number.POSITIVE_INFINITY;
  #supplierLots = 0;

  /** @param options.hubEvents lots are numbered by the day, as many a day as fit the hub */
  constructor(options: {
    readonly tenantId: string;
    readonly eventCount: number;
    readonly hubEvents: number;
    readonly random: Random;
  }) {
    const { tenantId, random } = options;
    this.#random = random;
    this.#eventCount = options.eventCount;
    this.#filmUsesMax = Math.min(
      FILM_USES_MAX,
      Math.max(FILM_USES_MIN, Math.floor(options.eventCount / 100)),
    );
    this.model = new SupplyModel({
      lotsPerDay: Math.ceil((LOTS_PER_DAY * options.hubEvents) / MILLION),
    });
    this.events = new SupplyEvents({ model: this.model, random, tenantId });
  }

  get tracks(): readonly Track[] {
    const receipts = this.#share(RECEIPTS);
    const runs = this.#share(RUNS_OF_LEVEL);
    const runEvents = Math.floor(DEEPEST * runs * (1 + 1 / SPLIT_RUNS));
    return [
      { count: receipts, from: 0, to: 1, make: () => [this.receive()] },
      ...ORDINARY.slice(1).map((level) => ({
        count: runs,
        from: LEVEL_STEP * level,
        to: 1,
        make: () => this.#run(level),
      })),
      {
        count: Math.max(1, this.#eventCount - receipts - runEvents),
        from: FIRST_MOVEMENT_AT,
        to: 1,
        make: () => [this.move()],
      },
    ];
  }

  /** One event of the flow, or two that belong together, each kind as often as in the whole. */
  next(): readonly SupplyEvent[] {
    const chance = this.#random.next() * MILLION;
    if (chance < RECEIPTS) return [this.receive()];
    if (chance < RECEIPTS + DEEPEST * RUNS_OF_LEVEL) {
      return this.#run(this.#random.integer(1, DEEPEST));
    }
    return [this.move()];
  }

  /** A new lot as a supplier delivered it. */
  newReceived(seriesNo: number, quarters = this.#lotQuarters()): number {
    this.#supplierLots += 1;
    return this.model.addLot(seriesNo, quarters, this.#supplierLots);
  }

  newMade(seriesNo: number): number {
    return this.model.addLot(seriesNo, this.#lotQuarters());
  }

  receive(): SupplyEvent {
    const first = this.newReceived(0);
    if (this.#isOneIn(2)) return this.events.receive([first]);
    const second = this.#isOneIn(SAME_SUPPLIER_LOT)
      ? this.model.addLot(0, this.#lotQuarters(), this.#supplierLots)
      : this.newReceived(0);
    return this.events.receive([first, second]);
  }

  takeWhole(lot: number): Portion {
    return { lot, quarters: this.model.getMade(lot) };
  }

  /** What one run takes of a lot, or what is left of it; a little even if nothing is left. */
  takePortion(lot: number): Portion {
    const part = Math.ceil(this.model.getMade(lot) / PARTS_OF_RUNS);
    return { lot, quarters: Math.max(1, Math.min(part, this.model.getRemaining(lot))) };
  }

  #run(level: number): readonly SupplyEvent[] {
    const isPacking = level >= PACKED_FROM;
    const wanted = isPacking ? this.#random.integer(1, 3) : this.#random.integer(2, 4);
    const ins = this.#atHand(level - 1, wanted).map((lot) => this.takePortion(lot));
    const before: SupplyEvent[] = [];
    if (level === DEEPEST && this.#random.next() < FILM_SHARE) {
      if (this.#filmUses >= this.#filmUsesMax) {
        before.push(this.events.receive([this.newReceived(FILM, FILM_QUARTERS)]));
        this.#filmUses = 0;
      }
      this.#filmUses += 1;
      ins.push({ lot: this.model.lotsOfSeries(FILM).at(-1) ?? 0, quarters: QUARTERS });
    }
    const outCount = this.#random.integer(1, isPacking ? 3 : 2);
    const outs = Array.from({ length: outCount }, () => this.takeWhole(this.newMade(level)));
    const run = this.events.make({
      eventType: isPacking ? 'PACK' : 'PRODUCE',
      basis: this.#isOneIn(SPLIT_RUNS) ? 'reference' : 'event',
      ins,
      outs,
    });
    return [...before, ...run];
  }

  move(): SupplyEvent {
    const { model } = this;
    let chance = this.#random.integer(1, 100);
    const kind = MOVEMENTS.find(({ share }) => (chance -= share) <= 0)?.kind ?? 'transfer';
    switch (kind) {
      case 'ship': {
        const portions = this.#packed(this.#random.integer(3, 5), (lot) => model.getRemaining(lot));
        return portions.length === 0 ? this.#transfer() : this.events.ship(portions);
      }
      case 'sell': {
        // What was shipped can be sold, and what is still there.
        const portions = this.#packed(this.#random.integer(2, 4), (lot) =>
          Math.max(
            model.getRemaining(lot),
            model.getTaken(lot, 'shipped') - model.getTaken(lot, 'sold'),
          ),
        );
        return portions.length === 0 ? this.#transfer() : this.events.sell(portions);
      }
      case 'dispose': {
        const lot = this.#anyLot();
        const quarters = model.getRemaining(lot);
        return quarters <= 0 ? this.#transfer() : this.events.dispose([{ lot, quarters }]);
      }
      case 'transfer':
        return this.#transfer();
      case 'correct':
        return this.events.correct(this.takePortion(this.#anyLot()));
    }
  }

  #transfer(): SupplyEvent {
    return this.events.transfer(this.takePortion(this.#anyLot()));
  }

  /** Parts of up to `count` packed lots of which something is left. */
  #packed(count: number, countLeft: (lot: number) => number): readonly Portion[] {
    const portions = new Map<number, Portion>();
    for (let tries = 0; tries < count * TRIES && portions.size < count; tries += 1) {
      const lot = this.#inStock(this.#random.integer(PACKED_FROM, DEEPEST));
      const left = countLeft(lot);
      const part = Math.ceil(this.model.getMade(lot) / PARTS_OF_LOT);
      if (left > 0) portions.set(lot, { lot, quarters: Math.min(left, part) });
    }
    return [...portions.values()];
  }

  #anyLot(): number {
    return this.#inStock(this.#random.integer(0, DEEPEST));
  }

  #inStock(level: number): number {
    const lots = this.model.lotsOfSeries(level);
    return this.#pickLate(lots, Math.max(IN_STOCK_MIN, Math.ceil(lots.length * IN_STOCK)));
  }

  /** Different lots of a level for a run; one with nothing left only when there is no other. */
  #atHand(level: number, wanted: number): readonly number[] {
    const lots = this.model.lotsOfSeries(level);
    const picked = new Set<number>();
    for (let tries = 0; tries < wanted * TRIES && picked.size < wanted; tries += 1) {
      const lot = this.#pickLate(lots, AT_HAND);
      if (this.model.getRemaining(lot) > 0) picked.add(lot);
    }
    if (picked.size === 0) picked.add(this.#pickLate(lots, AT_HAND));
    return [...picked];
  }

  /** One of the last `count`, or of all when all are in reach. */
  #pickLate(lots: readonly number[], count: number): number {
    const first = this.reach === 'all' ? 0 : Math.max(0, lots.length - count);
    const lot = lots[this.#random.integer(first, lots.length - 1)];
    if (lot === undefined) throw new Error('no lot of this level was made yet');
    return lot;
  }

  #lotQuarters(): number {
    return this.#random.integer(LOT_QUARTERS.least, LOT_QUARTERS.most);
  }

  #isOneIn(count: number): boolean {
    return this.#random.integer(1, count) === 1;
  }

  #share(ofMillion: number): number {
    return Math.ceil((ofMillion * this.#eventCount) / MILLION);
  }
}
