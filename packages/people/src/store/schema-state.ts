// Whether there are people to be operated, and whether they are of this program; asked without making or
// changing anything.
import { readMigrations } from '@lothub/kit/migrations';
import { postgresSchemaVersion } from '@lothub/kit/postgres/migrate';
import { sqliteSchemaVersion } from '@lothub/kit/sqlite/schema-version';
import {
  POSTGRES_NAMESPACE as namespace,
  SCHEMA_NAME as service,
  postgresSchemaFolder,
  sqliteSchemaFolder,
} from './schema.ts';
import { databaseFile } from './sqlite/file.ts';

/** Numbers of schema files. */
export interface SchemaState {
  /** The newest that the database has; 0: there are no people. */
  readonly present: number;
  /** The newest there is. */
  readonly known: number;
}

export interface PeoplePlace {
  /** Holds the SQLite database. */
  readonly dataDir: string;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
}

/** @throws DatabaseError when the database cannot be opened */
export async function findSchemaState({ dataDir, databaseUrl }: PeoplePlace): Promise<SchemaState> {
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
