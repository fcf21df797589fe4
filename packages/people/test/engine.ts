// Gives each test a database of its own on the engine that the run is about, with the tables of people.
import { TestDatabases } from '@lothub/kit/test/engine';
import { TESTED_PEOPLE } from './tested.ts';

export { testEngine } from '@lothub/kit/test/engine';
export type { PostgresTestDatabase, TestDatabase } from '@lothub/kit/test/engine';

export const { newTestDatabase, newDatabaseWithTables, openSecondDatabase } = new TestDatabases(
  TESTED_PEOPLE,
);
