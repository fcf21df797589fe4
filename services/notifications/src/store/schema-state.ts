// Whether there is a store to be operated, and whether it is one of this program.
import { readMigrations } from '@lothub/kit/migrations';
import type { StoreOptions } from './open-store.ts';
import { postgresSchemaVersion } from './postgres/schema-version.ts';
import { postgresSchemaFolder, sqliteSchemaFolder } from './schema.ts';
import { sqliteSchemaVersion } from './sqlite/schema-version.ts';

/** Numbers of schema files. */
export interface SchemaState {
  /** The newest that the database has; 0: there is no store. */
  readonly present: number;
  /** The newest there is. */
  readonly known: number;
}

/** @throws DatabaseError when the database cannot be opened */
export async function findSchemaState({
  dataDir,
  databaseUrl,
}: Pick<StoreOptions, 'dataDir' | 'databaseUrl'>): Promise<SchemaState> {
  if (databaseUrl === undefined) {
    return {
      present: await sqliteSchemaVersion(dataDir),
      known: readMigrations(sqliteSchemaFolder).length,
    };
  }
  return {
    present: await postgresSchemaVersion(databaseUrl),
    known: readMigrations(postgresSchemaFolder).length,
  };
}
