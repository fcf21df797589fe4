// The tenant's lots as a CSV file: one row for each SKU and unit of a lot.
import type { Row } from '../csv-answer.ts';
import { PARTS } from '../ledger/record/event-types.ts';
import { walkLots, type LotListDeps, type LotWalkQuery } from './list.ts';
import type { LotItem } from './record.ts';

export const LOT_COLUMNS: readonly string[] = [
  'lot_code',
  'status',
  'hold_status',
  'product_sku',
  'unit',
  ...PARTS,
  'remaining',
  'over_issued',
  'truncated',
];

/** Pages of rows, newest lots first; before them the lot whose code is exactly `q`. */
export async function* lotRows(
  deps: LotListDeps,
  query: LotWalkQuery,
): AsyncGenerator<readonly Row[]> {
  for await (const lots of walkLots(deps, query)) yield lots.flatMap(listRows);
}

function listRows(lot: LotItem): readonly Row[] {
  const before = [lot.lot_code, lot.status, lot.hold_status];
  if (lot.quantities.length === 0) {
    const empty = PARTS.map(() => null);
    return [[...before, lot.product_sku, null, ...empty, null, null, lot.truncated]];
  }
  return lot.quantities.map((balance) => [
    ...before,
    balance.product_sku,
    balance.unit,
    ...PARTS.map((part) => balance[part]),
    balance.remaining,
    balance.over_issued,
    lot.truncated,
  ]);
}
