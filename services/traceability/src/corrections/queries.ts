// What is kept of the private values of one correction.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/** Of a change, or of who asked for the correction: then the number is null and `from` says who. */
export interface KeptRow {
  readonly changeNo: number | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** A correction has at most a thousand changes. */
export async function keptOfCorrection(
  database: DatabaseReader,
  height: number,
): Promise<readonly KeptRow[]> {
  return await database.all<KeptRow>(sql`
    select change_no as "changeNo", from_text as "from", to_text as "to"
    from private_changes
    where height = ${height}
    union all
    select null, requested_by, null
    from private_requests
    where height = ${height}`);
}
