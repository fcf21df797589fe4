// The folder of this service's schema files, and the name of its schema versions.
import { fileURLToPath } from 'node:url';

export const SERVICE_NAME = 'traceability';
export const sqliteSchemaFolder = fileURLToPath(new URL('../schema/sqlite', import.meta.url));
export const postgresSchemaFolder = fileURLToPath(new URL('../schema/postgres', import.meta.url));
