// The balance of a lot as people add it up: what came in, where it went, and what remains. The rows add up to
// exactly what `remaining` is by definition (docs/interface/traceability.md#quantities). Pure.
import Big from 'big.js';
import { isAdding, isLeaving, isShare, PARTS, type Part } from '../../ledger/record/event-types.ts';
import type { Balance } from '../../lots/balances.ts';

/** Name of a row: a part of the balance, or the rest of a part without what was delivered. */
export type RowName = Part | 'shipped_otherwise' | 'sold_otherwise';

export interface BalanceRow {
  readonly name: RowName;
  readonly amount: Big;
}

export interface BalanceSheet {
  readonly productSku: string;
  readonly unit: string;
  readonly cameIn: readonly BalanceRow[];
  readonly wentOut: readonly BalanceRow[];
  /** Recorded quantities that another row includes already: sold goods were shipped before. */
  readonly counted: readonly BalanceRow[];
  readonly totalIn: Big;
  readonly totalOut: Big;
  /** Negative when more went out than came in. */
  readonly remaining: Big;
}

export function balanceSheet(balance: Balance): BalanceSheet {
  const buildRow = (name: Part): BalanceRow => ({ name, amount: new Big(balance[name]) });
  const whole = PARTS.filter((part) => !isLeaving(part) && !isShare(part)).map(buildRow);
  const cameIn = whole.filter(({ name }) => isPart(name) && isAdding(name)).filter(isSome);
  const taken = whole.filter(({ name }) => isPart(name) && !isAdding(name));
  const left = leftRows(balance);
  const wentOut = [...taken, ...left.rows].filter(isSome);
  const totalIn = sumAmounts(cameIn);
  const totalOut = sumAmounts(wentOut);
  return {
    productSku: balance.productSku,
    unit: balance.unit,
    ...{ cameIn, wentOut, totalIn, totalOut },
    counted: left.counted.filter(isSome),
    remaining: totalIn.minus(totalOut),
  };
}

/** Returns the row of delivered goods, and the larger of the rows of other shipped and sold goods. */
function leftRows(balance: Balance): Record<'rows' | 'counted', readonly BalanceRow[]> {
  const [delivered, both] = [new Big(balance.delivered), new Big(balance.delivered_and_sold)];
  const isDelivered = delivered.gt(0);
  const shipped: BalanceRow = {
    name: isDelivered ? 'shipped_otherwise' : 'shipped',
    amount: new Big(balance.shipped).minus(delivered),
  };
  const sold: BalanceRow = {
    name: isDelivered ? 'sold_otherwise' : 'sold',
    amount: new Big(balance.sold).minus(both),
  };
  const [larger, smaller] = sold.amount.gt(shipped.amount) ? [sold, shipped] : [shipped, sold];
  return {
    rows: [{ name: 'delivered', amount: delivered }, larger],
    counted: [{ name: 'delivered_and_sold', amount: both }, smaller],
  };
}

function isPart(name: RowName): name is Part {
  return name !== 'shipped_otherwise' && name !== 'sold_otherwise';
}

function isSome({ amount }: BalanceRow): boolean {
  return !amount.eq(0);
}

function sumAmounts(rows: readonly BalanceRow[]): Big {
  return rows.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
}
