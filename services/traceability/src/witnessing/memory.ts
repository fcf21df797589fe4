// What is remembered of each witness between rounds, over restarts and for every process.
import type { DatabaseReader, TimeLimit } from '@lothub/kit/database';
import { insertRow, onConflictReplace, selectList } from '@lothub/kit/rows/stored-table';
import sql, { raw, type Sql } from 'sql-template-tag';
import { LOG_WITNESSES, type LogWitnessRow } from '../ledger/tables/log.ts';

export function readWitnesses(
  database: Pick<DatabaseReader, 'all'>,
  epoch: number,
  limit?: TimeLimit,
): Promise<readonly LogWitnessRow[]> {
  return database.all(
    sql`
      select ${selectList(LOG_WITNESSES)}
      from log_witnesses
      where epoch = ${epoch}
      order by vkey`,
    limit,
  );
}

export function rememberWitness(row: LogWitnessRow): Sql {
  return sql`${insertRow(LOG_WITNESSES, row)} ${raw(onConflictReplace(LOG_WITNESSES))}`;
}
