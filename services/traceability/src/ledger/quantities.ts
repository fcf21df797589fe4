// The mass balance of a lot, for each SKU and unit apart, in decimal arithmetic, and the status it
// leads to (service page, section 5). Pure: the writer adds movements here as it derives the rows, the
// verifier adds them again to compare.
import Big from 'big.js';
import type { EventType } from './payload.ts';

/** What the sum consists of; all parts are published, so that a reader can redo it. */
export const PARTS = [
  'received',
  'returned',
  'produced',
  'consumed',
  'packed',
  'packed_from',
  'shipped',
  'sold',
  'disposed',
] as const;
export type Part = (typeof PARTS)[number];

export type LotStatus = 'active' | 'depleted' | 'disposed' | 'recalled';

/** One line of an event, as far as it concerns the balance of its lot. */
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

/** Sums of one SKU and unit; a part that nothing was added to is absent. */
export type Sums = Partial<Record<Part, Big>>;

const ZERO = new Big(0);
const ADDING: ReadonlySet<Part> = new Set<Part>(['received', 'produced', 'packed']);

/**
 * `received - returned + produced + packed - packed_from - consumed - disposed - max(shipped, sold)`:
 * what is sold was shipped before, when both are recorded.
 */
export function remainingOf(sums: Readonly<Sums>): Big {
  let remaining = ZERO;
  for (const part of PARTS) {
    const sum = sums[part];
    if (sum === undefined || part === 'shipped' || part === 'sold') continue;
    remaining = ADDING.has(part) ? remaining.plus(sum) : remaining.minus(sum);
  }
  const { shipped, sold } = sums;
  const left = shipped === undefined || sold?.gt(shipped) === true ? sold : shipped;
  return left === undefined ? remaining : remaining.minus(left);
}

/** Which removal occurred last; removals of one instant in the order of their blocks and lines. */
export interface Removal {
  readonly part: Part;
  /** As `comparableInstant` makes it. */
  readonly moment: string;
  readonly height: number;
}

/** What the accounts of a lot add up to. */
export interface Standing {
  /** Accounts with something left. */
  readonly stocked: number;
  /** Accounts out of which more went than came in. */
  readonly overIssued: number;
  readonly removal: Removal | undefined;
}

export const NO_STANDING: Standing = { stocked: 0, overIssued: 0, removal: undefined };

/**
 * `disposed` or `depleted` when something was removed and nothing remains in any unit, told apart by
 * the last removal; `active` otherwise. `recalled` is not a matter of quantities.
 */
export function statusOfStanding({ stocked, removal }: Standing): Exclude<LotStatus, 'recalled'> {
  if (removal === undefined || stocked > 0) return 'active';
  return removal.part === 'disposed' ? 'disposed' : 'depleted';
}

/**
 * Adds a movement to the account of its SKU and unit.
 * @param sums changed in place
 * @returns what the lot's accounts add up to now
 */
export function addMovement(standing: Standing, sums: Sums, movement: Movement): Standing {
  const part = partOf(movement.eventType, movement.direction);
  if (part === null) return standing;
  const quantity = new Big(movement.quantity);
  if (quantity.eq(ZERO)) return standing;
  const before = signOf(sums);
  sums[part] = sums[part]?.plus(quantity) ?? quantity;
  const after = signOf(sums);
  return {
    stocked: standing.stocked + Number(after > 0) - Number(before > 0),
    overIssued: standing.overIssued + Number(after < 0) - Number(before < 0),
    removal: ADDING.has(part) ? standing.removal : laterOf(standing.removal, part, movement),
  };
}

function signOf(sums: Readonly<Sums>): number {
  return remainingOf(sums).cmp(ZERO);
}

function laterOf(last: Removal | undefined, part: Part, movement: Movement): Removal {
  const { height } = movement;
  const moment = comparableInstant(movement.occurredAt);
  const isLater =
    last === undefined || moment > last.moment || (moment === last.moment && height >= last.height);
  return isLater ? { part, moment, height } : last;
}

/**
 * A text that sorts as the instant does. `…05Z` is before `…05.5Z`, but as texts they sort the other
 * way round; without the Z they do not.
 */
export function comparableInstant(instant: string): string {
  return instant.endsWith('Z') ? instant.slice(0, -1) : instant;
}

export interface Account {
  readonly productSku: string;
  readonly unit: string;
  readonly sums: Readonly<Sums>;
}

/** Adds up all movements of one lot. Those of one instant and block in the order of their lines. */
export class LotTally {
  readonly #accounts = new Map<string, Account & { readonly sums: Sums }>();
  #standing = NO_STANDING;

  add(movement: Movement): void {
    const { productSku, unit } = movement;
    const key = JSON.stringify([productSku, unit]);
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = { productSku, unit, sums: {} };
      this.#accounts.set(key, account);
    }
    this.#standing = addMovement(this.#standing, account.sums, movement);
  }

  /** By SKU and unit, in the order in which they first appeared; also those that moved nothing. */
  get accounts(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  get standing(): Standing {
    return this.#standing;
  }
}
