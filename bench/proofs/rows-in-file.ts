// The rows of the tree in a file of SQLite.
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { databaseFile } from '@lothub/traceability/ledger/sqlite/store';
import sql from 'sql-template-tag';
import { bytesOfTree, dropTree, type TreeRows } from './tree-rows.ts';

export function openRowsInFile(dataDir: string): TreeRows {
  const database = new SqliteConnection(databaseFile(dataDir), 'write');
  return {
    database,
    drop: () => dropTree(database),
    bytes: () => bytesOfTree(database, ON_DISK),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const ON_DISK = sql`
  select sum(pgsize) as bytes
  from dbstat
  where name in ('log_tiles', 'sqlite_autoindex_log_tiles_1')`;
