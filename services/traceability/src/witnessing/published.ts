// Checkpoints that satisfied the hub's policy, as they are stored for everybody who asks.
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { LOG_CHECKPOINTS } from '../ledger/tables/log.ts';
import type { LogCheckpointRow } from '../ledger/tables/log.ts';

/** The newest one of an epoch; undefined while the policy was never satisfied. */
export function newestPublished(
  database: Pick<DatabaseReader, 'first'>,
  epoch: number,
): Promise<LogCheckpointRow | undefined> {
  return database.first(sql`
    select ${selectList(LOG_CHECKPOINTS)}
    from log_checkpoints
    where epoch = ${epoch}
    order by size desc
    limit 1`);
}
