// Holds that blocks set and ended, against those blocks.
import sql from 'sql-template-tag';
import { MANUAL_HOLD } from '../../draft.ts';
import { decisionsOfType, type CompareDecided, type FoundDecision } from './check.ts';
import type { Findings } from '../mismatch.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';
import { textOrErased } from '../../record/decisions/contents.ts';

/** A hold with the code of its lot; null where the lot or its tenant is not listed. */
interface HoldRow {
  readonly hold_no: number;
  readonly held_height: number | null;
  readonly released_height: number | null;
  /** 1: the block that released it does not exist, so that no slice reaches it. */
  readonly is_released_nowhere: 0 | 1;
  readonly source: string;
  readonly reason: string;
  readonly held_by: string;
  readonly held_since: string;
  readonly released_at: string | null;
  readonly released_by: string | null;
  readonly tenant_no: number;
  readonly lot_tenant_no: number | null;
  readonly lot_code: string | null;
  readonly tenant_id: string | null;
}

const HOLDS = sql`
  select
    h.hold_no, h.held_height, h.released_height, h.source, h.reason, h.held_by, h.held_since, h.released_at,
    h.released_by, h.tenant_no, l.tenant_no as lot_tenant_no, l.lot_code, t.tenant_id,
    case
      when h.released_height > (select height from head where id = 1) then 1 else 0
    end as is_released_nowhere
  from lot_holds h
  left join lots l on l.lot_no = h.lot_no
  left join tenants t on t.tenant_no = l.tenant_no`;

export async function readHoldComparison(
  reader: SnapshotReader,
  { after, through }: HeightRange,
): Promise<CompareDecided> {
  const rows = await reader.all<HoldRow>(sql`
    ${HOLDS}
    where h.held_height > ${after} and h.held_height <= ${through}
    union all
    ${HOLDS}
    where h.released_height > ${after} and h.released_height <= ${through}
      and (
        h.held_height is null or h.held_height <= ${after} or h.held_height > ${through}
      )`);
  const held = Map.groupBy(rows, (row) => row.held_height);
  const released = Map.groupBy(rows, (row) => row.released_height);
  return ({ through: last, decisions, findings }) => {
    const blocks = new Map(decisionsOfType('hold', decisions).map((one) => [one.height, one]));
    if (blocks.size === 0 && rows.length === 0) return;
    for (let height = after + 1; height <= last; height += 1) {
      const block = blocks.get(height);
      const isHolding = block?.decision.state === 'held';
      compareSide(height, isHolding ? block : undefined, held.get(height) ?? [], findings);
      compareSide(height, isHolding ? undefined : block, released.get(height) ?? [], findings);
    }
  };
}

/** The holds that a block sets, or those that it ends. */
function compareSide(
  height: number,
  block: FoundDecision<'hold'> | undefined,
  rows: readonly HoldRow[],
  findings: Findings,
): void {
  const missing = new Set(block?.decision.lots ?? []);
  for (const row of rows) {
    const isNamed = row.tenant_id === block?.brand && missing.delete(row.lot_code ?? '');
    if (block === undefined || !isNamed) {
      const message = `block ${height} has a row of a hold of a lot that it does not name`;
      findings.add({ height, code: 'hold_row_extra', message });
      continue;
    }
    const differing = listDiffering(block, row);
    if (differing.length === 0) continue;
    const message = `a hold of block ${height} differs: ${differing.join(', ')}`;
    findings.add({ height, code: 'hold_row_differs', message });
  }
  // A released hold stays released, so only holds of lots that the block names can be missing.
  for (const lotCode of missing) {
    const message = `the row of the hold of ${lotCode} in block ${height} is gone`;
    findings.add({ height, code: 'hold_row_missing', message });
  }
}

function listDiffering(
  { decision, opened }: FoundDecision<'hold'>,
  row: HoldRow,
): readonly string[] {
  const by = textOrErased(opened, 'by');
  const source = decision.case_no ?? MANUAL_HOLD;
  const isTenant = row.tenant_no === row.lot_tenant_no;
  const compared: readonly (readonly [string, boolean])[] =
    decision.state === 'held'
      ? [
          ['source', row.source === source],
          ['reason', row.reason === textOrErased(opened, 'reason')],
          ['held_by', row.held_by === by],
          ['held_since', row.held_since === decision.at],
          // Lists of open holds leave out holds without a number above 0.
          ['hold_no', row.hold_no > 0],
          ['released_at', row.released_height !== null || row.released_at === null],
          ['released_by', row.released_height !== null || row.released_by === null],
          // The end of a hold is compared with the block that ended it.
          ['released_height', row.is_released_nowhere === 0 || row.released_at !== null],
          ['tenant_no', isTenant],
        ]
      : [
          ['source', row.source === source],
          ['released_at', row.released_at === decision.at],
          ['released_by', row.released_by === by],
          ['tenant_no', isTenant],
        ];
  return compared.flatMap(([name, isSame]) => (isSame ? [] : [name]));
}
