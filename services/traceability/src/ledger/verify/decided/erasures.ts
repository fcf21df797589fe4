// Blocks whose private values were erased, against the blocks that say so.
import sql from 'sql-template-tag';
import { decisionsOfType, type CompareDecided } from './check.ts';
import { findRowsOutside } from './outside.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';

interface ErasedRow {
  readonly height: number;
  readonly erasure_height: number;
}

export async function readErasureComparison(
  reader: SnapshotReader,
  range: HeightRange,
): Promise<CompareDecided> {
  const { after, through } = range;
  const isOutside = await findRowsOutside(reader, range, {
    table: sql`erased_heights`,
    column: sql`erasure_height`,
  });
  const rows = await reader.all<ErasedRow>(sql`
    select height, erasure_height
    from erased_heights
    where erasure_height > ${after} and erasure_height <= ${through}`);
  const byBlock = Map.groupBy(rows, (row) => row.erasure_height);
  return ({ through: last, decisions, findings }) => {
    if (isOutside) {
      const message = 'values are noted as erased by a block that is not there';
      findings.add({ height: 0, code: 'erasure_row_extra', message });
    }
    const blocks = new Map(decisionsOfType('erasure', decisions).map((one) => [one.height, one]));
    if (blocks.size === 0 && rows.length === 0) return;
    for (let height = after + 1; height <= last; height += 1) {
      const said = new Set(blocks.get(height)?.decision.heights ?? []);
      const extra = (byBlock.get(height) ?? []).filter((row) => !said.delete(row.height));
      if (extra.length > 0) {
        const message = `values are noted as erased that block ${height} does not speak of`;
        findings.add({ height, code: 'erasure_row_extra', message });
      }
      if (said.size === 0) continue;
      const message = `block ${height} says of values that they were erased, and that is not noted`;
      findings.add({ height, code: 'erasure_row_missing', message });
    }
  };
}
