// The mass balance of many lots together, for each SKU and unit apart, in decimal arithmetic: how much
// of what came in is accounted for. Pure.
import { buildRecord } from '@lothub/kit/build-record';
import Big from 'big.js';
import { compareTexts } from '@lothub/kit/text-order';
import { accountKey } from '../../ledger/record/quantities.ts';
import { ADDING_PARTS, PARTS, type Part } from '../../ledger/record/event-types.ts';
import type { Balance } from '../../lots/balances.ts';

/** The sums of one SKU and unit over all lots. */
export type MassBalance = Readonly<Record<Part | 'remaining', Big>> & {
  readonly productSku: string;
  readonly unit: string;
  /** The sum of the parts through which something comes into a lot. */
  readonly entered: Big;
  /**
   * The amount that left the lots in any way, plus what remains of the lots that have something
   * left.
   */
  readonly accountedFor: Big;
  /** `accountedFor` in percent of `entered`; more than 100 when more went out of a lot than came in. */
  readonly percent: Big | null;
};

const ZERO = new Big(0);
const PERCENT_DECIMALS = 2;

interface Sums {
  readonly productSku: string;
  readonly unit: string;
  readonly parts: Record<Part | 'remaining', Big>;
  entered: Big;
  accountedFor: Big;
}

/** Adds up balances of lots, one after the other. */
export class MassBalanceTally {
  readonly #sums = new Map<string, Sums>();

  add(balance: Balance): void {
    const { productSku, unit } = balance;
    const key = accountKey(productSku, unit);
    let sums = this.#sums.get(key);
    if (sums === undefined) {
      sums = { productSku, unit, parts: noParts(), entered: ZERO, accountedFor: ZERO };
      this.#sums.set(key, sums);
    }
    const amount = (part: Part | 'remaining'): Big => new Big(balance[part]);
    for (const part of PARTS) {
      if (balance[part] !== '0') sums.parts[part] = sums.parts[part].plus(amount(part));
    }
    const remaining = amount('remaining');
    sums.parts.remaining = sums.parts.remaining.plus(remaining);
    const entered = ADDING_PARTS.reduce((sum, part) => sum.plus(amount(part)), ZERO);
    sums.entered = sums.entered.plus(entered);
    // The amount that left is the entered amount without the remaining one, even if that is
    // negative.
    const left = entered.minus(remaining);
    sums.accountedFor = sums.accountedFor.plus(left).plus(remaining.lt(0) ? ZERO : remaining);
  }

  /** Returns the balances by SKU and unit. */
  balances(): readonly MassBalance[] {
    return [...this.#sums.values()]
      .sort((a, b) => compareTexts(a.productSku, b.productSku) || compareTexts(a.unit, b.unit))
      .map(({ parts, ...sums }) => ({ ...parts, ...sums, percent: computePercent(sums) }));
  }
}

/** @returns null when nothing came in: of nothing there is no part */
function computePercent({
  entered,
  accountedFor,
}: Pick<Sums, 'entered' | 'accountedFor'>): Big | null {
  if (entered.eq(0)) return null;
  return accountedFor.times(100).div(entered).round(PERCENT_DECIMALS);
}

function noParts(): Record<Part | 'remaining', Big> {
  return { ...buildRecord(PARTS, () => ZERO), remaining: ZERO };
}
