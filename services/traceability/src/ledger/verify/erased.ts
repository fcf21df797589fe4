// Reads which blocks' private values were erased, as blocks of erasures say.
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { ErasedHeights } from './rows/stored-rows.ts';
import type { HeightRange, SnapshotReader } from './snapshot-reader.ts';

/** Reads the erased heights of a slice of the chain. */
export async function readErasedInRange(
  reader: SnapshotReader,
  { after, through }: HeightRange,
): Promise<ErasedHeights> {
  const rows = await reader.all<{ readonly height: number }>(sql`
    select height
    from erased_heights
    where height > ${after} and height <= ${through}`);
  return await erasedHeights(reader, rows);
}

/** Reads which of these heights are erased. */
export async function readErased(
  reader: SnapshotReader,
  heights: readonly number[],
): Promise<ErasedHeights> {
  const rows: { readonly height: number }[] = [];
  for (const slice of cutSlices(heights)) {
    rows.push(
      ...(await reader.all<{ readonly height: number }>(sql`
        select height
        from erased_heights
        where height in (${inList(slice)})`)),
    );
  }
  return await erasedHeights(reader, rows);
}

async function erasedHeights(
  reader: SnapshotReader,
  rows: readonly { readonly height: number }[],
): Promise<ErasedHeights> {
  const [marker] = await reader.all(sql`
    select id
    from decision_sealing
    where id = 1`);
  return {
    isPastSealed: marker !== undefined,
    heights: new Set(rows.map(({ height }) => height)),
  };
}
