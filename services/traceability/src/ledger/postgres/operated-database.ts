// A PostgreSQL ledger as an operator's command uses it, on a connection of its own.
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { allInOrder } from '@lothub/kit/postgres/transaction';
import sql from 'sql-template-tag';
import { LedgerMissingError, type OperatedDatabase } from '../operated-database.ts';
import { SERVICE_NAME, postgresSchemaFolder } from '../schema.ts';
import { databasePlace } from '@lothub/kit/postgres/database-place';
import { COUNT_TIMEOUT_MS, findStorageDamage } from './verifier/storage-damage.ts';
import { postgresRanges } from './verifier/source.ts';
import { postgresSnapshots } from './verifier/snapshots.ts';

/** @throws LedgerMissingError, DatabaseError */
export async function openPostgresOperated(url: string): Promise<OperatedDatabase> {
  const place = databasePlace(url);
  const connection = await PostgresConnection.open(url, {
    connectionsMax: 1,
    statementTimeoutMs: COUNT_TIMEOUT_MS,
  });
  try {
    const present = await schemaVersion(connection);
    if (present === 0) throw new LedgerMissingError(`opening ${place}: it holds no ledger`);
    return {
      place,
      reader: connection,
      snapshots: postgresSnapshots(connection),
      ranges: postgresRanges(url),
      witnesses: 'several',
      schema: { present, known: readMigrations(postgresSchemaFolder).length },
      write: (statements) =>
        connection.transaction((transaction) => allInOrder(transaction, statements)),
      findStorageDamage: (height) => findStorageDamage(connection, height),
      [Symbol.asyncDispose]: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** 0 when the database holds no schema of ours. */
async function schemaVersion(connection: PostgresConnection): Promise<number> {
  const table = await connection.first<{ name: string | null }>(
    sql`select cast(to_regclass('schema_versions') as text) as name`,
  );
  if (typeof table?.name !== 'string') return 0;
  const row = await connection.first<{ version: number }>(
    sql`select coalesce(max(version), 0) as version
      from schema_versions
      where service = ${SERVICE_NAME}`,
  );
  return row?.version ?? 0;
}
