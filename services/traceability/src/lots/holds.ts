// The holds a lot is under, and setting and ending one by hand (service page, section 5). A lot is
// free when its last hold is gone.
import type { DatabaseReader } from '@lothub/kit/database';
import { compareTexts } from '@lothub/kit/text-order';
import type { Static } from 'typebox';
import { changeHolds } from './change-holds.ts';
import type { HoldDeps, HoldsChange } from './change-holds.ts';
import type { HoldAnswerSchema, HoldSchema } from './lot-schema.ts';
import { getOwnLot } from './own-lot.ts';
import { findLot } from './queries.ts';
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
      .sort((a, b) => compareTexts(a.heldSince, b.heldSince))
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
  deps: HoldDeps,
  change: Omit<HoldsChange, 'lotCodes'> & { readonly lotCode: string },
): Promise<Static<typeof HoldAnswerSchema>> {
  const { reader } = deps.store;
  const { tenantId } = change;
  const isOwn = (await findLot(reader, change)) !== undefined;
  const lotCode = isOwn ? change.lotCode : await lotReceivedAs(reader, change);
  const { blocks } = await changeHolds(deps, { ...change, lotCodes: [lotCode] });
  const [block] = blocks;
  const lot = await getOwnLot(reader, { tenantId, lotCode });
  const { holdStatus } = stateOf(lot);
  const { holds, truncated } = await readHolds(reader, lot.lotNo);
  return {
    lot_code: lot.lotCode,
    hold_status: holdStatus,
    holds: [...holds],
    truncated,
    block_height: block?.height ?? null,
    block_hash: block?.hash ?? null,
  };
}
