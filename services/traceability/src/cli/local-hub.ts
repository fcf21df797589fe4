// The hub in DATA_DIR as the operator's commands open it: beside a running service or without one,
// never creating a database and never changing its schema.
import { existsSync } from 'node:fs';
import { readMigrations } from '@lothub/kit/migrations';
import { SqliteConnection, asDatabaseError } from '@lothub/kit/sqlite/connection';
import type { ConnectionMode } from '@lothub/kit/sqlite/connection';
import type { SqlValue } from '@lothub/kit/database';
import type { KeyDatabase } from '../keys/key-store.ts';
import { SERVICE_NAME, sqliteSchemaFolder } from '../ledger/schema.ts';
import { databaseFile } from '../ledger/sqlite/store.ts';
import { CommandError } from './command-error.ts';

/**
 * Opens the database of a hub that exists.
 * @throws CommandError `hub_missing`, `hub_outdated`
 * @throws DatabaseError when the file cannot be opened
 */
export function openLocalHub(dataDir: string, mode: ConnectionMode): SqliteConnection {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) {
    throw new CommandError(
      'hub_missing',
      `opening the hub in ${dataDir}: there is none; set DATA_DIR to the directory of a hub, ` +
        'or make one with `lothub serve`',
    );
  }
  const connection = new SqliteConnection(file, mode);
  try {
    assertSchema(connection, file);
  } catch (error) {
    connection.database.close();
    throw error;
  }
  return connection;
}

/** @throws CommandError `hub_outdated` when the file does not have the schema of this program */
export function assertSchema(connection: SqliteConnection, file: string): void {
  const known = readMigrations(sqliteSchemaFolder).length;
  const present = schemaVersion(connection);
  if (present === known) return;
  const advice =
    present < known
      ? 'start this version of the service once, which brings the schema up to date'
      : 'use the newer program that made it';
  throw new CommandError(
    'hub_outdated',
    `opening ${file}: it has schema ${present} and this program works with ${known}; ${advice}`,
  );
}

/** 0 when the file holds no schema of ours. */
function schemaVersion(connection: SqliteConnection): number {
  const table = connection
    .statement("select 1 from sqlite_schema where type = 'table' and name = 'schema_versions'")
    .get();
  if (table === undefined) return 0;
  const row = connection
    .statement('select coalesce(max(version), 0) as version from schema_versions where service = ?')
    .get(SERVICE_NAME);
  return Number(row?.['version'] ?? 0);
}

/** The keys of a hub, written in short transactions that wait for a running service's turn to end. */
export function keyDatabaseOf(connection: SqliteConnection): KeyDatabase {
  return {
    reader: connection,
    write: (statements) => {
      try {
        return Promise.resolve(
          connection.transaction(() =>
            statements.map((statement) =>
              connection.statement(statement.sql).all(...(statement.values as SqlValue[])),
            ),
          ),
        );
      } catch (error) {
        return Promise.reject(asDatabaseError(error, 'writing keys'));
      }
    },
  };
}
