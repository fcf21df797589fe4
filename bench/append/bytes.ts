// What an event takes of the disk on SQLite: what is written for it, and what stays of it.
import { existsSync, readFileSync } from 'node:fs';
import { present } from '@lothub/kit/present';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { databaseFile } from '@lothub/traceability/ledger/sqlite/store';
import sql from 'sql-template-tag';

/**
 * Bytes that a process has given to disks since its start, the log and the copying of its pages into the file.
 * @returns undefined on a system that does not say
 */
export function bytesWrittenBy(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/io`;
  if (pid === undefined || !existsSync(file)) return undefined;
  const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return Number(bytes);
}

/** Bytes of all rows and indexes but the tiles of the log, for each event of a hub that has ended. */
export async function bytesOnDisk(dataDir: string): Promise<number> {
  await using database = new SqliteConnection(databaseFile(dataDir), 'read');
  const found = await database.first<{ readonly bytes: number }>(sql`
    select sum(pgsize) * 1.0 / (select count(*) from events) as "bytes"
    from dbstat
    where name not like '%log_tiles%'`);
  return present(found, 'the size of the database').bytes;
}
