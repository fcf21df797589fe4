// The rows of the tree in the database of a hub: takes them away, as they are missing in a hub of before the
// log, and measures them.
import type { DatabaseReader } from '@lothub/kit/database';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { databaseFile } from '@lothub/traceability/ledger/sqlite/store';
import sql from 'sql-template-tag';
import type { HubPlace } from './hub.ts';

interface Bytes {
  readonly bytes: number;
}

export class TreeRows implements AsyncDisposable {
  readonly database: SqliteConnection | PostgresConnection;

  private constructor(database: SqliteConnection | PostgresConnection) {
    this.database = database;
  }

  static async open({ dataDir, databaseUrl }: HubPlace): Promise<TreeRows> {
    return new TreeRows(
      databaseUrl === undefined
        ? new SqliteConnection(databaseFile(dataDir), 'write')
        : await PostgresConnection.open(databaseUrl, { connectionsMax: 2, pipeline: true }),
    );
  }

  /** While no service has the hub open. */
  async drop(): Promise<void> {
    await this.database.all(sql`delete from log_tiles`);
    await this.database.all(sql`update head set frontier = null`);
    if (this.database instanceof PostgresConnection) {
      await this.database.all(sql`vacuum full log_tiles`);
    }
  }

  /** On disk, with what the pages of the tiles leave empty. */
  async bytes(): Promise<number> {
    const tiles =
      this.database instanceof PostgresConnection
        ? sql`select pg_total_relation_size('log_tiles') as bytes`
        : sql`select sum(pgsize) as bytes from dbstat where name in ('log_tiles', 'sqlite_autoindex_log_tiles_1')`;
    const frontier = sql`select octet_length(frontier) as bytes from head`;
    return (await bytesOf(this.database, tiles)) + (await bytesOf(this.database, frontier));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close();
  }
}

async function bytesOf(
  database: DatabaseReader,
  question: Parameters<DatabaseReader['first']>[0],
): Promise<number> {
  const row = await database.first<Bytes>(question);
  if (row === undefined) throw new Error('the database does not say how large the tree is');
  return Number(row.bytes);
}
