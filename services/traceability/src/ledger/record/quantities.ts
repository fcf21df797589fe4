// The mass balance of a lot, for each SKU and unit apart, in decimal arithmetic, and the status it
// leads to (docs/interface/traceability.md#quantities). Pure: the writer adds movements here as it derives
// the rows, the verifier adds them again to compare.
import Big from 'big.js';
import type { QuantityStatus } from '../../terms.ts';
import { PARTS, findPart, isAdding, isLeaving, isShare } from './event-types.ts';
import type { Direction, EventType, Part } from './event-types.ts';

/** One line of an event, as far as it concerns the balance of its lot. */
export interface Movement {
  readonly eventType: EventType;
  readonly direction: Direction;
  readonly productSku: string;
  readonly unit: string;
  /** Decimal text, never negative. */
  readonly quantity: string;
  /** `2026-03-02T06:15:00Z`, fraction without trailing zeros. */
  readonly occurredAt: string;
  readonly height: number;
  /** It goes to a consignee. */
  readonly isDelivery: boolean;
  /**
   * Set for a sale or a delivery of a lot with deliveries; null where no two lines can be the same
   * goods.
   */
  readonly handoverReference: string | null;
}

/** Sums of one SKU and unit; a part that nothing was added to is absent. */
export type Sums = Partial<Record<Part, Big>>;

const ZERO = new Big(0);

/**
 * `received - returned + produced + packed - packed_from - consumed - disposed - delivered -
 * max(shipped - delivered, sold - delivered_and_sold)`
 */
export function computeRemaining(sums: Readonly<Sums>): Big {
  let remaining = ZERO;
  for (const part of PARTS) {
    const sum = sums[part];
    if (sum === undefined || isLeaving(part) || isShare(part)) continue;
    remaining = isAdding(part) ? remaining.plus(sum) : remaining.minus(sum);
  }
  return remaining.minus(computeDeparted(sums));
}

/**
 * The quantity that left the house: deliveries, plus the larger of the other shipments and the
 * other sales. If both are recorded, sold goods count as goods that were shipped before. Sold goods
 * count as delivered ones only if sale and delivery have the same reference.
 */
export function computeDeparted(sums: Readonly<Sums>): Big {
  const { shipped = ZERO, sold = ZERO, delivered = ZERO, delivered_and_sold = ZERO } = sums;
  const [otherShipped, otherSold] = [shipped.minus(delivered), sold.minus(delivered_and_sold)];
  return delivered.plus(otherSold.gt(otherShipped) ? otherSold : otherShipped);
}

/** A movement out of a lot. The one that occurred last decides between disposed and depleted. */
export interface Removal {
  readonly part: Part;
  /** The instant as `comparableInstant` formats it. */
  readonly moment: string;
  readonly height: number;
}

/** The sums of one SKU and unit of a lot, and the quantity that remains. */
export class Account {
  readonly productSku: string;
  readonly unit: string;
  readonly #sums: Sums;
  #remaining: Big;
  #removal: Removal | undefined;

  constructor(options: {
    readonly productSku: string;
    readonly unit: string;
    readonly sums?: Sums;
    readonly removal?: Removal | undefined;
  }) {
    this.productSku = options.productSku;
    this.unit = options.unit;
    this.#sums = options.sums ?? {};
    this.#remaining = options.sums === undefined ? ZERO : computeRemaining(options.sums);
    this.#removal = options.removal;
  }

  get sums(): Readonly<Sums> {
    return this.#sums;
  }

  /** The removal that occurred last; of one instant that of the higher block. */
  get removal(): Removal | undefined {
    return this.#removal;
  }

  /** 1: something is left. -1: more went out than came in (`over_issued`). */
  get sign(): -1 | 0 | 1 {
    return this.#remaining.c[0] === 0 ? 0 : this.#remaining.s < 0 ? -1 : 1;
  }

  /** @returns true when it moved something */
  add(movement: Movement): boolean {
    const part = findPart(movement.eventType, movement.direction);
    if (part === null || movement.quantity === '0') return false;
    const quantity = new Big(movement.quantity);
    const sums = this.#sums;
    if (isLeaving(part)) {
      const before = computeDeparted(sums);
      addTo(sums, part, quantity);
      if (movement.isDelivery) addTo(sums, 'delivered', quantity);
      this.#remaining = this.#remaining.plus(before).minus(computeDeparted(sums));
    } else {
      addTo(sums, part, quantity);
      this.#remaining = isAdding(part)
        ? this.#remaining.plus(quantity)
        : this.#remaining.minus(quantity);
    }
    if (!isAdding(part)) {
      const moment = comparableInstant(movement.occurredAt);
      this.#removal = pickLater(this.#removal, { part, moment, height: movement.height });
    }
    return true;
  }

