// Gives each test a database of its own on the engine that the run is about, with the tables of this
// service.
import { TestDatabases } from '@lothub/kit/test/engine';
import { TESTED_PEOPLE } from '@lothub/people/test/tested';
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

export const { newTestDatabase, newDatabaseWithTables, newBarePostgres, openSecondDatabase } =
  new TestDatabases({
    name: SERVICE_NAME,
    postgresSchemaFolder,
    sqliteSchemaFolder,
    postgresNamespace: POSTGRES_NAMESPACE,
    lockWrites: LOCK_FEED_HEAD,
    databaseFile,
    beside: TESTED_PEOPLE,
  });
