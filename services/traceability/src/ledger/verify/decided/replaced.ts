// Decisions that a later one about the same subject replaces: their rows are those of the later one.
import sql from 'sql-template-tag';
import type { DecisionType } from '../../record/decisions/contents.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';

/** Reads the heights of the range whose subject has a later block of the same type. */
export async function readReplaced(
  reader: SnapshotReader,
  { after, through }: HeightRange,
  type: DecisionType,
): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ readonly height: number }>(sql`
    select d.height
    from decisions d
    where d.height > ${after} and d.height <= ${through} and d.type = ${type}
      and exists (
        select 1
        from decisions l
        where l.tenant_id = d.tenant_id and l.type = d.type and l.subject = d.subject
          and l.height > d.height
      )`);
  return new Set(rows.map(({ height }) => height));
}
