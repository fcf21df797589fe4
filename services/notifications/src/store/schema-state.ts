// Whether there is a store to be operated, and whether it is one of this program.
import { readMigrations } from '@lothub/kit/migrations';
import { postgresSchemaVersion } from '@lothub/kit/postgres/migrate';
import { sqliteSchemaVersion } from '@lothub/kit/sqlite/schema-version';
import type { StoreOptions } from './open-store.ts';
import {
  POSTGRES_NAMESPACE as namespace,
  SERVICE_NAME as service,
  postgresSchemaFolder,
  sqliteSchemaFolder,
} from './schema.ts';
import { databaseFile } from './sqlite/store.ts';

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
      present: await sqliteSchemaVersion({ file: databaseFile(dataDir), service }),
      known: readMigrations(sqliteSchemaFolder).length,
    };
  }
  return {
    present: await postgresSchemaVersion({ url: databaseUrl, namespace, service }),
    known: readMigrations(postgresSchemaFolder).length,
  };
}
