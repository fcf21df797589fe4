// Sets and ends holds of lots. A lot is on hold while any hold of it is open.
import type { HoldChange, HoldOutcome } from '../draft.ts';
import type { GroupRows } from './group-rows.ts';

/** @param at the moment, `2026-03-02T06:15:00.000Z` */
export function changeHold(
  { chain, lots }: GroupRows,
  change: HoldChange,
  at: string,
): HoldOutcome {
  const tenantNo = chain.findTenantNo(change.tenantId);
  const lotNo = tenantNo === undefined ? undefined : lots.findLotNo(tenantNo, change.lotCode);
  if (lotNo === undefined) return 'unknown';
  const { source, by } = change;
  const open = lots.openHolds(lotNo);
  if (open.includes(source) === (change.kind === 'hold')) return 'unchanged';
  if (change.kind === 'hold') {
    lots.insertHold({ lotNo, source, reason: change.reason, by, at });
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
