// Where this service's schema files lie, and the name its schema versions are kept under.
import { fileURLToPath } from 'node:url';

export const SERVICE_NAME = 'notifications';
export const sqliteSchemaFolder = fileURLToPath(new URL('../schema/sqlite', import.meta.url));
export const postgresSchemaFolder = fileURLToPath(new URL('../schema/postgres', import.meta.url));

/**
 * Schema (namespace) of all tables on PostgreSQL: the service may share a database with another one,
 * and no name of either meets one of the other.
 */
export const POSTGRES_NAMESPACE = 'notifications';

/**
 * Under this name queries read people: their namespace on PostgreSQL, and their file on SQLite, which
 * connections attach for reading.
 */
export const PEOPLE_NAMESPACE = 'people';

/** The channel on which the schema of PostgreSQL notifies processes of each new entry of the feed. */
export const FEED_CHANNEL = 'notifications_feed';
