// Sets and ends holds of lots in SQLite. A lot is on hold while any hold of it is open.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { HoldChange, HoldOutcome } from '../draft.ts';
import { insertAuditEntry } from './audit-rows.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const FIND_LOT =
  'select l.lot_no from tenants t join lots l on l.tenant_no = t.tenant_no ' +
  'where t.tenant_id = ? and l.lot_code = ?';
const INSERT_HOLD =
  'insert into lot_holds (lot_no, source, reason, held_by, held_since) ' +
  'select ?, ?, ?, ?, ? where not exists (' +
  'select 1 from lot_holds where lot_no = ? and source = ? and released_at is null)';
const END_HOLD =
  'update lot_holds set released_at = ?, released_by = ? ' +
  'where lot_no = ? and source = ? and released_at is null';
const UPDATE_LOT =
  'update lots set on_hold = exists (' +
  'select 1 from lot_holds h where h.lot_no = lots.lot_no and h.released_at is null) ' +
  'where lot_no = ?';

/** @param at the moment, `2026-03-02T06:15:00.000Z` */
export function changeHold(
  connection: SqliteConnection,
  change: HoldChange,
  at: string,
): HoldOutcome {
  const row = connection.statement(FIND_LOT).get(change.tenantId, change.lotCode);
  if (row === undefined) return 'unknown';
  const lotNo = Number(row['lot_no']);
  const { source, by } = change;
  const { changes } =
    change.kind === 'hold'
      ? connection.statement(INSERT_HOLD).run(lotNo, source, change.reason, by, at, lotNo, source)
      : connection.statement(END_HOLD).run(at, by, lotNo, source);
  if (Number(changes) === 0) return 'unchanged';
  connection.statement(UPDATE_LOT).run(lotNo);
  insertAuditEntry(connection, {
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
