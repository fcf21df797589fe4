// Computes how much of what a recall covers is accounted for, for each SKU and unit, in decimal
// arithmetic. The guide defines each column in the same words as the page of the report. Pure.
import { compareTexts } from '@lothub/kit/text-order';
import Big from 'big.js';
import { buildRecord } from '@lothub/kit/build-record';
import { PARTS } from '../../ledger/record/event-types.ts';
import { accountKey, computeDeparted } from '../../ledger/record/quantities.ts';
import type { Balance } from '../../lots/balances.ts';

/** Quantities as decimal texts, all of one SKU and unit, over all lots of a case. */
export interface ReconciliationRow {
  readonly productSku: string;
  readonly unit: string;
  readonly lots: number;
  /** received - returned + produced + packed */
  readonly supplied: string;
  /** The remaining amount of the lots that have something left. */
  readonly onHand: string;
  /** consumed + packed_from: it is in other lots now. */
  readonly used: string;
  readonly disposed: string;
  /** The delivered amount, and the larger of the other shipped and sold amounts, of each lot. */
  readonly distributed: string;
  /** Sold to customers whose notification is acknowledged or resolved; no more than was distributed. */
  readonly answered: string;
  /** distributed - answered */
  readonly unanswered: string;
  /** The amount that left lots beyond the amount that came in. */
  readonly overIssued: string;
  /** (supplied - unanswered) / supplied, from 0 to 100, rounded down; null when nothing was supplied. */
  readonly percent: number | null;
}

const ZERO = new Big(0);

/** Takes in the balances of all lots of a case, in any order, each once. */
export class Reconciliation {
  readonly #totals = new Map<string, Total>();

  add(balance: Balance): void {
    const key = accountKey(balance.productSku, balance.unit);
    let total = this.#totals.get(key);
    if (total === undefined) {
      total = new Total(balance);
      this.#totals.set(key, total);
    }
    total.add(balance);
  }

  /**
   * @param answered what customers who have answered bought of these lots, by `accountKey`
   * @returns by SKU, then by unit
   */
  rows(answered: ReadonlyMap<string, Big>): readonly ReconciliationRow[] {
    return [...this.#totals]
      .map(([key, total]) => total.row(answered.get(key) ?? ZERO))
      .sort((a, b) => compareTexts(a.productSku, b.productSku) || compareTexts(a.unit, b.unit));
  }
}

class Total {
  readonly #productSku: string;
  readonly #unit: string;
  #lots = 0;
  #supplied = ZERO;
  #onHand = ZERO;
  #used = ZERO;
  #disposed = ZERO;
  #distributed = ZERO;
  #overIssued = ZERO;

  constructor({ productSku, unit }: Balance) {
    this.#productSku = productSku;
    this.#unit = unit;
  }

  add(balance: Balance): void {
    const left = computeDeparted(buildRecord(PARTS, (part) => new Big(balance[part])));
    const remaining = new Big(balance.remaining);
    this.#lots += 1;
    this.#supplied = this.#supplied
      .plus(balance.received)
      .minus(balance.returned)
      .plus(balance.produced)
      .plus(balance.packed);
    this.#used = this.#used.plus(balance.consumed).plus(balance.packed_from);
    this.#disposed = this.#disposed.plus(balance.disposed);
    this.#distributed = this.#distributed.plus(left);
    if (remaining.gt(ZERO)) this.#onHand = this.#onHand.plus(remaining);
    else this.#overIssued = this.#overIssued.minus(remaining);
  }

  row(answered: Big): ReconciliationRow {
    const counted = answered.gt(this.#distributed) ? this.#distributed : answered;
    const unanswered = this.#distributed.minus(counted);
    return {
      productSku: this.#productSku,
      unit: this.#unit,
      lots: this.#lots,
      supplied: toText(this.#supplied),
      onHand: toText(this.#onHand),
      used: toText(this.#used),
      disposed: toText(this.#disposed),
      distributed: toText(this.#distributed),
      answered: toText(counted),
      unanswered: toText(unanswered),
      overIssued: toText(this.#overIssued),
      percent: computePercent(this.#supplied, unanswered),
    };
  }
}

/** Rounded down: nothing is called whole that is not. */
function computePercent(supplied: Big, unanswered: Big): number | null {
  if (!supplied.gt(ZERO)) return null;
  const known = supplied.minus(unanswered);
  if (!known.gt(ZERO)) return 0;
  return known.times(100).div(supplied).round(1, ROUND_DOWN).toNumber();
}

/** The rounding mode of big.js. */
const ROUND_DOWN = 0;

function toText(value: Big): string {
  return value.toFixed();
}
