// Time stamps on checkpoints, as they are stored.
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRow, selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { LOG_TIMESTAMPS } from '../ledger/tables/log.ts';
import type { LogTimestampRow } from '../ledger/tables/log.ts';

type Reader = Pick<DatabaseReader, 'first'>;

/** A time stamp without its bytes. */
export type NewestTimeStamp = Pick<LogTimestampRow, 'epoch' | 'size' | 'service' | 'stamped_at'>;

/** The newest one, of whatever epoch. */
export function newestTimeStamp(database: Reader): Promise<NewestTimeStamp | undefined> {
  return database.first(sql`
    select epoch, size, service, stamped_at
    from log_timestamps
    order by epoch desc, size desc
    limit 1`);
}

/** The oldest one of a tree of at least `size` blocks: the earliest time that is shown for them. */
export function oldestTimeStamp(
  database: Reader,
  { epoch, size }: Pick<LogTimestampRow, 'epoch' | 'size'>,
): Promise<LogTimestampRow | undefined> {
  return database.first(sql`
    select ${selectList(LOG_TIMESTAMPS)}
    from log_timestamps
    where epoch = ${epoch} and size >= ${size}
    order by size
    limit 1`);
}

export function findTimeStamp(
  database: Reader,
  { epoch, size }: Pick<LogTimestampRow, 'epoch' | 'size'>,
): Promise<LogTimestampRow | undefined> {
  return database.first(sql`
    select ${selectList(LOG_TIMESTAMPS)}
    from log_timestamps
    where epoch = ${epoch} and size = ${size}`);
}

/** Of two that two processes took of one checkpoint the first stays. */
export function insertTimeStamp(row: LogTimestampRow): Sql {
  return sql`${insertRow(LOG_TIMESTAMPS, row)} on conflict do nothing`;
}
