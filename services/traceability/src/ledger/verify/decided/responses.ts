// Compares the states of notifications with their blocks. A row has the height of the block that
// set it last.
import sql from 'sql-template-tag';
import { subjectOfResponse } from '../../record/decisions/response.ts';
import { decisionsOfType, type CompareDecided, type FoundDecision } from './check.ts';
import type { Findings } from '../mismatch.ts';
import { findRowsOutside } from './outside.ts';
import { readReplaced } from './replaced.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';

/** A notification with the number of its case; null where the case or its tenant is not listed. */
interface ResponseRow {
  readonly response_height: number;
  readonly notification_id: number;
  readonly audience: string;
  readonly recipient: string | null;
  readonly status: string;
  readonly sent_at: string | null;
  readonly acknowledged_at: string | null;
  readonly resolved_at: string | null;
  readonly response: string | null;
  readonly case_no: string | null;
  readonly tenant_id: string | null;
}

export async function readResponseComparison(
  reader: SnapshotReader,
  range: HeightRange,
): Promise<CompareDecided> {
  const { after, through } = range;
  const isOutside = await findRowsOutside(reader, range, {
    table: sql`recall_notifications`,
    column: sql`response_height`,
  });
  const rows = await reader.all<ResponseRow>(sql`
    select
      n.response_height, n.notification_id, n.audience, n.recipient, n.status, n.sent_at, n.acknowledged_at,
      n.resolved_at, n.response, c.case_no, t.tenant_id
    from recall_notifications n
    left join recall_cases c on c.case_id = n.case_id
    left join tenants t on t.tenant_no = c.tenant_no
    where n.response_height > ${after} and n.response_height <= ${through}
    order by n.response_height, n.notification_id`);
  const replaced = await readReplaced(reader, range, 'response');
  const byHeight = Map.groupBy(rows, (row) => row.response_height);
  return ({ through: last, decisions, findings }) => {
    if (isOutside) {
      const message = 'a notification bears a height at which there is no block';
      findings.add({ height: 0, code: 'response_row_extra', message });
    }
    const newest = new Map(
      decisionsOfType('response', decisions)
        .filter(({ height }) => !replaced.has(height))
        .map((block) => [block.height, block]),
    );
    if (newest.size === 0 && rows.length === 0) return;
    for (let height = after + 1; height <= last; height += 1) {
      compareBlock(height, newest.get(height), { rows: byHeight.get(height) ?? [], findings });
    }
  };
}

/** @param block undefined: none of a response, or one that a later block replaces */
function compareBlock(
  height: number,
  block: FoundDecision<'response'> | undefined,
  { rows, findings }: { readonly rows: readonly ResponseRow[]; readonly findings: Findings },
): void {
  let isFound = false;
  for (const row of rows) {
    if (block === undefined || isFound || !isSameResponse(block, row)) {
      const message = `block ${height} is not the one that said last what became of a notification`;
      findings.add({ height, code: 'response_row_extra', message });
      continue;
    }
    isFound = true;
    const differing = listDiffering(block, row);
    if (differing.length === 0) continue;
    const message = `the notification that block ${height} speaks of differs: ${differing.join(', ')}`;
    findings.add({ height, code: 'response_row_differs', message });
  }
  if (block === undefined || isFound) return;
  const message = `the notification that block ${height} speaks of does not say so`;
  findings.add({ height, code: 'response_row_missing', message });
}

function isSameResponse({ brand, decision }: FoundDecision<'response'>, row: ResponseRow): boolean {
  const { case_no: caseNo, notification_id: notification } = row;
  return (
    row.tenant_id === brand &&
    caseNo !== null &&
    subjectOfResponse({ case_no: caseNo, notification }) === subjectOfResponse(decision)
  );
}

function listDiffering(
  { decision, opened }: FoundDecision<'response'>,
  row: ResponseRow,
): readonly string[] {
  const said = {
    audience: opened.audience ?? row.audience,
    recipient: opened.recipient ?? null,
    status: decision.status,
    sent_at: decision.sent_at ?? null,
    acknowledged_at: decision.acknowledged_at ?? null,
    resolved_at: decision.resolved_at ?? null,
    response: opened.response ?? null,
  };
  const names = Object.keys(said) as readonly (keyof typeof said)[];
  return names.filter((name) => row[name] !== said[name]);
}
