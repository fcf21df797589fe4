// Applies numbered schema files to a PostgreSQL database: whichever process comes first does it, the
// others wait for it and find nothing left to do.
import sql from 'sql-template-tag';
import { DatabaseError, type DatabaseReader, type Migration } from '../database.ts';
import { isUpgrade, missingMigrations } from '../migrations.ts';
import type { UpgradeOptions } from '../upgrade.ts';
import { PostgresConnection } from './connection.ts';
import { readErrorCode } from './errors.ts';

/** For one schema file, and for waiting until another process is through with all of them. */
const MIGRATION_TIMEOUT_MS = 600_000;
/** Processes that make the table at the same moment; one of them wins each time. */
const ATTEMPTS_MAX = 20;
/** Unique violation in the catalogue; "already exists" of a type, table, namespace: another was faster. */
const MADE_BY_ANOTHER = new Set(['23505', '42710', '42P07', '42P06']);
/** Names of this form need no quotes. */
const NAMESPACE_FORM = /^[a-z_]+$/;

/**
 * Applies the schema files that the database does not have yet, all or none.
 * @param options `writersTable` is locked first in an upgrade: whoever locks one of its rows before
 * all other rows waits from then on, instead of holding what a schema file waits for
 * @throws DatabaseError `database_too_new` when the database was written by a newer program
 */
export async function migratePostgres(
  connection: PostgresConnection,
  migrations: readonly Migration[],
  service: string,
  options: Pick<UpgradeOptions, 'onUpgrade'> & { readonly writersTable?: string } = {},
): Promise<void> {
  const { onUpgrade, writersTable } = options;
  await makeVersionsTable(connection);
  // Before the lock, which another process that applies them may hold for long.
  const before = await readVersion(connection, service);
  const missing = missingMigrations(migrations, { present: before, service });
  if (isUpgrade({ present: before, missing })) onUpgrade?.({ step: 'schema' });
  await connection.transaction(async (transaction) => {
    await transaction.execute(`set local statement_timeout = ${MIGRATION_TIMEOUT_MS}`);
    await transaction.execute(`set local lock_timeout = ${MIGRATION_TIMEOUT_MS}`);
    // The lock keeps out other migrations only: others may read the versions meanwhile.
    await transaction.execute(
      'lock table schema_versions in share row exclusive mode',
      MIGRATION_TIMEOUT_MS,
    );
    const present = await readVersion(transaction, service);
    const due = missingMigrations(migrations, { present, service });
    if (writersTable !== undefined && isUpgrade({ present, missing: due })) {
      await transaction.execute(
        `lock table ${writersTable} in share row exclusive mode`,
        MIGRATION_TIMEOUT_MS,
      );
    }
    for (const migration of due) {
      await transaction.execute(migration.text, MIGRATION_TIMEOUT_MS);
      await transaction.all(sql`
        insert into schema_versions (service, version, name)
        values (${service}, ${migration.version}, ${migration.name})
      `);
    }
  });
}

async function readVersion(
  database: Pick<DatabaseReader, 'first'>,
  service: string,
): Promise<number> {
  const row = await database.first<{ readonly version: number }>(sql`
    select coalesce(max(version), 0) as version
    from schema_versions
    where service = ${service}
  `);
  return row?.version ?? 0;
}

/**
 * Makes the namespace (schema) of a service that shares a database with others, when it is not there:
 * who may not make one may have it made beforehand.
 */
export async function makeNamespace(connection: PostgresConnection, name: string): Promise<void> {
  if (!NAMESPACE_FORM.test(name)) throw new RangeError(`${name} needs quotes`);
  const present = await connection.first(sql`
    select oid
    from pg_namespace
    where nspname = ${name}
  `);
  if (present === undefined) await makeOnce(connection, `create schema if not exists ${name}`);
}

function makeVersionsTable(connection: PostgresConnection): Promise<void> {
  return makeOnce(
    connection,
    'create table if not exists schema_versions (' +
      'service text not null, version integer not null, name text not null, ' +
      'primary key (service, version))',
  );
}

/** "If not exists" does not protect from another process that makes it at the same moment. */
async function makeOnce(connection: PostgresConnection, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.transaction((transaction) => transaction.execute(statement));
      return;
    } catch (error) {
      const cause = error instanceof DatabaseError ? error.cause : error;
      if (attempt >= ATTEMPTS_MAX || !MADE_BY_ANOTHER.has(readErrorCode(cause))) throw error;
    }
  }
}

/**
 * Finds which schema a database has, without making or changing one.
 * @param service the name under which it keeps its versions, in the schema `namespace`
 * @returns number of its newest schema file; 0 when it has none of the service
 * @throws DatabaseError when the server cannot be reached, or is not fit
 */
export async function postgresSchemaVersion({
  url,
  namespace,
  service,
}: {
  readonly url: string;
  readonly namespace: string;
  readonly service: string;
}): Promise<number> {
  await using connection = await PostgresConnection.open(url, {
    connectionsMax: 1,
    settings: { search_path: namespace },
  });
  const table = await connection.first<{ readonly name: string | null }>(
    sql`select cast(to_regclass('schema_versions') as text) as name`,
  );
  if (typeof table?.name !== 'string') return 0;
  const row = await connection.first<{ readonly version: number }>(sql`
    select coalesce(max(version), 0) as version
    from schema_versions
    where service = ${service}`);
  return row?.version ?? 0;
}
