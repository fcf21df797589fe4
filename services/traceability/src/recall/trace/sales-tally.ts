// Computes how much of some lots each customer bought or received: one entry for each customer and
// unit. Pure.
import { slicesInTurns, sortInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { channelClass } from '../../events/channel-class.ts';
import { comparableInstant } from '../../ledger/record/quantities.ts';
import type { ChannelClass } from '../../terms.ts';
import { NO_QUANTITY, type Counted } from './handovers.ts';
import type { Sale } from './sales.ts';
import { DecimalSum, LotCount } from './tallies.ts';

/** Channels that are listed, of all sales and of one customer: a tenant has a handful. */
const CHANNELS_MAX = 1_000;
const CHANNELS_OF_CUSTOMER_MAX = 20;

export interface UnnamedSales {
  /** Lots that were sold of. */
  readonly lots: number;
  /** Decimal text. */
  readonly quantity: string;
  readonly unit: string;
  readonly channels: readonly string[];
  readonly firstSoldAt: string;
  readonly lastSoldAt: string;
}

/** The amount that one customer bought in one unit. */
export interface CustomerImpact extends UnnamedSales {
  /** Null: all customers that were erased, together. */
  readonly customerRef: string | null;
}

export interface SoldQuantity {
  readonly lotNo: number;
  readonly quantity: string;
  readonly unit: string;
  readonly occurredAt: string;
}

interface Entry {
  readonly unit: string;
  readonly lots: LotCount;
  readonly quantity: DecimalSum;
  readonly channels: Set<string>;
  firstSoldAt: string;
  lastSoldAt: string;
  /** Whether a part of it is in another line, too, and counts once. */
  isMatched: boolean;
}

/** By unit: most customers buy in one. */
type ByUnit = Map<string, Entry>;

export class SalesTally {
  readonly #customersMax: number;
  readonly #named = new Map<string, ByUnit>();
  readonly #erased: ByUnit = new Map();
  readonly #unnamed: ByUnit = new Map();
  readonly #channels = new Set<string>();
  #isCut = false;

  /** @param customersMax customers that are counted separately */
  constructor(customersMax: number) {
    this.#customersMax = customersMax;
  }

  /** True when there are more customers or channels than are listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  add(line: SoldQuantity, { customerRef, isErased, channel }: Sale, counted: Counted): void {
    if (channel !== null) this.#addChannel(channel);
    if (counted.unnamed !== NO_QUANTITY) {
      // Some of the amounts sold without a recipient are the same as those of another line that names one.
      const entry = this.#unnamed.get(line.unit);
      entry?.quantity.add(counted.unnamed);
      if (entry !== undefined) entry.isMatched = true;
    }
    const entries = this.#findEntries({ customerRef, isErased });
    if (entries === undefined) return;
    const { unit, occurredAt } = line;
    let entry = entries.get(unit);
    if (entry === undefined) {
      entry = newEntry(unit, occurredAt);
      entries.set(unit, entry);
    }
    entry.lots.add(line.lotNo);
    entry.quantity.add(counted.toCustomer);
    entry.isMatched ||= counted.toCustomer !== line.quantity;
    if (channel !== null && entry.channels.size < CHANNELS_OF_CUSTOMER_MAX) {
      entry.channels.add(channel);
    }
    if (isBefore(occurredAt, entry.firstSoldAt)) entry.firstSoldAt = occurredAt;
    if (isBefore(entry.lastSoldAt, occurredAt)) entry.lastSoldAt = occurredAt;
  }

  /** Returns the entries by customer and unit; erased customers last. */
  async customers(): Promise<readonly CustomerImpact[]> {
    const names = await sortInTurns([...this.#named.keys()], compareTexts);
    const named: CustomerImpact[] = [];
    for await (const slice of slicesInTurns(names)) {
      for (const customerRef of slice) {
        for (const sales of listUnnamed(this.#named.get(customerRef))) {
          named.push({ customerRef, ...sales });
        }
      }
    }
    const erased = listUnnamed(this.#erased).map((sales) => ({ customerRef: null, ...sales }));
    return [...named, ...erased];
  }

  /** Leaves out entries that are only the other side of a line that names its customer. */
  unnamed(): readonly UnnamedSales[] {
    const isLeft = ({ isMatched, quantity }: Entry): boolean =>
      !isMatched || quantity.text() !== NO_QUANTITY;
    return listUnnamed(new Map([...this.#unnamed].filter(([, entry]) => isLeft(entry))));
  }

  channels(): readonly string[] {
    return [...this.#channels].sort(compareTexts);
  }

  channelClasses(): readonly ChannelClass[] {
    return [...new Set(this.channels().map(channelClass))].sort(compareTexts);
  }

  #addChannel(channel: string): void {
    if (this.#channels.size < CHANNELS_MAX) this.#channels.add(channel);
    else if (!this.#channels.has(channel)) this.#isCut = true;
  }

  #findEntries({ customerRef, isErased }: Omit<Sale, 'channel'>): ByUnit | undefined {
    if (isErased) return this.#erased;
    if (customerRef === null) return this.#unnamed;
    const known = this.#named.get(customerRef);
    if (known !== undefined) return known;
    if (this.#named.size >= this.#customersMax) {
      this.#isCut = true;
      return undefined;
    }
    const entries: ByUnit = new Map();
    this.#named.set(customerRef, entries);
    return entries;
  }
}

function newEntry(unit: string, occurredAt: string): Entry {
  return {
    unit,
    lots: new LotCount(),
    quantity: new DecimalSum(),
    channels: new Set(),
    firstSoldAt: occurredAt,
    lastSoldAt: occurredAt,
    isMatched: false,
  };
}

/** Texts of one length sort as their instants do: none of them has a fraction, or all have. */
function isBefore(a: string, b: string): boolean {
  if (a.length === b.length) return a < b;
  return comparableInstant(a) < comparableInstant(b);
}

function listUnnamed(entries: ByUnit | undefined): readonly UnnamedSales[] {
  return [...(entries ?? new Map<string, Entry>()).values()]
    .sort((a, b) => compareTexts(a.unit, b.unit))
    .map(({ unit, lots, quantity, channels, firstSoldAt, lastSoldAt }) => ({
      lots: lots.count,
      quantity: quantity.text(),
      unit,
      channels: [...channels].sort(compareTexts),
      firstSoldAt,
      lastSoldAt,
    }));
}
