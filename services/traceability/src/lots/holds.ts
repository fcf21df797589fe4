// The holds a lot is under, and setting and ending one by hand (service page, section 5). A lot is
// free when its last hold is gone.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Static } from 'typebox';
import type { HoldChange } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { HoldAnswerSchema, HoldSchema } from './lot-schema.ts';
import { getOwnLot } from './own-lot.ts';
import { lotReceivedAs } from './supplier-codes.ts';
import { openHoldsOfLot } from './record-queries.ts';
import { stateOf } from './state.ts';

/** Holds of one lot that are shown; each open case sets one. */
const HOLDS_MAX = 100;

export interface LotHolds {
  /** In the order in which they were set. */
  readonly holds: readonly Static<typeof HoldSchema>[];
  readonly truncated: boolean;
}

export async function readHolds(database: DatabaseReader, lotNo: number): Promise<LotHolds> {
  const rows = await openHoldsOfLot(database, { lotNo, limit: HOLDS_MAX + 1 });
  return {
    holds: rows
      .slice(0, HOLDS_MAX)
      .sort((a, b) => a.holdNo - b.holdNo)
      .map((row) => ({
        case_no: row.source,
        reason: row.reason,
        by: row.heldBy,
        since: row.heldSince,
      })),
    truncated: rows.length > HOLDS_MAX,
  };
}

/**
 * Sets or ends one hold; one that is set or ended already stays as it is.
 * @returns how the lot is held after that, on disk
 * @throws Refusal `not_found` when the tenant knows no such lot, `several_lots`; DatabaseError as the
 *   store's
 */
export async function changeHold(
  store: LedgerStore,
  change: HoldChange,
): Promise<Static<typeof HoldAnswerSchema>> {
  const outcome = await store.changeHold(change);
  if (outcome === 'unknown') {
    return await changeHold(store, {
      ...change,
      lotCode: await lotReceivedAs(store.reader, change),
    });
  }
  const lot = await getOwnLot(store.reader, change);
  const { holdStatus } = stateOf(lot);
  const { holds, truncated } = await readHolds(store.reader, lot.lotNo);
  return { lot_code: lot.lotCode, hold_status: holdStatus, holds: [...holds], truncated };
}
