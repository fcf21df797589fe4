// The rows of the tree in a database of PostgreSQL.
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import { bytesOfTree, dropTree, type TreeRows } from './tree-rows.ts';

export async function openRowsInServer(databaseUrl: string): Promise<TreeRows> {
  const database = await PostgresConnection.open(databaseUrl, {
    connectionsMax: 2,
    pipeline: true,
  });
  return {
    database,
    drop: async () => {
      await dropTree(database);
      await database.all(sql`vacuum full log_tiles`);
    },
    bytes: () => bytesOfTree(database, sql`select pg_total_relation_size('log_tiles') as bytes`),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
