// Gives each test a database of its own on the engine that the run is about, with the tables of this
// service.
import { TestDatabases } from '@lothub/kit/test/engine';
import { TESTED_PEOPLE } from '@lothub/people/test/tested';
import type { PostgresTestDatabase, TestDatabase } from '@lothub/kit/test/engine';
import { LOCK_FEED_HEAD } from '../src/store/postgres/feed-head.ts';
import {
  POSTGRES_NAMESPACE,
  SERVICE_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
} from '../src/store/schema.ts';
import { databaseFile } from '../src/store/sqlite/store.ts';

export { PostgresTestDatabase, testEngine } from '@lothub/kit/test/engine';
export type { StoredRow, TestDatabase, TestEngine } from '@lothub/kit/test/engine';

const databases = new TestDatabases({
  name: SERVICE_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
  postgresNamespace: POSTGRES_NAMESPACE,
  lockWrites: LOCK_FEED_HEAD,
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
