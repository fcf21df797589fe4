// Which schema a service's database has, and which one this program works with; asked without making or changing
// anything.
import { readMigrations } from '../migrations.ts';
import { postgresSchemaVersion } from '../postgres/migrate.ts';
import { sqliteSchemaVersion } from '../sqlite/schema-version.ts';

/** Numbers of schema files. */
export interface SchemaState {
  /** The newest that the database has; 0: there are no tables. */
  readonly present: number;
  /** The newest there is. */
  readonly known: number;
}

/** The schema files of a service and where its tables are. */
export interface ServiceSchema {
  /** The name that versions are kept under. */
  readonly service: string;
  /** Schema (namespace) of all tables on PostgreSQL. */
  readonly namespace: string;
  readonly sqliteSchemaFolder: string;
  readonly postgresSchemaFolder: string;
  /** @param dataDir holds the file */
  readonly databaseFile: (dataDir: string) => string;
}

export interface SchemaPlace {
  /** Holds the SQLite database. */
  readonly dataDir: string;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
}

/** @throws DatabaseError when the database cannot be opened */
export async function readSchemaState(
  { service, namespace, sqliteSchemaFolder, postgresSchemaFolder, databaseFile }: ServiceSchema,
  { dataDir, databaseUrl }: SchemaPlace,
): Promise<SchemaState> {
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
