// Applies the schema files of the ledger to a PostgreSQL database. It is a file of its own, so that code for
// SQLite does not load the driver of PostgreSQL.
import { DatabaseError } from '@lothub/kit/database';
import { readMigrations } from '@lothub/kit/migrations';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { readErrorCode } from '@lothub/kit/postgres/errors';
import { migratePostgres } from '@lothub/kit/postgres/migrate';
import sql from 'sql-template-tag';
import { SERVICE_NAME, postgresSchemaFolder } from '../schema.ts';

/** Extensions of the index that finds lots by a part of their text. */
const EXTENSIONS = ['pg_trgm', 'btree_gin'];
/** No right to create it; not among those that are installed; its files are not there. */
const EXTENSION_REFUSED = new Set(['42501', '0A000', '58P01']);

/**
 * Gives a PostgreSQL database the tables of the ledger, or those that it lacks; all or none. Any number
 * of processes may do it at a time.
 * @throws DatabaseError `database_too_new` when the database was written by a newer program,
 * `database_unsupported` when it lacks an extension and this user may not create it
 */
export async function migrateLedger(
  connection: PostgresConnection,
  options: Pick<UpgradeOptions, 'onUpgrade'> = {},
): Promise<void> {
  try {
    await migratePostgres(connection, readMigrations(postgresSchemaFolder), SERVICE_NAME, {
      ...options,
      writersTable: 'head',
    });
  } catch (error) {
    const refusal = error instanceof DatabaseError ? error.cause : error;
    if (!EXTENSION_REFUSED.has(readErrorCode(refusal))) throw error;
    const missing = await missingExtensions(connection);
    throw missing.length === 0 ? error : extensionsMissing(missing, refusal);
  }
}

async function missingExtensions(connection: PostgresConnection): Promise<readonly string[]> {
  const rows = await connection.all<{ readonly name: string }>(
    sql`select extname as name from pg_extension`,
  );
  const present = new Set(rows.map((row) => row.name));
  return EXTENSIONS.filter((name) => !present.has(name));
}

function extensionsMissing(missing: readonly string[], cause: unknown): DatabaseError {
  const refusal = cause instanceof Error ? cause.message : String(cause);
  const statements = missing.map((name) => `create extension ${name};`).join(' ');
  return new DatabaseError(
    'database_unsupported',
    `the database lacks ${missing.join(' and ')} (${refusal}): install the package ` +
      'postgresql-contrib on its server if it is not there, and as a user who may create objects in ' +
      `the database run \`${statements}\` once`,
    { cause },
  );
}
