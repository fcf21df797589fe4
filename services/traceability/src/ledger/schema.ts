// Where this service's schema files lie, the name its schema versions are kept under, and applying
// them to PostgreSQL.
import { fileURLToPath } from 'node:url';
import { DatabaseError } from '@lothub/kit/database';
import { readMigrations } from '@lothub/kit/migrations';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { codeOf } from '@lothub/kit/postgres/errors';
import { migratePostgres } from '@lothub/kit/postgres/migrate';
import sql from 'sql-template-tag';

export const SERVICE_NAME = 'traceability';
export const sqliteSchemaFolder = fileURLToPath(new URL('../schema/sqlite', import.meta.url));
export const postgresSchemaFolder = fileURLToPath(new URL('../schema/postgres', import.meta.url));

/** The extension that finds lots by a part of their text. */
const TEXT_EXTENSION = 'pg_trgm';
/** No right to create it; not among those that are installed; its files are not there. */
const EXTENSION_REFUSED = new Set(['42501', '0A000', '58P01']);

/**
 * Gives a PostgreSQL database the tables of the ledger, or those that it lacks; all or none. Any number
 * of processes may do it at a time.
 * @throws DatabaseError `database_too_new` when the database was written by a newer program,
 * `database_unsupported` when it lacks an extension and this user may not create it
 */
export async function migrateLedger(connection: PostgresConnection): Promise<void> {
  try {
    await migratePostgres(connection, readMigrations(postgresSchemaFolder), SERVICE_NAME);
  } catch (error) {
    throw (await isExtensionRefused(connection, error)) ? extensionMissing(error) : error;
  }
}

async function isExtensionRefused(
  connection: PostgresConnection,
  error: unknown,
): Promise<boolean> {
  const refusal = error instanceof DatabaseError ? error.cause : error;
  if (!EXTENSION_REFUSED.has(codeOf(refusal))) return false;
  const extension = await connection.first(
    sql`select extname from pg_extension where extname = ${TEXT_EXTENSION}`,
  );
  return extension === undefined;
}

function extensionMissing(cause: unknown): DatabaseError {
  const refusal = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError(
    'database_unsupported',
    `the database lacks the extension ${TEXT_EXTENSION} (${refusal}): install the package ` +
      `postgresql-contrib on its server if it is not there, and as a user who may create objects in ` +
      `the database run \`create extension ${TEXT_EXTENSION}\` once`,
    { cause },
  );
}
