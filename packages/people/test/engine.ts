// Gives each test a database of its own on the engine that the run is about, with the tables of people.
import { TestDatabases } from '@lothub/kit/test/engine';
import type { PostgresTestDatabase, TestDatabase } from '@lothub/kit/test/engine';
import { TESTED_PEOPLE } from './tested.ts';

export { testEngine } from '@lothub/kit/test/engine';
export type { PostgresTestDatabase, TestDatabase } from '@lothub/kit/test/engine';

const databases = new TestDatabases(TESTED_PEOPLE);

export function newTestDatabase(): Promise<TestDatabase> {
  return databases.newTestDatabase();
}

/** For people who are not asked how they make their tables. */
export function newDatabaseWithTables(): Promise<TestDatabase> {
  return databases.newDatabaseWithTables();
}

/** A second machine's view of a PostgreSQL database; it stays when this view of it is disposed. */
export function besideDatabase(databaseUrl: string): Promise<PostgresTestDatabase> {
  return databases.besideDatabase(databaseUrl);
}
