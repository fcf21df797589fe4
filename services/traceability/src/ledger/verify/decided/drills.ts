// Recall drills against the blocks that say them.
import sql from 'sql-template-tag';
import { decisionsOfType, type CompareDecided, type FoundDecision } from './check.ts';
import type { Findings } from '../mismatch.ts';
import { findRowsOutside } from './outside.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';
import { textOrErased } from '../../record/decisions/contents.ts';

/** A drill with its tenant; null where that is not listed. */
interface DrillRow {
  readonly sealed_height: number;
  readonly drill_id: number;
  readonly lot_code: string;
  readonly drilled_at: string;
  readonly actor: string;
  readonly height: number;
  readonly tip_hash: string;
  readonly elapsed_us: number;
  readonly result: string;
  readonly tenant_id: string | null;
}

export async function readDrillComparison(
  reader: SnapshotReader,
  range: HeightRange,
): Promise<CompareDecided> {
  const { after, through } = range;
  const isOutside = await findRowsOutside(reader, range, {
    table: sql`recall_drills`,
    column: sql`sealed_height`,
  });
  const rows = await reader.all<DrillRow>(sql`
    select
      d.sealed_height, d.drill_id, d.lot_code, d.drilled_at, d.actor, d.height, d.tip_hash,
      d.elapsed_us, d.result, t.tenant_id
    from recall_drills d
    left join tenants t on t.tenant_no = d.tenant_no
    where d.sealed_height > ${after} and d.sealed_height <= ${through}
    order by d.sealed_height, d.drill_id`);
  const byHeight = Map.groupBy(rows, (row) => row.sealed_height);
  return ({ through: last, decisions, findings }) => {
    if (isOutside) {
      const message = 'a drill bears a height at which there is no block';
      findings.add({ height: 0, code: 'drill_row_extra', message });
    }
    const blocks = new Map(decisionsOfType('drill', decisions).map((one) => [one.height, one]));
    if (blocks.size === 0 && rows.length === 0) return;
    for (let height = after + 1; height <= last; height += 1) {
      compareBlock(height, blocks.get(height), { rows: byHeight.get(height) ?? [], findings });
    }
  };
}

function compareBlock(
  height: number,
  block: FoundDecision<'drill'> | undefined,
  { rows, findings }: { readonly rows: readonly DrillRow[]; readonly findings: Findings },
): void {
  // If the result is missing, the row is missing as well: there is a finding about that already.
  let isMissing = block?.opened.result !== undefined;
  let isFound = false;
  for (const row of rows) {
    if (block === undefined || isFound || row.drill_id !== block.decision.drill) {
      const message = `block ${height} has a row of a drill that it does not speak of`;
      findings.add({ height, code: 'drill_row_extra', message });
      continue;
    }
    isMissing = false;
    isFound = true;
    const differing = listDiffering(block, row);
    if (differing.length === 0) continue;
    const message = `the drill that block ${height} speaks of differs: ${differing.join(', ')}`;
    findings.add({ height, code: 'drill_row_differs', message });
  }
  if (!isMissing) return;
  const message = `the row of the drill in block ${height} is gone`;
  findings.add({ height, code: 'drill_row_missing', message });
}

function listDiffering(
  { brand, decision, opened }: FoundDecision<'drill'>,
  row: DrillRow,
): readonly string[] {
  const said = {
    tenant_id: brand,
    lot_code: decision.lot,
    drilled_at: decision.at,
    actor: textOrErased(opened, 'by'),
    height: decision.tip.height,
    tip_hash: decision.tip.hash,
    elapsed_us: decision.elapsed_us,
    result: opened.result ?? row.result,
  };
  const names = Object.keys(said) as readonly (keyof typeof said)[];
  return names
    .filter((name) => row[name] !== said[name])
    .map((name) => (name === 'tenant_id' ? 'tenant_no' : name));
}
