// The stored findings about the chain: an alarm is open until a full verification clears it.
import { insertRowWhere } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { CHAIN_ALARMS, type AlarmRow } from './tables/off-chain.ts';

/** Records a mismatch once: an open alarm of the same height and code is not repeated. */
export function raiseAlarm(row: AlarmRow): Sql {
  return insertRowWhere(
    CHAIN_ALARMS,
    row,
    sql`
      not exists (
        select 1
        from chain_alarms
        where height = ${row.height} and code = ${row.code} and cleared_at is null
      )`,
  );
}
