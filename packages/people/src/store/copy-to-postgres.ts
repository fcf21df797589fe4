// Moves the people of a SQLite database to PostgreSQL, all of them or none, for `lothub migrate`.
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection, type PostgresTransaction } from '@lothub/kit/postgres/connection';
import { makeNamespace, migratePostgres } from '@lothub/kit/postgres/migrate';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { POSTGRES_NAMESPACE, SCHEMA_NAME, postgresSchemaFolder } from './schema.ts';

/** In the order of their references. The count of ended sessions starts at 0 again. */
const TABLES = [
  'accounts',
  'sign_ons',
  'sessions',
  'setup_links',
  'invitations',
  'grants',
  'audit',
] as const;
/** The server assigns new values. */
const NUMBERED_TABLE = 'audit';
/** Maximum number of rows of one statement. */
const ROWS_MAX = 200;

export class PeopleTakenError extends Error {
  readonly code = 'target_taken';

  constructor() {
    super('copying people: the PostgreSQL database has other people already; name another one');
    this.name = 'PeopleTakenError';
  }
}

/**
 * Copies in one transaction, and nothing when they are there already, so that a move that was stopped behind it
 * can be begun again.
 * @param file is there, and has the newest schema
 * @returns accounts that are in the target now
 * @throws PeopleTakenError; DatabaseError
 */
export async function copyPeopleToPostgres({
  file,
  url,
}: {
  readonly file: string;
  readonly url: string;
}): Promise<number> {
  await using from = new SqliteConnection(file, 'read');
  await using to = await PostgresConnection.open(url, {
    connectionsMax: 1,
    settings: { search_path: POSTGRES_NAMESPACE },
  });
  await makeNamespace(to, POSTGRES_NAMESPACE);
  await migratePostgres(to, readMigrations(postgresSchemaFolder), SCHEMA_NAME);
  const ids = readIds(from);
  await to.transaction(async (transaction) => {
    await transaction.all(sql`select session_ends from head where id = 1 for update`);
    const there = await transaction.all<{ readonly id: string }>(sql`select id from accounts`);
    if (there.some(({ id }) => !ids.has(id))) throw new PeopleTakenError();
    if (there.length > 0) return;
    for (const table of TABLES) await copyTable(table, { from, transaction });
  });
  return ids.size;
}

function readIds(from: SqliteConnection): ReadonlySet<string> {
  const rows = from.allNow<{ readonly id: string }>(sql`select id from accounts`);
  return new Set(rows.map(({ id }) => id));
}

async function copyTable(
  table: (typeof TABLES)[number],
  {
    from,
    transaction,
  }: { readonly from: SqliteConnection; readonly transaction: PostgresTransaction },
): Promise<void> {
  const columns = readColumns(from, table);
  const names = raw(columns.join(', '));
  let afterRow = 0;
  for (;;) {
    const rows = from.allNow<Record<string, string | number | null>>(sql`
      select rowid as "copied_row", ${names}
      from ${raw(table)}
      where rowid > ${afterRow}
      order by rowid
      limit ${ROWS_MAX}`);
    const last = rows.at(-1);
    if (last === undefined) return;
    const values = rows.map((row) => toValues(row, columns));
    await transaction.all(sql`insert into ${raw(table)} (${names}) values ${join(values)}`);
    afterRow = Number(last['copied_row']);
  }
}

function readColumns(from: SqliteConnection, table: string): readonly string[] {
  return from
    .statement('select name from pragma_table_info(?) order by cid')
    .all(table)
    .map(({ name }) => String(name))
    .filter((name) => table !== NUMBERED_TABLE || name !== 'id');
}

function toValues(
  row: Readonly<Record<string, string | number | null>>,
  columns: readonly string[],
): Sql {
  return sql`(${join(columns.map((column) => row[column] ?? null))})`;
}
