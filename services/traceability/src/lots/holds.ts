// The holds a lot is under, and setting and ending one by hand (docs/interface/traceability.md#holds). A
// lot is free when its last hold is gone.
import type { DatabaseReader } from '@lothub/kit/database';
import { compareTexts } from '@lothub/kit/text-order';
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import { Refusal } from '../errors.ts';
import { isHeldPublicly, isHiddenCase } from '../ledger/decisions/hidden-cases.ts';
import type { HoldStatus } from '../terms.ts';
import { changeHolds, type HoldDeps, type HoldsChange } from './change-holds.ts';
import type { HoldAnswerSchema, HoldSchema } from './lot-schema.ts';
import { getOwnLot } from './own-lot.ts';
import { findLot } from './queries.ts';
import { lotReceivedAs } from './supplier-codes.ts';
import { openHoldsOfLot } from './record-queries.ts';
import { toLotState, type LotStateRow } from './state.ts';

/** Holds of one lot that are shown; each open case sets one. */
const HOLDS_MAX = 100;

export interface LotHolds {
  /** The holds in the order in which they were set. */
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

/** Returns the hold status that the public may read: holds of cases in confidence do not count. */
export async function publicHoldStatus(
  database: Pick<DatabaseReader, 'first'>,
  lot: LotStateRow & { readonly lotNo: number },
): Promise<HoldStatus> {
  const { holdStatus } = toLotState(lot);
  if (holdStatus === 'released') return holdStatus;
  const row = await database.first<{ readonly isHeld: number }>(sql`
    select case when ${isHeldPublicly(sql`${lot.lotNo}`)} then 1 else 0 end as "isHeld"
    from head
    where id = 1`);
  return row?.isHeld === 1 ? 'on_hold' : 'released';
}

/** The block of such a release would name a lot of the case. */
async function refuseOfHiddenCase(
  database: Pick<DatabaseReader, 'first'>,
  { tenantId, caseNo }: Pick<HoldsChange, 'tenantId' | 'caseNo'>,
): Promise<void> {
  if (caseNo === null) return;
  const hidden = await database.first(sql`
    select c.case_id as "caseId"
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.case_no = ${caseNo} and t.tenant_id = ${tenantId} and c.ended_at is null
      and ${isHiddenCase('c')}`);
  if (hidden === undefined) return;
  throw new Refusal(
    'rule_broken',
    `The hold of ${caseNo} was not ended: the case is in confidence, and the block of the release would ` +
      'name its lot. Exclude the lot from the case, or move the case to `notification` first',
  );
}

/**
 * Sets or ends one hold; one that is already set or ended stays unchanged.
 * @returns the holds of the lot after that, on disk
 * @throws Refusal `not_found` when the tenant has no such lot, `several_lots`, `rule_broken` when
 * the hold is that of a case in confidence; DatabaseError as the store's
 */
export async function changeHold(
  deps: HoldDeps,
  change: Omit<HoldsChange, 'lotCodes'> & { readonly lotCode: string },
): Promise<Static<typeof HoldAnswerSchema>> {
  const { reader } = deps.store;
  const { tenantId } = change;
  await refuseOfHiddenCase(reader, change);
  const isOwn = (await findLot(reader, change)) !== undefined;
  const lotCode = isOwn ? change.lotCode : await lotReceivedAs(reader, change);
  const { blocks } = await changeHolds(deps, { ...change, lotCodes: [lotCode] });
  const [block] = blocks;
  const lot = await getOwnLot(reader, { tenantId, lotCode });
  const { holdStatus } = toLotState(lot);
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
