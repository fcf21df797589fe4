// Adds up lines to customers when two of them are about the same goods: of a delivery and a sale of
// the same lot, SKU, unit and reference only the larger counts. For lots that were never delivered,
// which are most, each line counts and nothing is remembered.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import Big from 'big.js';
import { isHandover } from '../../ledger/record/delivery.ts';
import { leavesHouse } from '../../ledger/record/event-types.ts';
import { deliveredLots } from './impact-queries.ts';
import type { ImpactLine } from './impact-lines.ts';
import type { Sale } from './sales.ts';

/**
 * The amounts that one line adds, as decimal texts; a line may take back a part of an earlier one.
 */
export interface Counted {
  /** The amount of all customers. */
  readonly total: string;
  /** The amount of the line's own customer, or of all unnamed customers if it names none. */
  readonly toCustomer: string;
  /** The amount of unnamed customers, in addition to `toCustomer`. */
  readonly unnamed: string;
}

export const NO_QUANTITY = '0';

type CountedLine = Pick<
  ImpactLine,
  'eventType' | 'isDelivery' | 'lotNo' | 'productSku' | 'unit' | 'reference' | 'quantity'
>;

/** Whether a line goes to a customer and counts. */
export function isHandedOver({
  eventType,
  isDelivery,
}: Pick<ImpactLine, 'eventType' | 'isDelivery'>): boolean {
  return eventType !== null && isHandover({ eventType, isDelivery });
}

/** Whether an event may have such lines. */
export function mayHandOver({ eventType }: Pick<ImpactLine, 'eventType'>): boolean {
  return eventType !== null && leavesHouse(eventType);
}

const ZERO = new Big(0);

/** The amounts that were delivered and sold, in all or to one customer. */
class TwoSums {
  #delivered = ZERO;
  #sold = ZERO;

  get larger(): Big {
    return this.#delivered.gt(this.#sold) ? this.#delivered : this.#sold;
  }

  /** @returns by how much the larger one has grown */
  add(quantity: Big, isDelivery: boolean): Big {
    const before = this.larger;
    if (isDelivery) this.#delivered = this.#delivered.plus(quantity);
    else this.#sold = this.#sold.plus(quantity);
    return this.larger.minus(before);
  }
}

/** Lines of one lot, SKU, unit and reference. */
class Group {
  readonly #all = new TwoSums();
  /** The sums by customer; erased customers share one entry. */
  readonly #customers = new Map<string | null, TwoSums>();
  #named = ZERO;

  count({ quantity: text, isDelivery }: CountedLine, sale: Sale): Counted {
    const quantity = new Big(text);
    const unnamedBefore = this.#unnamed;
    const total = this.#all.add(quantity, isDelivery === 1);
    const { customerRef, isErased } = sale;
    const isNamed = isErased || customerRef !== null;
    let toCustomer = ZERO;
    if (isNamed) {
      const key = isErased ? null : customerRef;
      const sums = this.#customers.get(key) ?? new TwoSums();
      this.#customers.set(key, sums);
      toCustomer = sums.add(quantity, isDelivery === 1);
      this.#named = this.#named.plus(toCustomer);
    }
    const unnamed = this.#unnamed.minus(unnamedBefore);
    return {
      total: total.toFixed(),
      toCustomer: (isNamed ? toCustomer : unnamed).toFixed(),
      unnamed: (isNamed ? unnamed : ZERO).toFixed(),
    };
  }

  /** The amount that is left for unnamed customers. */
  get #unnamed(): Big {
    const rest = this.#all.larger.minus(this.#named);
    return rest.lt(ZERO) ? ZERO : rest;
  }
}

/** Counts lines to customers, in the order in which they are read. */
export class HandoverCount {
  readonly #delivered: ReadonlySet<number>;
  readonly #groups = new Map<string, Group>();

  /** @param delivered lots with a delivery among the lines that are counted */
  constructor(delivered: ReadonlySet<number>) {
    this.#delivered = delivered;
  }

  static async ofLots(database: DatabaseReader, lotNos: readonly number[]): Promise<HandoverCount> {
    return new HandoverCount(await readDeliveredLots(database, lotNos));
  }

  count(line: CountedLine, sale: Sale): Counted {
    if (!this.#delivered.has(line.lotNo)) {
      return { total: line.quantity, toCustomer: line.quantity, unnamed: NO_QUANTITY };
    }
    const key = JSON.stringify([line.lotNo, line.productSku, line.unit, line.reference]);
    const group = this.#groups.get(key) ?? new Group();
    this.#groups.set(key, group);
    return group.count(line, sale);
  }
}

export async function readDeliveredLots(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<Set<number>> {
  const lots = await askForEach(database, cutSlices(lotNos), deliveredLots);
  return new Set(lots.flat());
}
