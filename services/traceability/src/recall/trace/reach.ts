// Computes how much of a case's lots reached each recipient, from the lines that count now. It is
// never stored.
import { slicesInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { channelClass } from '../../events/channel-class.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { PAGE_SIZES } from '../../lots/genealogy/link-reader.ts';
import { deliveriesInto, type Delivery } from '../../lots/genealogy/supplier-lots.ts';
import { HandoverCount, isHandedOver, mayHandOver, type Counted } from './handovers.ts';
import { pagesOfLines, type SoughtLines } from './impact-lines.ts';
import type { Audience } from '../notification-status.ts';
import { readSales, type Sale } from './sales.ts';
import { DecimalSum, LotCount } from './tallies.ts';

/** Maximum number of lines of the lots that are read. */
const LINES_MAX = 1_000_000;
/** Maximum number of lines that are read to find the origins of lots. */
const DELIVERY_LINES_MAX = 500_000;
/** Deliveries taken in before others have their turn. */
const DELIVERIES_PER_TURN = 5_000;

/** Decimal text. */
export interface Quantity {
  readonly quantity: string;
  readonly unit: string;
}

export interface Reached {
  readonly lots: number;
  /** The amounts by unit; none for suppliers and for the recipients that each case has. */
  readonly quantities: readonly Quantity[];
}

interface SoldLine {
  readonly lotNo: number;
  /** Decimal text. */
  readonly quantity: string;
  readonly unit: string;
}

/** Sums by unit. */
class QuantitySums {
  readonly #sums = new Map<string, DecimalSum>();

  /** @param quantity decimal text; of what makes up for another line it is less than nothing */
  add(quantity: string, unit: string): void {
    let sum = this.#sums.get(unit);
    if (sum === undefined) {
      sum = new DecimalSum();
      this.#sums.set(unit, sum);
    }
    sum.add(quantity);
  }

  list(): readonly Quantity[] {
    return [...this.#sums]
      .map(([unit, quantity]) => ({ quantity: quantity.text(), unit }))
      .sort((a, b) => compareTexts(a.unit, b.unit));
  }
}

export class QuantityTally {
  readonly #lots = new LotCount();
  readonly #quantities = new QuantitySums();

  /** @param quantity what counts of the line */
  add({ lotNo, unit }: Pick<SoldLine, 'lotNo' | 'unit'>, quantity: string): void {
    this.#lots.add(lotNo);
    this.#quantities.add(quantity, unit);
  }

  firstLots(countMax: number): readonly number[] {
    return this.#lots.first(countMax);
  }

  reached(): Reached {
    return { lots: this.#lots.count, quantities: this.#quantities.list() };
  }
}

/** The amounts of a channel, and those of its class. */
interface ChannelTallies {
  readonly ofChannel: QuantityTally;
  readonly ofClass: QuantityTally;
}

const NOTHING_REACHED: Reached = { lots: 0, quantities: [] };

export class Reach {
  readonly #lotNos: readonly number[];
  readonly #sold = new QuantitySums();
  readonly #customers = new Map<string, QuantityTally>();
  /** The amounts by the tenant's own texts. */
  readonly #channels = new Map<string, ChannelTallies>();
  /** Notifications from before 0.6 are for these. */
  readonly #channelClasses = new Map<string, QuantityTally>();
  readonly #suppliers = new Map<string, LotCount>();

  /** @param lotNos that the case covers */
  constructor(lotNos: readonly number[]) {
    this.#lotNos = lotNos;
  }

  addSale(line: SoldLine, { customerRef, channel }: Sale, counted: Counted): void {
    this.#sold.add(counted.total, line.unit);
    if (customerRef !== null) getTally(this.#customers, customerRef).add(line, counted.toCustomer);
    if (channel === null) return;
    const { ofChannel, ofClass } = this.#getTalliesOfChannel(channel);
    ofChannel.add(line, line.quantity);
    ofClass.add(line, line.quantity);
  }

  /** Adds a delivery. Call it once for each lot of each supplier. */
  addDelivery(supplierName: string, lotNo: number): void {
    const lots = this.#suppliers.get(supplierName) ?? new LotCount();
    this.#suppliers.set(supplierName, lots);
    lots.add(lotNo);
  }

  /**
   * Adds up everything that was sold or delivered, each once, with or without a known recipient.
   */
  sold(): readonly Quantity[] {
    return this.#sold.list();
  }

  /** @param recipient null when it was erased: then it is unknown what reached it */
  of(audience: Audience, recipient: string | null): Reached {
    if (recipient === null) return NOTHING_REACHED;
    switch (audience) {
      case 'customer':
        return this.#customers.get(recipient)?.reached() ?? NOTHING_REACHED;
      case 'channel':
        return this.#ofChannel(recipient)?.reached() ?? NOTHING_REACHED;
      case 'supplier':
        return { lots: this.#suppliers.get(recipient)?.count ?? 0, quantities: [] };
      case 'internal_qa':
      case 'regulator':
      case 'public':
        return { lots: this.#lotNos.length, quantities: [] };
    }
  }

  /** Numbers of the first lots that reached a recipient, of authority and quality assurance the first of the case. */
  listFirstLots(audience: Audience, recipient: string, countMax: number): readonly number[] {
    switch (audience) {
      case 'customer':
        return this.#customers.get(recipient)?.firstLots(countMax) ?? [];
      case 'channel':
        return this.#ofChannel(recipient)?.firstLots(countMax) ?? [];
      case 'supplier':
        return this.#suppliers.get(recipient)?.first(countMax) ?? [];
      case 'internal_qa':
      case 'regulator':
        return this.#lotNos.slice(0, countMax);
      case 'public':
        return [];
    }
  }

  #ofChannel(recipient: string): QuantityTally | undefined {
    return this.#channels.get(recipient)?.ofChannel ?? this.#channelClasses.get(recipient);
  }

  #getTalliesOfChannel(channel: string): ChannelTallies {
    const known = this.#channels.get(channel);
    if (known !== undefined) return known;
    const ofClass = getTally(this.#channelClasses, channelClass(channel));
    const tallies = { ofChannel: new QuantityTally(), ofClass };
    this.#channels.set(channel, tallies);
    return tallies;
  }
}

/** Reads every line of the lots once, in slices between which other requests continue. */
export async function readReach(reader: LedgerReader, lotNos: readonly number[]): Promise<Reach> {
  const { database } = reader;
  const reach = new Reach(lotNos);
  const sought: SoughtLines = {
    lotNos,
    linesMax: LINES_MAX,
    wanted: mayHandOver,
  };
  const handovers = await HandoverCount.ofLots(database, lotNos);
  for await (const { lines } of pagesOfLines(database, sought)) {
    const sold = lines.filter(isHandedOver);
    for (const [index, sale] of (await readSales(reader, sold)).entries()) {
      const line = sold[index];
      if (line !== undefined) reach.addSale(line, sale, handovers.count(line, sale));
    }
  }
  const { list } = await deliveriesInto({
    database,
    lotNos,
    linesMax: DELIVERY_LINES_MAX,
    pages: PAGE_SIZES,
  });
  await addDeliveries(reach, list);
  return reach;
}

/** Adds the deliveries of suppliers of the lots of a reach. */
export async function addDeliveries(reach: Reach, deliveries: readonly Delivery[]): Promise<void> {
  const seen = new Set<string>();
  for await (const slice of slicesInTurns(deliveries, DELIVERIES_PER_TURN)) {
    for (const { supplierLot, lotNo } of slice) {
      const { supplier_name: supplierName } = supplierLot;
      const key = JSON.stringify([supplierName, lotNo]);
      if (supplierName === null || seen.has(key)) continue;
      seen.add(key);
      reach.addDelivery(supplierName, lotNo);
    }
  }
}

function getTally(tallies: Map<string, QuantityTally>, key: string): QuantityTally {
  const known = tallies.get(key);
  if (known !== undefined) return known;
  const tally = new QuantityTally();
  tallies.set(key, tally);
  return tally;
}
