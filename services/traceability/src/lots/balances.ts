// Computes the mass balance of a lot from its stored parts
// (docs/interface/traceability.md#quantities). Pure.
import { buildRecord } from '@lothub/kit/build-record';
import Big from 'big.js';
import { computeRemaining, type Sums } from '../ledger/record/quantities.ts';
import { PARTS, type Part } from '../ledger/record/event-types.ts';

/** The stored parts of one SKU and unit, decimal texts; null where nothing moved. */
export type StoredParts = Readonly<Record<Part, string | null>> & {
  readonly productSku: string;
  readonly unit: string;
};

/** One SKU and unit of a lot. All parts are published, so that a reader can redo the sum. */
export type Balance = Readonly<Record<Part, string>> & {
  readonly productSku: string;
  readonly unit: string;
  readonly remaining: string;
  /** Whether more went out than came in. */
  readonly overIssued: boolean;
};

export function computeBalance(stored: StoredParts): Balance {
  const { productSku, unit } = stored;
  const sums: Sums = {};
  for (const part of PARTS) {
    const text = stored[part];
    if (text !== null) sums[part] = new Big(text);
  }
  const remaining = computeRemaining(sums);
  return {
    productSku,
    unit,
    ...buildRecord(PARTS, (part) => stored[part] ?? '0'),
    remaining: remaining.toFixed(),
    overIssued: remaining.lt(0),
  };
}
