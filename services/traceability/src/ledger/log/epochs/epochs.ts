// The logs of this hub, one behind the other, as they are stored: their names, keys, ends and statements.
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { LOG_EPOCHS, type LogEpochRow } from '../../tables/log.ts';

/** Finds the current log; undefined before the first one begins. */
export function findCurrentEpoch(
  database: Pick<DatabaseReader, 'first'>,
): Promise<LogEpochRow | undefined> {
  return database.first(sql`
    select ${selectList(LOG_EPOCHS)}
    from log_epochs
    order by epoch desc
    limit 1`);
}

/** Reads all logs, the first one first. There are few of them. */
export function readEpochs(database: Pick<DatabaseReader, 'all'>): Promise<readonly LogEpochRow[]> {
  return database.all(sql`
    select ${selectList(LOG_EPOCHS)}
    from log_epochs
    order by epoch`);
}

/** The statement that a log began with. */
export interface StoredStatement {
  readonly epoch: number;
  /** The signed note. */
  readonly note: string;
}

/** The statements that logs began with, in their order. */
export async function readStatements(
  database: Pick<DatabaseReader, 'all'>,
): Promise<readonly StoredStatement[]> {
  return listStatements(await readEpochs(database));
}

export function listStatements(epochs: readonly LogEpochRow[]): readonly StoredStatement[] {
  return epochs.flatMap(({ epoch, statement }) =>
    statement === null ? [] : [{ epoch, note: statement }],
  );
}

/** The verifier keys of a stored text of lines. */
export function parseVkeys(lines: string | null): readonly string[] {
  return lines === null || lines === '' ? [] : lines.split('\n');
}

/** Every key that signs or has signed under the name. */
export function listAllVkeys({ vkeys, retired_vkeys: retired }: LogEpochRow): readonly string[] {
  return [...parseVkeys(vkeys), ...parseVkeys(retired)];
}
