// Time stamps on checkpoints, as they are stored.
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRow, selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { readEpochs } from '../ledger/log/epochs/epochs.ts';
import { LOG_TIMESTAMPS, type LogEpochRow, type LogTimestampRow } from '../ledger/tables/log.ts';

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

/** A time stamp, and the log whose checkpoint is stamped. */
export interface StampedTree extends LogTimestampRow {
  readonly origin: string;
}

/**
 * The oldest one of a tree that has the first `size` blocks: the earliest time that is shown for them. It may
 * be of a log that has ended, as long as the log that continues shares the whole stamped tree.
 */
export async function oldestTimeStamp(
  database: Pick<DatabaseReader, 'first' | 'all'>,
  size: number,
): Promise<StampedTree | undefined> {
  for (const { epoch, origin, through } of sharedSizes(await readEpochs(database))) {
    const stamped = await database.first<LogTimestampRow>(sql`
      select ${selectList(LOG_TIMESTAMPS)}
      from log_timestamps
      where epoch = ${epoch} and size >= ${size} and size <= ${through}
      order by size
      limit 1`);
    if (stamped !== undefined) return { ...stamped, origin };
  }
  return undefined;
}

/** For each log how many blocks the one that continues has in common with it, the first log first. */
function sharedSizes(
  epochs: readonly LogEpochRow[],
): readonly { readonly epoch: number; readonly origin: string; readonly through: number }[] {
  let through = Number.MAX_SAFE_INTEGER;
  return epochs
    .toReversed()
    .map(({ epoch, origin, ended_at: endedAt, common_size: common }) => {
      if (endedAt !== null) through = Math.min(through, common ?? 0);
      return { epoch, origin, through };
    })
    .toReversed();
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
