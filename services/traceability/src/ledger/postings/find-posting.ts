// Reads the poster of an event and the warnings of the post, which are beside the chain: for the
// pages of the brand alone.
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Came } from '../draft.ts';
import { POSTINGS, type PostingRow } from '../tables/postings.ts';

/** Height, code, and the line that it is about. */
export type StoredWarning = readonly [height: number, code: string, line: number | null];

export interface Posting {
  readonly actor: string;
  readonly came: Came;
  readonly warnings: readonly PostedWarning[];
}

export interface PostedWarning {
  readonly code: string;
  /** Index of the line that it is about; null: the event. */
  readonly line: number | null;
}

/** Returns what is stored of some warnings, or null if there are none. */
export function warningsText(warnings: readonly StoredWarning[]): string | null {
  return warnings.length === 0 ? null : JSON.stringify(warnings);
}

/** Returns who posted the event of a block; undefined: it was posted before this was kept, or it was erased. */
export async function findPosting(
  database: Pick<DatabaseReader, 'first'>,
  height: number,
): Promise<Posting | undefined> {
  const row = await database.first<PostingRow>(sql`
    select ${selectList(POSTINGS)}
    from postings
    where first_height <= ${height}
    order by first_height desc
    limit 1`);
  if (row === undefined || row.last_height < height) return undefined;
  const { actor, came, warnings } = row;
  // Written by `warningsText`.
  const stored = warnings === null ? [] : (JSON.parse(warnings) as readonly StoredWarning[]);
  return {
    ...{ actor, came },
    warnings: stored.flatMap(([at, code, line]) => (at === height ? [{ code, line }] : [])),
  };
}
