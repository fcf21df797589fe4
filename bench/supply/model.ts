// What was generated, kept as plain numbers: which lots were made from which, what each event moved.
// It says what the service has to answer, so that a wrong answer cannot be fast.
import type { SupplierLot } from './names.ts';
import { SERIES, formatLotCode, formatSku, makeSupplierLot, seriesAt } from './names.ts';

/** Quantities are counted in quarters, so that decimals occur and sums stay exact. */
export const QUARTERS = 4;

/** From this level on, lots are packed of others. */
export const PACKED_FROM = 4;

export type LotStatus = 'active' | 'depleted' | 'disposed';

/** What takes something out of a lot. */
export type Taking = 'used' | 'shipped' | 'sold' | 'disposed';

export interface Related {
  /** Without the lot itself. */
  readonly upstream: ReadonlySet<number>;
  readonly downstream: ReadonlySet<number>;
  readonly supplierLots: ReadonlySet<number>;
  readonly edgeCount: number;
  /** The lot itself, related lots and supplier lots. */
  readonly nodeCount: number;
}

const NO_SUPPLIER_LOT = -1;

/** The lots of one tenant, numbered from 0 in the order in which they were made. */
export class SupplyModel {
  readonly #lotsPerDay: number;
  readonly #seriesOf: number[] = [];
  readonly #indexOf: number[] = [];
  readonly #supplierLotOf: number[] = [];
  readonly #made: number[] = [];
  readonly #taken: Readonly<Record<Taking, number[]>> = {
    used: [],
    shipped: [],
    sold: [],
    disposed: [],
  };
  readonly #lastTaking: (Taking | undefined)[] = [];
  readonly #lotsOfSeries: number[][] = SERIES.map(() => []);
  /** Lots of each event's lines, one for each line. */
  readonly #events = new Rows();
  readonly #heights: number[] = [];
  /** Lots taken and lots made, of each event or pair of events that links them. */
  readonly #ins = new Rows();
  readonly #outs = new Rows();
  #indexes: Indexes | undefined;

  constructor(options: { readonly lotsPerDay: number }) {
    this.#lotsPerDay = options.lotsPerDay;
  }

  addLot(seriesNo: number, quarters: number, supplierLotNo = NO_SUPPLIER_LOT): number {
    const lot = this.#seriesOf.length;
    const own = this.lotsOfSeries(seriesNo);
    this.#seriesOf.push(seriesNo);
    this.#indexOf.push(own.length);
    this.#supplierLotOf.push(supplierLotNo);
    this.#made.push(quarters);
    for (const counts of Object.values(this.#taken)) counts.push(0);
    this.#lastTaking.push(undefined);
    own.push(lot);
    return lot;
  }

  take(lot: number, taking: Taking, quarters: number): void {
    const counts = this.#taken[taking];
    counts[lot] = (counts[lot] ?? 0) + quarters;
    this.#lastTaking[lot] = taking;
  }

  /** @returns the event's number */
  addEvent(lotsOfLines: readonly number[]): number {
    this.#indexes = undefined;
    return this.#events.push(lotsOfLines);
  }

  link(ins: readonly number[], outs: readonly number[]): void {
    this.#ins.push(ins);
    this.#outs.push(outs);
  }

  setHeight(eventNo: number, height: number): void {
    this.#heights[eventNo] = height;
  }

  get lotCount(): number {
    return this.#seriesOf.length;
  }

  get eventCount(): number {
    return this.#events.length;
  }

  get lineCount(): number {
    return this.#events.itemCount;
  }

  lotsOfSeries(seriesNo: number): number[] {
    const lots = this.#lotsOfSeries[seriesNo];
    if (lots === undefined) throw new Error(`there is no series ${seriesNo}`);
    return lots;
  }

  getCode(lot: number): string {
    return formatLotCode(this.#seriesNo(lot), this.#indexOf[lot] ?? 0, this.#lotsPerDay);
  }

  getSku(lot: number): string {
    return formatSku(this.#seriesNo(lot), this.#indexOf[lot] ?? 0);
  }

  getUnit(lot: number): string {
    return seriesAt(this.#seriesNo(lot)).unit;
  }

  findSupplierLot(lot: number): SupplierLot | undefined {
    const supplierLotNo = this.#supplierLotOf[lot] ?? NO_SUPPLIER_LOT;
    return supplierLotNo === NO_SUPPLIER_LOT ? undefined : makeSupplierLot(supplierLotNo);
  }

  getMade(lot: number): number {
    return this.#made[lot] ?? 0;
  }

  getTaken(lot: number, taking: Taking): number {
    return this.#taken[taking][lot] ?? 0;
  }

  /** Quarters left; what was sold was shipped before, when both were recorded. */
  getRemaining(lot: number): number {
    const left = Math.max(this.getTaken(lot, 'shipped'), this.getTaken(lot, 'sold'));
    return this.getMade(lot) - this.getTaken(lot, 'used') - this.getTaken(lot, 'disposed') - left;
  }

  getStatus(lot: number): LotStatus {
    const last = this.#lastTaking[lot];
    if (last === undefined || this.getRemaining(lot) > 0) return 'active';
    return last === 'disposed' ? 'disposed' : 'depleted';
  }

  /** All that a search finds the lot by, in lower case. */
  buildText(lot: number): string {
    const supplier = this.findSupplierLot(lot);
    const from = supplier && `${supplier.supplier_name}\n${supplier.supplier_lot_code}`;
    return `${this.getCode(lot)}\n${this.getSku(lot)}\n${from ?? ''}`.toLowerCase();
  }

  getHeight(eventNo: number): number {
    const height = this.#heights[eventNo];
    if (height === undefined) throw new Error(`event ${eventNo} was not appended`);
    return height;
  }

  /** Events with a line of any of these lots. */
  listEvents(lots: Iterable<number>): ReadonlySet<number> {
    const { eventsOfLot } = this.#indexed();
    const events = new Set<number>();
    for (const lot of lots) for (const eventNo of eventsOfLot.at(lot)) events.add(eventNo);
    return events;
  }

  related(lot: number): Related {
    const { makingLot, takingLot } = this.#indexed();
    const up = reach(lot, makingLot, this.#ins);
    const down = reach(lot, takingLot, this.#outs);
    const supplied = [lot, ...up.lots].filter(
      (one) => this.#supplierLotOf[one] !== NO_SUPPLIER_LOT,
    );
    const supplierLots = new Set(supplied.map((one) => this.#supplierLotOf[one] ?? 0));
    return {
      upstream: up.lots,
      downstream: down.lots,
      supplierLots,
      edgeCount: up.edgeCount + down.edgeCount + supplied.length,
      nodeCount: 1 + up.lots.size + down.lots.size + supplierLots.size,
    };
  }

  #seriesNo(lot: number): number {
    const seriesNo = this.#seriesOf[lot];
    if (seriesNo === undefined) throw new Error(`there is no lot ${lot}`);
    return seriesNo;
  }

  #indexed(): Indexes {
    this.#indexes ??= {
      eventsOfLot: this.#events.turned(this.lotCount),
      makingLot: this.#outs.turned(this.lotCount),
      takingLot: this.#ins.turned(this.lotCount),
    };
    return this.#indexes;
  }
}

interface Indexes {
  readonly eventsOfLot: Rows;
  /** Rows of `ins` and `outs` that make a lot, and that take it. */
  readonly makingLot: Rows;
  readonly takingLot: Rows;
}

/** From a lot to its rows, from each row to the lots on its other side. */
function reach(from: number, rowsOfLot: Rows, lotsOfRow: Rows) {
  const lots = new Set<number>();
  const open = [from];
  let edgeCount = 0;
  for (let lot = open.pop(); lot !== undefined; lot = open.pop()) {
    for (const row of rowsOfLot.at(lot)) {
      for (const next of lotsOfRow.at(row)) {
        edgeCount += 1;
        if (lots.has(next)) continue;
        lots.add(next);
        open.push(next);
      }
    }
  }
  return { lots, edgeCount };
}

/** Lists of numbers in two flat arrays: millions of small lists would cost ten times the memory. */
class Rows {
  readonly #starts: number[] = [0];
  readonly #items: number[] = [];

  push(items: readonly number[]): number {
    for (const item of items) this.#items.push(item);
    this.#starts.push(this.#items.length);
    return this.#starts.length - 2;
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  get itemCount(): number {
    return this.#items.length;
  }

  at(row: number): readonly number[] {
    return this.#items.slice(this.#starts[row], this.#starts[row + 1]);
  }

  /** For each of `count` items its rows, each once. */
  turned(count: number): Rows {
    const rowsOf: number[][] = Array.from({ length: count }, () => []);
    for (let row = 0; row < this.length; row += 1) {
      for (const item of this.at(row)) {
        const rows = rowsOf[item];
        if (rows !== undefined && rows.at(-1) !== row) rows.push(row);
      }
    }
    const turned = new Rows();
    for (const rows of rowsOf) turned.push(rows);
    return turned;
  }
}
