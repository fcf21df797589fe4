// The mass balance of a lot, for each SKU and unit apart, in decimal arithmetic (service page,
// section 5). All parts are published, so that a reader can redo the sum.
import Big from 'big.js';
import type { EventType } from '../ledger/payload.ts';

/** One line of an event, as far as it moves a quantity of the lot. */
export interface Movement {
  readonly eventType: EventType;
  readonly direction: 'in' | 'out';
  readonly productSku: string;
  readonly unit: string;
  /** Decimal text, never negative. */
  readonly quantity: string;
  /** `2026-03-02T06:15:00Z`, fraction without trailing zeros. */
  readonly occurredAt: string;
  readonly height: number;
}

/** What the sum consists of; each is a decimal text. */
export type Part =
  | 'received'
  | 'returned'
  | 'produced'
  | 'consumed'
  | 'packed'
  | 'packed_from'
  | 'shipped'
  | 'sold'
  | 'disposed';

/**
 * `remaining = received - returned + produced + packed - packed_from - consumed - disposed -
 * max(shipped, sold)`: what is sold was shipped before, when both are recorded.
 */
export type Balance = Readonly<Record<Part, string>> & {
  readonly product_sku: string;
  readonly unit: string;
  readonly remaining: string;
  /** More went out than came in. */
  readonly over_issued: boolean;
};

export type LotStatus = 'active' | 'depleted' | 'disposed' | 'recalled';

/** The part that a line adds to; null when it moves no quantity. */
export function partOf(eventType: EventType, direction: 'in' | 'out'): Part | null {
  const isIn = direction === 'in';
  switch (eventType) {
    case 'RECEIVE':
      return isIn ? 'received' : 'returned';
    case 'PRODUCE':
    case 'CONSUME':
      return isIn ? 'consumed' : 'produced';
    case 'PACK':
      return isIn ? 'packed_from' : 'packed';
    case 'SHIP':
      return isIn ? null : 'shipped';
    case 'SELL':
      return 'sold';
    case 'DISPOSE':
      return 'disposed';
    case 'TRANSFER':
    case 'CORRECTION':
      return null;
  }
}

const ADDING: ReadonlySet<Part> = new Set<Part>(['received', 'produced', 'packed']);

const ZERO = new Big(0);

type Sums = Record<Part, Big>;

interface Account {
  readonly productSku: string;
  readonly unit: string;
  readonly sums: Sums;
}

interface Removal {
  readonly part: Part;
  readonly moment: string;
  readonly height: number;
}

/** Adds up the movements of one lot, in any order. */
export class LotTally {
  readonly #accounts = new Map<string, Account>();
  #lastRemoval: Removal | undefined;

  add(movement: Movement): void {
    const part = partOf(movement.eventType, movement.direction);
    if (part === null) return;
    const { sums } = this.#account(movement.productSku, movement.unit);
    const quantity = new Big(movement.quantity);
    sums[part] = sums[part].plus(quantity);
    if (!ADDING.has(part) && quantity.gt(ZERO)) this.#noteRemoval(part, movement);
  }

  /** By SKU and unit, in the order in which they first appeared. */
  get balances(): readonly Balance[] {
    return [...this.#accounts.values()].map(balanceOf);
  }

  /**
   * `disposed` or `depleted` when something was removed and nothing remains in any unit, told apart
   * by the last removal; `active` otherwise. `recalled` is not a matter of quantities.
   */
  get status(): Exclude<LotStatus, 'recalled'> {
    if (this.#lastRemoval === undefined) return 'active';
    for (const account of this.#accounts.values()) {
      if (remainingOf(account.sums).gt(ZERO)) return 'active';
    }
    return this.#lastRemoval.part === 'disposed' ? 'disposed' : 'depleted';
  }

  #account(productSku: string, unit: string): Account {
    const key = JSON.stringify([productSku, unit]);
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = { productSku, unit, sums: noSums() };
      this.#accounts.set(key, account);
    }
    return account;
  }

  #noteRemoval(part: Part, movement: Movement): void {
    const moment = comparableInstant(movement.occurredAt);
    const last = this.#lastRemoval;
    const isLater =
      last === undefined ||
      moment > last.moment ||
      (moment === last.moment && movement.height >= last.height);
    if (isLater) this.#lastRemoval = { part, moment, height: movement.height };
  }
}

/**
 * A text that sorts as the instant does. `…05Z` is before `…05.5Z`, but as texts they sort the other
 * way round; without the Z they do not.
 */
export function comparableInstant(instant: string): string {
  return instant.endsWith('Z') ? instant.slice(0, -1) : instant;
}

function noSums(): Sums {
  return {
    received: ZERO,
    returned: ZERO,
    produced: ZERO,
    consumed: ZERO,
    packed: ZERO,
    packed_from: ZERO,
    shipped: ZERO,
    sold: ZERO,
    disposed: ZERO,
  };
}

function remainingOf(sums: Readonly<Sums>): Big {
  return sums.received
    .minus(sums.returned)
    .plus(sums.produced)
    .plus(sums.packed)
    .minus(sums.packed_from)
    .minus(sums.consumed)
    .minus(sums.disposed)
    .minus(sums.shipped.gt(sums.sold) ? sums.shipped : sums.sold);
}

function balanceOf({ productSku, unit, sums }: Account): Balance {
  const remaining = remainingOf(sums);
  return {
    product_sku: productSku,
    unit,
    received: sums.received.toFixed(),
    returned: sums.returned.toFixed(),
    produced: sums.produced.toFixed(),
    consumed: sums.consumed.toFixed(),
    packed: sums.packed.toFixed(),
    packed_from: sums.packed_from.toFixed(),
    shipped: sums.shipped.toFixed(),
    sold: sums.sold.toFixed(),
    disposed: sums.disposed.toFixed(),
    remaining: remaining.toFixed(),
    over_issued: remaining.lt(ZERO),
  };
}
