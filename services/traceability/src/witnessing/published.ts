// Checkpoints that satisfied the hub's policy, as they are stored for all readers.
import type { DatabaseReader, TimeLimit } from '@lothub/kit/database';
import { insertRow, onConflictReplace, selectList } from '@lothub/kit/rows/stored-table';
import sql, { raw, type Sql } from 'sql-template-tag';
import { LOG_CHECKPOINTS, type LogCheckpointRow } from '../ledger/tables/log.ts';

/** Newest checkpoints that are all kept; of the older ones the last of each day is. */
const KEPT_ALL = 1_000;
/** Characters of a day in ISO 8601. */
const DAY_LENGTH = 10;

/** The newest one of an epoch; undefined while the policy was never satisfied. */
export function newestPublished(
  database: Pick<DatabaseReader, 'first'>,
  epoch: number,
  limit?: TimeLimit,
): Promise<LogCheckpointRow | undefined> {
  return database.first(
    sql`
      select ${selectList(LOG_CHECKPOINTS)}
      from log_checkpoints
      where epoch = ${epoch}
      order by size desc
      limit 1`,
    limit,
  );
}

/** Publishes one, or renews its cosignatures; what becomes too old by it is removed. */
export function publish(row: LogCheckpointRow): readonly Sql[] {
  const nth = (place: number, column: string): Sql => sql`
    (select ${raw(column)} from log_checkpoints
     where epoch = ${row.epoch}
     order by size desc
     limit 1 offset ${place})`;
  const day = raw(`substr(published_at, 1, ${DAY_LENGTH})`);
  return [
    sql`${insertRow(LOG_CHECKPOINTS, row)} ${raw(onConflictReplace(LOG_CHECKPOINTS))}`,
    // One at most becomes too old, because each of the older ones was judged when it did.
    sql`
      delete from log_checkpoints
      where epoch = ${row.epoch}
        and size = ${nth(KEPT_ALL, 'size')}
        and ${day} = ${nth(KEPT_ALL - 1, `substr(published_at, 1, ${DAY_LENGTH})`)}`,
  ];
}
