// What is rare and has to be fast all the same: the lot with the most related lots, level by level
// around it, and the lot with the most lines.
import type { Random } from '../kit/random.ts';
import type { Portion, SupplyEvent } from './events.ts';
import type { OrdinaryFlow } from './flow.ts';
import { PACKED_FROM, QUARTERS } from './model.ts';
import { BULK, WIDE } from './names.ts';
import type { Track } from './tracks.ts';

/** Lots related to the widest one, itself and its supplier lots included. */
const NODES_MAX = 10_000;
/** In a small hub so many events for one of those nodes. */
const EVENTS_PER_NODE = 10;
/** Shares of the nodes: as many supplier lots as raw ones; the deepest level takes the rest. */
const RAW_SHARE = 0.09;
const MIXED_SHARE = 0.08;
const DOUGH_SHARE = 0.04;
const PACK_SHARE = 0.12;
const CASE_SHARE = 0.22;
const WIDEST_QUARTERS = 40_000_000;
const WIDEST_PART_QUARTERS = 400;
/** One in so many runs is recorded as two events with one reference. */
const SPLIT_RUNS = 7;

const LINES_MAX = 10_000;
const EVENTS_PER_LINE = 20;
const BULK_QUARTERS = 400_000_000;
const BULK_PART_QUARTERS = 100;
/** Lines of the bulk lot's events, in turn: two sales, a shipment, a transfer. */
const BULK_TURNS = [3, 3, 2, 2] as const;

export interface ExtremesOptions {
  readonly flow: OrdinaryFlow;
  readonly random: Random;
  /** Events of the whole hub. */
  readonly eventCount: number;
}

/** How one level is made of the one above it. */
interface Step {
  readonly level: number;
  readonly from: number;
  readonly to: number;
  readonly runs: number;
  readonly above: readonly number[];
  readonly aboveCount: number;
  /** What run `n` makes. */
  readonly makeOuts: (n: number) => readonly Portion[];
}

/**
 * Three levels down to one lot and three on from it. Every lot of the levels above leads to it and
 * it to every lot below, so the number of its nodes is known.
 */
export class WidestLot {
  readonly nodeCount: number;
  readonly tracks: readonly Track[];
  readonly #flow: OrdinaryFlow;
  readonly #random: Random;
  #lot: number | undefined;

  constructor(options: ExtremesOptions) {
    const { flow, random } = options;
    this.#flow = flow;
    this.#random = random;
    this.nodeCount = Math.min(NODES_MAX, Math.floor(options.eventCount / EVENTS_PER_NODE));
    const raw = Math.floor(this.nodeCount * RAW_SHARE);
    const mixed = Math.floor(this.nodeCount * MIXED_SHARE);
    const dough = Math.floor(this.nodeCount * DOUGH_SHARE);
    const packs = Math.floor(this.nodeCount * PACK_SHARE);
    const cases = Math.floor(this.nodeCount * CASE_SHARE);
    const pallets = this.nodeCount - 1 - 2 * raw - mixed - dough - packs - cases;
    const fills = Math.ceil(dough / 2);
    const listLots = (level: number): readonly number[] => flow.model.lotsOfSeries(wide(level));
    const newLots = (level: number, count: number, runs: number) => (n: number) =>
      Array.from({ length: listPart(count, runs, n).length }, () =>
        flow.takeWhole(flow.newMade(wide(level))),
      );
    const step = (
      level: number,
      [from, to]: readonly [number, number],
      counts: { readonly runs: number; readonly lots: number; readonly above: number },
    ): Track =>
      this.#track({
        level,
        from,
        to,
        runs: counts.runs,
        above: listLots(level - 1),
        aboveCount: counts.above,
        makeOuts: newLots(level, counts.lots, counts.runs),
      });
    this.tracks = [
      {
        count: Math.ceil(raw / 2),
        from: 0.02,
        to: 0.14,
        make: (n) => [
          flow.events.receive(
            listPart(raw, Math.ceil(raw / 2), n).map(() => flow.newReceived(wide(0))),
          ),
        ],
      },
      step(1, [0.14, 0.26], { runs: Math.ceil(mixed / 2), lots: mixed, above: raw }),
      step(2, [0.26, 0.38], { runs: dough, lots: dough, above: mixed }),
      this.#track({
        level: 3,
        from: 0.38,
        to: 0.5,
        runs: fills,
        above: listLots(2),
        aboveCount: dough,
        makeOuts: () => [{ lot: this.#filled(), quarters: Math.floor(WIDEST_QUARTERS / fills) }],
      }),
      step(4, [0.5, 0.62], { runs: packs, lots: packs, above: 1 }),
      step(5, [0.62, 0.76], { runs: Math.ceil(cases / 2), lots: cases, above: packs }),
      step(6, [0.76, 0.9], { runs: Math.ceil(pallets / 2), lots: pallets, above: cases }),
    ];
  }

  get lot(): number {
    if (this.#lot === undefined) throw new Error('the widest lot was not made yet');
    return this.#lot;
  }

  #filled(): number {
    this.#lot ??= this.#flow.model.addLot(wide(3), WIDEST_QUARTERS);
    return this.#lot;
  }

  /** Each run takes its part of the level above, and one more of it that others take as well. */
  #track(step: Step): Track {
    const { above, aboveCount, runs } = step;
    return {
      count: runs,
      from: step.from,
      to: step.to,
      make: (n) => {
        const own = listPart(aboveCount, runs, n);
        const ins = new Set([...own, this.#random.integer(0, aboveCount - 1)]);
        return this.#flow.events.make({
          eventType: step.level >= PACKED_FROM ? 'PACK' : 'PRODUCE',
          basis: n % SPLIT_RUNS === 0 ? 'reference' : 'event',
          ins: [...ins].map((index) => this.#partOfLot(above[index])),
          outs: step.makeOuts(n),
        });
      },
    };
  }

  #partOfLot(lot: number | undefined): Portion {
    if (lot === undefined) throw new Error('a level was not made before the next one');
    return lot === this.#lot
      ? { lot, quarters: WIDEST_PART_QUARTERS }
      : this.#flow.takePortion(lot);
  }
}

