// A SQLite ledger as an operator's command uses it. It reads on a connection that can do nothing else;
// one that writes is opened for the moment in which something is written.
import { existsSync } from 'node:fs';
import type { SqlValue } from '@lothub/kit/database';
import { readMigrations } from '@lothub/kit/migrations';
import { SqliteConnection, asDatabaseError } from '@lothub/kit/sqlite/connection';
import type { Sql } from 'sql-template-tag';
import { LedgerMissingError, type OperatedDatabase } from '../operated-database.ts';
import { SERVICE_NAME, sqliteSchemaFolder } from '../schema.ts';
import { findStorageDamage } from './verifier/storage-damage.ts';
import { sqliteRanges } from './verifier/source.ts';
import { sqliteSnapshots } from './verifier/snapshots.ts';
import { databaseFile } from './store.ts';

/** @throws LedgerMissingError, DatabaseError */
export function openSqliteOperated(dataDir: string): OperatedDatabase {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new LedgerMissingError(`opening ${file}: there is no such file`);
  const connection = openToRead(file);
  return {
    place: file,
    reader: connection,
    snapshots: sqliteSnapshots(connection),
    ranges: sqliteRanges(file),
    witnesses: 'one',
    get schema() {
      return readSchema(connection);
    },
    write: (statements) => writeTo(file, statements),
    findStorageDamage: (height) => Promise.resolve(findStorageDamage(connection, height)),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

/** A file whose schema is damaged cannot even be opened. */
function openToRead(file: string): SqliteConnection {
  try {
    return new SqliteConnection(file, 'read');
  } catch (error) {
    throw asDatabaseError(error, `opening ${file}`);
  }
}

/** `present` is 0 when the file holds no schema of ours. */
export function readSchema(connection: SqliteConnection): OperatedDatabase['schema'] {
  const known = readMigrations(sqliteSchemaFolder).length;
  const table = connection
    .statement("select 1 from sqlite_schema where type = 'table' and name = 'schema_versions'")
    .get();
  if (table === undefined) return { present: 0, known };
  const row = connection
    .statement('select coalesce(max(version), 0) as version from schema_versions where service = ?')
    .get(SERVICE_NAME);
  return { present: Number(row?.['version'] ?? 0), known };
}

/** Writes in one short transaction, which waits until a running service has finished its own. */
async function writeTo(
  file: string,
  statements: readonly Sql[],
): Promise<readonly (readonly unknown[])[]> {
  await using connection = new SqliteConnection(file, 'write');
  try {
    return connection.transaction(() =>
      statements.map((statement) =>
        connection.statement(statement.sql).all(...(statement.values as SqlValue[])),
      ),
    );
  } catch (error) {
    throw asDatabaseError(error, `writing to ${file}`);
  }
}
