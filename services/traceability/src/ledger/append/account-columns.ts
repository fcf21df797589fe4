// An account of a lot as its row: sums as decimal texts, null where nothing moved, and the removal that
// occurred last.
import Big from 'big.js';
import type { Account, Removal, Sums } from '../record/quantities.ts';
import { PARTS, type Part } from '../record/event-types.ts';
import type { QuantityRow } from '../tables/lots.ts';
import type { StoredAccount } from './group-rows.ts';

type Row = Readonly<Record<string, unknown>>;

export function quantityRow(
  lotNo: number,
  { productSku, unit, sums, removal }: Account,
): QuantityRow {
  return {
    lot_no: lotNo,
    product_sku: productSku,
    unit,
    received: sums.received?.toFixed() ?? null,
    returned: sums.returned?.toFixed() ?? null,
    produced: sums.produced?.toFixed() ?? null,
    consumed: sums.consumed?.toFixed() ?? null,
    packed: sums.packed?.toFixed() ?? null,
    packed_from: sums.packed_from?.toFixed() ?? null,
    shipped: sums.shipped?.toFixed() ?? null,
    sold: sums.sold?.toFixed() ?? null,
    disposed: sums.disposed?.toFixed() ?? null,
    removed_at: removal?.moment ?? null,
    removed_height: removal?.height ?? null,
    removed_part: removal?.part ?? null,
    delivered: sums.delivered?.toFixed() ?? null,
    delivered_and_sold: sums.delivered_and_sold?.toFixed() ?? null,
  };
}

export function toStoredAccount(row: Row): StoredAccount {
  return { sums: toSums(row), removal: toRemoval(row) };
}

export function toRemoval(row: Row): Removal | undefined {
  const moment = row['removed_at'];
  if (typeof moment !== 'string') return undefined;
  return {
    moment,
    height: Number(row['removed_height']),
    part: String(row['removed_part']) as Part,
  };
}

function toSums(row: Row): Sums {
  const sums: Sums = {};
  for (const part of PARTS) {
    const text = row[part];
    if (typeof text === 'string') sums[part] = new Big(text);
  }
  return sums;
}
