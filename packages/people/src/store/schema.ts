// Where the schema files of people lie, and the names their tables are kept under.
import { fileURLToPath } from 'node:url';

export const SCHEMA_NAME = 'people';
export const sqliteSchemaFolder = fileURLToPath(new URL('../schema/sqlite', import.meta.url));
export const postgresSchemaFolder = fileURLToPath(new URL('../schema/postgres', import.meta.url));

/**
 * Schema (namespace) of all tables on PostgreSQL. A service that joins them reads `people.accounts`: on
 * SQLite that is the name under which it attaches the file.
 */
export const POSTGRES_NAMESPACE = 'people';

/** The PostgreSQL channel on which processes learn that sessions have ended. */
export const ENDS_CHANNEL = 'people_ends';
