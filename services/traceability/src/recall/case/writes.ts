// What opening a case and moving it write of the case itself.
import { insertCamelRow } from '@lothub/kit/rows/camel-rows';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { RECALL_CASES } from '../../ledger/tables/recall.ts';
import type { CaseStatus } from '../../terms.ts';
import type { MoveRow, RecallCase } from './rows.ts';

/** Inserts a case and answers its row; none when another one has the number. */
export function claimCase(row: RecallCase): Sql {
  return sql`${insertCamelRow(RECALL_CASES, row)} on conflict do nothing returning case_id`;
}

/** Answers a row as long as no case has a greater number. */
export function isNewestCase(caseId: number): Sql {
  return sql`
    select id
    from head
    where id = 1 and not exists (select 1 from recall_cases where case_id > ${caseId})`;
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