function wide(level: number): number {
  const seriesNo = WIDE[level];
  if (seriesNo === undefined) throw new Error(`there is no level ${level}`);
  return seriesNo;
}

/** Numbers of the `n`th of `parts` parts of `count` things; together the parts are all of them. */
export function listPart(count: number, parts: number, n: number): readonly number[] {
  const first = Math.floor((n * count) / parts);
  const end = Math.floor(((n + 1) * count) / parts);
  return Array.from({ length: end - first }, (_, index) => first + index);
}

export interface BulkMovement {
  readonly kind: 'sell' | 'ship' | 'transfer';
  readonly eventNo: number;
  /** Of its first line. */
  readonly quarters: number;
}

/** Received once, then sold, shipped and moved in thousands of small parts. */
export class BulkLot {
  readonly lineCount: number;
  readonly tracks: readonly Track[];
  /** Its events besides its receipt; the first line of each is of this lot. */
  readonly movements: BulkMovement[] = [];
  readonly #flow: OrdinaryFlow;
  #lot: number | undefined;
  #linesLeft: number;

  constructor(options: ExtremesOptions) {
    this.#flow = options.flow;
    this.lineCount = Math.min(LINES_MAX, Math.floor(options.eventCount / EVENTS_PER_LINE));
    this.#linesLeft = this.lineCount - 1;
    const linesOfTurns = BULK_TURNS.reduce((sum, lines) => sum + lines, 0);
    const count = Math.ceil((this.#linesLeft * BULK_TURNS.length) / linesOfTurns);
    this.tracks = [
      { count: 1, from: 0.01, to: 1, make: () => [this.#receive()] },
      { count, from: 0.02, to: 0.97, make: (n) => this.#move(n) },
    ];
  }

  get lot(): number {
    if (this.#lot === undefined) throw new Error('the bulk lot was not received yet');
    return this.#lot;
  }

  #receive(): SupplyEvent {
    this.#lot = this.#flow.newReceived(BULK, BULK_QUARTERS);
    return this.#flow.events.receive([this.#lot]);
  }

  #move(n: number): readonly SupplyEvent[] {
    const turn = n % BULK_TURNS.length;
    const lineCount = Math.min(BULK_TURNS[turn] ?? 1, this.#linesLeft);
    if (lineCount <= 0) return [];
    this.#linesLeft -= lineCount;
    const portion = { lot: this.lot, quarters: BULK_PART_QUARTERS + (n % QUARTERS) };
    const portions = Array.from({ length: lineCount }, () => portion);
    const isTransfer = turn === BULK_TURNS.length - 1 && lineCount === 2;
    const kind = isTransfer ? 'transfer' : turn < 2 ? 'sell' : 'ship';
    const { events } = this.#flow;
    const event = kind === 'transfer' ? events.transfer(portion) : events[kind](portions);
    this.movements.push({ kind, eventNo: event.eventNo, quarters: portion.quarters });
    return [event];
  }
}
