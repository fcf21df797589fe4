// Gives each test a database of its own on the engine that the run is about, with the tables of this
// service.
import { TestDatabases, testEngine } from '@lothub/kit/test/engine';
import type { PostgresTestDatabase, TestDatabase } from '@lothub/kit/test/engine';
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

const databases = new TestDatabases({
  name: SERVICE_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
  lockWrites: sql`select height from head for update`,
  databaseFile,
  beside: TESTED_PEOPLE,
});

export function newTestDatabase(): Promise<TestDatabase> {
  return databases.newTestDatabase();
}

/** For a service that is not asked how it makes its tables. */
export function newDatabaseWithTables(): Promise<TestDatabase> {
  return databases.newDatabaseWithTables();
}

/** A PostgreSQL database whatever the engine of the run is, without a schema yet. */
export function newBarePostgres(): Promise<PostgresTestDatabase> {
  return databases.newBarePostgres();
}

/** A second machine's view of a PostgreSQL database; it stays when this view of it is disposed. */
export function besideDatabase(databaseUrl: string): Promise<PostgresTestDatabase> {
  return databases.besideDatabase(databaseUrl);
}

/** The database in a data directory; on SQLite nothing else is needed to find it. */
export function sqliteDatabase(dataDir: string): TestDatabase {
  return databases.sqliteDatabase(dataDir);
}