  /**
   * Counts a quantity that is in the sold and in the delivered sum, because both are the same
   * goods.
   */
  addDeliveredAndSold(quantity: Big): void {
    const before = computeDeparted(this.#sums);
    addTo(this.#sums, 'delivered_and_sold', quantity);
    this.#remaining = this.#remaining.plus(before).minus(computeDeparted(this.#sums));
  }

  /** Returns whether there are deliveries and sales, so that some may be the same goods. */
  get isDeliveredAndSold(): boolean {
    return this.#sums.delivered !== undefined && this.#sums.sold !== undefined;
  }
}

function addTo(sums: Sums, part: Part, quantity: Big): void {
  const sum = sums[part];
  sums[part] = sum === undefined ? quantity : sum.plus(quantity);
}

/** The totals of the accounts of a lot, as columns of its row. */
export interface Standing {
  /** Accounts with something left. */
  readonly stocked: number;
  /** Accounts out of which more went than came in. */
  readonly over_issued: number;
  readonly status: QuantityStatus;
}

/**
 * Returns `disposed` or `depleted` when something was removed and nothing remains in any unit, by
 * the last removal; otherwise `active`. Quantities do not decide `recalled`.
 */
export function deriveLotStatus(stocked: number, removal: Removal | undefined): Standing['status'] {
  if (removal === undefined || stocked > 0) return 'active';
  return removal.part === 'disposed' ? 'disposed' : 'depleted';
}

/** Returns the removal that occurred last; of two at one instant, the one of the higher block. */
export function pickLater(last: Removal | undefined, next: Removal): Removal {
  if (last === undefined || next.moment > last.moment) return next;
  return next.moment === last.moment && next.height >= last.height ? next : last;
}

/**
 * A text that sorts as the instant does. `…05Z` is before `…05.5Z`, but as texts they sort the other
 * way round; without the Z they do not.
 */
export function comparableInstant(instant: string): string {
  return instant.endsWith('Z') ? instant.slice(0, -1) : instant;
}

/** Adds up all movements of one lot, in the order of their blocks and lines. */
export class LotTally {
  readonly #accounts = new Map<string, Account>();
  /** The account of the last movement: most lots have one alone, and need no key for it. */
  #last: Account | undefined;
  /** By account and reference; only for lots with deliveries. */
  #handovers: Map<string, Handovers> | undefined;

  add(movement: Movement): void {
    const { productSku, unit } = movement;
    let account = this.#last;
    if (account?.productSku !== productSku || account.unit !== unit) {
      account = this.#getAccount(productSku, unit);
      this.#last = account;
    }
    if (account.add(movement)) this.#match(account, movement);
  }

  #getAccount(productSku: string, unit: string): Account {
    const key = accountKey(productSku, unit);
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = new Account({ productSku, unit });
      this.#accounts.set(key, account);
    }
    return account;
  }

  /** Delivered and sold under one reference, the smaller sum is the same goods. */
  #match(account: Account, movement: Movement): void {
    const { handoverReference: reference, isDelivery } = movement;
    if (reference === null) return;
    const key = accountKey(account.productSku, account.unit);
    const group = `${key.length} ${key}${reference}`;
    this.#handovers ??= new Map();
    const known = this.#handovers.get(group) ?? { delivered: ZERO, sold: ZERO };
    const quantity = new Big(movement.quantity);
    const next = isDelivery
      ? { ...known, delivered: known.delivered.plus(quantity) }
      : { ...known, sold: known.sold.plus(quantity) };
    this.#handovers.set(group, next);
    const grown = smaller(next).minus(smaller(known));
    if (grown.gt(ZERO)) account.addDeliveredAndSold(grown);
  }

  /**
   * By SKU and unit, in the order of their first lines; accounts without movements are included.
   */
  get accounts(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  get standing(): Standing {
    let stocked = 0;
    let over_issued = 0;
    let removal: Removal | undefined;
    for (const account of this.#accounts.values()) {
      if (account.sign > 0) stocked += 1;
      if (account.sign < 0) over_issued += 1;
      if (account.removal !== undefined) removal = pickLater(removal, account.removal);
    }
    return { stocked, over_issued, status: deriveLotStatus(stocked, removal) };
  }
}

/** Sums of one SKU and unit of a lot under one reference. */
interface Handovers {
  readonly delivered: Big;
  readonly sold: Big;
}

function smaller({ delivered, sold }: Handovers): Big {
  return delivered.lt(sold) ? delivered : sold;
}

/**
 * Returns one text for a SKU and a unit. Both may contain any character, so a length marks the end
 * of the first.
 */
export function accountKey(productSku: string, unit: string): string {
  return `${productSku.length} ${productSku}${unit}`;
}
