// Where this service's schema files lie, and the name its schema versions are kept under.
import { fileURLToPath } from 'node:url';

export const SERVICE_NAME = 'traceability';
export const sqliteSchemaFolder = fileURLToPath(new URL('../schema/sqlite', import.meta.url));
export const postgresSchemaFolder = fileURLToPath(new URL('../schema/postgres', import.meta.url));
