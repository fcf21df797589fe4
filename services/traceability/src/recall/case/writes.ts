// What opening a case and moving it write of the case itself.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { CaseStatus } from '../../terms.ts';
import type { MoveRow, RecallCase } from './rows.ts';

/** Answers a row as long as no case has this number, or a greater one. */
export function caseNumberIsFree(caseId: number): Sql {
  return sql`
    select id
    from head
    where id = 1 and not exists (select 1 from recall_cases where case_id >= ${caseId})`;
}

export function insertCase(row: RecallCase): Sql {
  return sql`
    insert into recall_cases (
      case_id, case_no, tenant_no, seed_lot_code, seed_lot_no, title, reason, severity, direction,
      auto_hold, opened_by, opened_at, opened_height, opened_hash, status, updated_at, notified_at,
      ended_at, revision, snapshot
    )
    values (
      ${row.caseId}, ${row.caseNo}, ${row.tenantNo}, ${row.seedLotCode}, ${row.seedLotNo},
      ${row.title}, ${row.reason}, ${row.severity}, ${row.direction}, ${row.autoHold},
      ${row.openedBy}, ${row.openedAt}, ${row.openedHeight}, ${row.openedHash}, ${row.status},
      ${row.updatedAt}, ${row.notifiedAt}, ${row.endedAt}, ${row.revision}, ${row.snapshot}
    )`;
}

/** The next step of a case, whose number follows the last one. */
export function insertMove(of: { readonly caseId: number; readonly move: MoveRow }): Sql {
  const { caseId, move } = of;
  return sql`
    insert into recall_moves (
      case_id, move_no, from_status, to_status, moved_at, moved_by, note
    )
    select cast(${caseId} as bigint), count(*) + 1, cast(${move.fromStatus} as text),
      cast(${move.toStatus} as text), cast(${move.movedAt} as text),
      cast(${move.movedBy} as text), cast(${move.note} as text)
    from recall_moves
    where case_id = ${caseId}`;
}

/** Sets where the case stands; what is null stays as it is. */
export function moveCaseTo(of: {
  readonly caseId: number;
  readonly status: CaseStatus;
  readonly notifiedAt: string | null;
  readonly endedAt: string | null;
}): Sql {
  return sql`
    update recall_cases
    set status = ${of.status},
      notified_at = coalesce(notified_at, cast(${of.notifiedAt} as text)),
      ended_at = coalesce(ended_at, cast(${of.endedAt} as text))
    where case_id = ${of.caseId}`;
}
