// Gives each test a database of its own on the engine that the run is about, with the tables of this
// service.
import { TestDatabases, testEngine } from '@lothub/kit/test/engine';
import { TESTED_PEOPLE } from '@lothub/people/test/tested';
import sql from 'sql-template-tag';
import { SERVICE_NAME, postgresSchemaFolder, sqliteSchemaFolder } from '../src/ledger/schema.ts';
import { databaseFile } from '../src/ledger/sqlite/store.ts';

export { PostgresTestDatabase, testEngine } from '@lothub/kit/test/engine';
export type { StoredRow, TestDatabase, TestEngine } from '@lothub/kit/test/engine';

/**
 * Random chains that a model is compared with. What becomes of a chain is decided above the engines, and
 * each query is asked on both by itself: a server, which takes longer, plays fewer.
 */
export function chainsToPlay(ofSqlite: number): number {
  return testEngine === 'sqlite' ? ofSqlite : Math.ceil(ofSqlite / 3);
}

export const {
  newTestDatabase,
  newDatabaseWithTables,
  newBarePostgres,
  openSecondDatabase,
  sqliteDatabase,
} = new TestDatabases({
  name: SERVICE_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
  lockWrites: sql`select height from head for update`,
  databaseFile,
  beside: TESTED_PEOPLE,
});
