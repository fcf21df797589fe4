// Sets and ends holds of lots. A lot is on hold while any hold of it is open.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { HoldChange, HoldOutcome } from '../draft.ts';
import type { EndedHold, GroupRows } from './group-rows.ts';

/** @param at the moment, `2026-03-02T06:15:00.000Z` */
export function changeHold(
  { chain, lots }: GroupRows,
  change: HoldChange,
  at: string,
): HoldOutcome {
  const tenantNo = chain.findTenantNo(change.tenantId);
  if (tenantNo === undefined) return 'unknown';
  const lotNo = lots.findLotNo(tenantNo, change.lotCode);
  if (lotNo === undefined) return 'unknown';
  const { source, by } = change;
  const open = lots.openHolds(lotNo);
  if (open.includes(source) === (change.kind === 'hold')) return 'unchanged';
  if (change.kind === 'hold') {
    const { reason } = change;
    lots.insertHold({
      ...{ lot_no: lotNo, tenant_no: tenantNo, source, reason },
      ...{ held_by: by, held_since: at },
    });
    lots.updateOnHold(lotNo, true);
  } else {
    lots.endHold({ lotNo, source, by, at });
    lots.updateOnHold(lotNo, open.length > 1);
  }
  chain.insertAuditEntry({
    at,
    tenantId: change.tenantId,
    caller: change.caller,
    action: change.kind === 'hold' ? 'hold_lot' : 'release_lot',
    entityType: 'lot',
    entityId: change.lotCode,
    blockHeight: null,
    details: { source, reason: change.reason },
  });
  return 'changed';
}

/** The open hold of a source ends. */
export function endHold({ lotNo, source, by, at }: EndedHold): Sql {
  return sql`
    update lot_holds
    set released_at = ${at}, released_by = ${by}
    where lot_no = ${lotNo} and source = ${source} and released_at is null`;
}
