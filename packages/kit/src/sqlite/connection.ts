// One SQLite connection: safe settings, statement cache, schema migrations, error mapping.
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Sql } from 'sql-template-tag';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import type { DatabaseReader, Migration } from '../database.ts';
import { isUpgrade, missingMigrations } from '../migrations.ts';
import type { UpgradeOptions } from '../upgrade.ts';
import { prepareRowMaker, type MakeRow } from './row-maker.ts';

/** Below this version several WAL connections can corrupt a database (fixed in 3.51.3). */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a statement waits for another process's lock, such as a running backup. */
const BUSY_TIMEOUT_MS = 5_000;
/**
 * Page cache of a connection, in KiB (negative in the pragma means KiB). What is not in it comes out
 * of the system's cache in two microseconds; each connection fills its own on a large hub.
 */
const CACHE_KIB: Readonly<Record<ConnectionMode, number>> = { read: 16_384, write: 32_768 };
/**
 * Pages in the write-ahead log before a commit copies them into the database file: 64 MiB. On a large
 * hub an event touches ten pages, many of them again and again: with 4,000 pages a fifth of the posts
 * was lost to copying, and the longest waits were no shorter.
 */
const CHECKPOINT_PAGES = 16_000;
/**
 * What is deleted, and pages that become free, are overwritten with zeros. Appending costs no more by it
 * that could be measured. It reaches no copies that balancing a tree leaves between rows that count:
 * only a table that is written anew (`writeAnew`) has none.
 */
const OVERWRITE_DELETED = 'pragma secure_delete = on';
/** Prepared statements kept for each connection; every query text in the source is one. */
const STATEMENTS_MAX = 500;

/**
 * A limit that is a parameter by itself. SQLite plans with the value of one, so each time that one is bound, the
 * statement is compiled again: of a query of a few rows that is most of the time, 6 µs in place of 40, 11 in place of
 * 125. A sum is no such parameter.
 */
const BARE_LIMIT = /\blimit \?/g;

/** Names of this form need no quotes. */
const ATTACHED_NAME_FORM = /^[a-z_]+$/;

/** Statements that write and answer no rows. */
const WRITES_ALONE = /^\s*(?:insert|update|delete)\b(?!.*\breturning\b)/is;

export type ConnectionMode = 'read' | 'write';

/** A prepared query, and what makes its rows. */
interface RowStatement {
  readonly statement: StatementSync;
  readonly makeRow: MakeRow;
}

export class SqliteConnection implements DatabaseReader {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #rowStatements = new Map<string, RowStatement>();
  /** How long a statement waits for another process's lock. */
  #waitMs = 0;
  /** Whether a commit flushes the write-ahead log. */
  #isFlushing = true;

  /** @throws DatabaseError when the engine is too old or the file cannot be opened */
  constructor(file: string, mode: ConnectionMode) {
    this.database = openFile(file, mode);
    assertVersion(this.database);
    this.#waitFor(BUSY_TIMEOUT_MS);
    this.database.exec(`pragma cache_size = -${CACHE_KIB[mode]}`);
    this.database.exec('pragma foreign_keys = on');
    this.database.exec('pragma temp_store = memory');
    if (mode === 'write') {
      this.database.exec('pragma journal_mode = wal');
      this.database.exec('pragma synchronous = full');
      this.database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.database.exec(OVERWRITE_DELETED);
    }
  }

  /**
   * Lets queries read the tables of another file as `NAME.table`. It is attached for reading: a transaction
   * of this connection takes no lock there, and cannot write there.
   */
  attach(name: string, file: string): void {
    if (!ATTACHED_NAME_FORM.test(name)) throw new RangeError(`${name} needs quotes`);
    try {
      const url = `${pathToFileURL(file).href}?mode=ro`;
      this.database.prepare(`attach database ? as ${name}`).run(url);
      this.database.exec(`pragma ${name}.cache_size = -${CACHE_KIB.read}`);
    } catch (error) {
      throw new DatabaseError('database_failed', `opening ${file} beside another file failed`, {
        cause: error,
      });
    }
  }

  /**
   * The prepared statement of a query text, made once for each connection. What `run` answers of one
   * that writes are bigints.
   */
  statement(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
      statement = this.#prepare(text);
      // `run` answers the last row number, and a full-text index leaves some behind that only a
      // bigint holds: whatever is written next would throw. What reads rows reads numbers.
      if (WRITES_ALONE.test(text)) statement.setReadBigInts(true);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #prepare(text: string): StatementSync {
    return this.database.prepare(text.replaceAll(BARE_LIMIT, 'limit (? + 0)'));
  }

  allNow<Row>(query: Sql): readonly Row[] {
    const { statement, makeRow } = this.#arrays(query.sql);
    const rows = statement.all(...parameters(query)) as unknown as readonly unknown[][];
    return rows.map((cells) => makeRow(cells) as Row);
  }

  /** A statement that answers arrays: rows made of them here take two thirds of the driver's time. */
  #arrays(text: string): RowStatement {
    let known = this.#rowStatements.get(text);
    if (known === undefined) {
      if (this.#rowStatements.size >= STATEMENTS_MAX) this.#rowStatements.clear();
      const statement = this.#prepare(text);
      statement.setReturnArrays(true);
      known = { statement, makeRow: prepareRowMaker(statement.columns().map(({ name }) => name)) };
      this.#rowStatements.set(text, known);
    }
    return known;
  }

  firstNow<Row>(query: Sql): Row | undefined {
    return this.statement(query.sql).get(...parameters(query)) as unknown as Row | undefined;
  }

  all<Row>(query: Sql): Promise<readonly Row[]> {
    return attempt(() => this.allNow<Row>(query));
  }

  first<Row>(query: Sql): Promise<Row | undefined> {
    return attempt(() => this.firstNow<Row>(query));
  }

  runNow(query: Sql): void {
    this.statement(query.sql).run(...parameters(query));
  }

  /**
   * Runs `work` in one immediate transaction; whatever it throws undoes all of it. Another process's
   * lock is waited for as long as by any statement, or for `waitMs` when that is shorter.
   * @param options.isFlushed false: a loss of power may undo it, alone or with others that were not flushed. The next
   *   flushed commit flushes it too, and the end of the process undoes nothing.
   * @throws CommitUnknownError when the disk failed while committing
   */
  transaction<Result>(
    work: () => Result,
    options: { readonly waitMs?: number; readonly isFlushed?: boolean } = {},
  ): Result {
    const { waitMs = BUSY_TIMEOUT_MS, isFlushed = true } = options;
    this.#waitFor(Math.min(BUSY_TIMEOUT_MS, Math.ceil(waitMs)));
    this.#flushCommits(isFlushed);
    this.database.exec('begin immediate');
    try {
      const result = work();
      this.#commit();
      return result;
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('rollback');
      throw error;
    }
  }

  /**
   * Writes the whole transaction behind the write-ahead log, then flushes it. A crash before the last
   * page leaves nothing, one after it leaves everything. So does a failure: this process goes on
   * without the transaction and writes the next one over it, but a restart before that reads the log,
   * and finds it there though the flush failed.
   */
  #commit(): void {
    try {
      this.database.exec('commit');
    } catch (error) {
      if (COMMIT_WROTE_NOTHING.has(readPrimaryCode(error))) throw error;
      throw new CommitUnknownError(`the disk failed while committing (${readMessage(error)})`, {
        cause: error,
      });
    }
  }

  /**
   * Writes the rows of a table, in the order of its key, and its indexes onto other pages, and overwrites
   * the old ones: whatever was deleted before is on no page afterwards. Inside a transaction; a
   * table that others refer to is none for this.
   */
  writeAnew(table: string): void {
    const made = this.database
      .prepare(
        "select type, sql from sqlite_schema where tbl_name = ? and sql is not null order by type = 'index'",
      )
      .all(table)
      .map((row) => String(row['sql']));
    const [tableText, ...indexTexts] = made;
    if (tableText === undefined) throw new Error(`writing ${table} anew: there is no such table`);
    const anew = `${table}_anew`;
    this.database.exec(tableText.replace(table, anew));
    const key = this.database
      .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
      .all(table)
      .map((row) => String(row['name']));
    this.database.exec(
      `insert into ${anew} select * from ${table} order by ${key.join(', ')}; ` +
        `drop table ${table}; alter table ${anew} rename to ${table}; ` +
        indexTexts.join('; '),
    );
  }

  /**
   * Copies the write-ahead log into the database file and cuts it off, outside of any transaction: what rows
   * were before they were overwritten is then in neither. It waits for nobody, and leaves attached files alone.
   * @returns false when a connection still reads an older state, which only the log has
   */
  emptyLog(): boolean {
    this.#waitFor(0);
    try {
      const row = this.database.prepare('pragma main.wal_checkpoint(truncate)').get();
      return row?.['busy'] === 0;
    } finally {
      this.#waitFor(BUSY_TIMEOUT_MS);
    }
  }

  #flushCommits(isFlushed: boolean): void {
    if (isFlushed === this.#isFlushing) return;
    this.database.exec(`pragma synchronous = ${isFlushed ? 'full' : 'normal'}`);
    this.#isFlushing = isFlushed;
  }

  #waitFor(ms: number): void {
    if (ms === this.#waitMs) return;
    this.database.exec(`pragma busy_timeout = ${ms}`);
    this.#waitMs = ms;
  }

  close(): Promise<void> {
    this.#statements.clear();
    this.#rowStatements.clear();
    if (this.database.isOpen) this.database.close();
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function parameters(query: Sql): SQLInputValue[] {
  return query.values as SQLInputValue[];
}

function attempt<Result>(work: () => Result): Promise<Result> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(asDatabaseError(error, 'reading'));
  }
}

function openFile(file: string, mode: ConnectionMode): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: mode === 'read' });
  } catch (error) {
    throw new DatabaseError('database_failed', `opening ${file} for ${mode} failed`, {
      cause: error,
    });
  }
}

function assertVersion(database: DatabaseSync): void {
  const row = database.prepare('select sqlite_version() as version').get();
  const version = String(row?.['version']).split('.').map(Number);
  for (const [index, least] of SQLITE_VERSION_MIN.entries()) {
    const part = version[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new DatabaseError(
        'database_unsupported',
        `SQLite ${version.join('.')} can corrupt a database that several connections use; ` +
          `run with the pinned Node, which brings ${SQLITE_VERSION_MIN.join('.')} or newer`,
      );
    }
  }
}

const SQLITE_BUSY = 5;
const SQLITE_NOMEM = 7;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
/** No memory, or no descriptor for one more file, just now: says nothing of what is stored. */
const SHORT_OF_MEANS: ReadonlySet<number> = new Set([SQLITE_NOMEM, SQLITE_CANTOPEN]);
const SQLITE_CONSTRAINT = 19;

/**
 * What a commit fails with before its last page is in the log. `full` is a refused write: a flush that
 * finds no room is an I/O error (SQLite, "Result and Error Codes").
 */
const COMMIT_WROTE_NOTHING: ReadonlySet<number> = new Set([
  SQLITE_BUSY,
  SQLITE_FULL,
  SQLITE_CONSTRAINT,
]);

/** Distinguishes a passing condition (busy, disk full, read-only) from a defect. */
export function asDatabaseError(error: unknown, attempted: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const primary = readPrimaryCode(error);
  const message = readMessage(error);
  if (primary === SQLITE_BUSY) {
    return new DatabaseError('database_busy', `${attempted}: another process holds the database`, {
      cause: error,
    });
  }
  if (SHORT_OF_MEANS.has(primary)) {
    return new DatabaseError('database_busy', `${attempted}: ${message}`, { cause: error });
  }
  if (primary === SQLITE_FULL || primary === SQLITE_READONLY || primary === SQLITE_IOERR) {
    return new DatabaseError(
      'database_full',
      `${attempted}: the disk refuses writes (${message})`,
      {
        cause: error,
      },
    );
  }
  return new DatabaseError('database_failed', `${attempted}: ${message}`, { cause: error });
}

/** Without what extends it; 0 of what is no error of SQLite. */
function readPrimaryCode(error: unknown): number {
  if (typeof error === 'object' && error !== null && 'errcode' in error) {
    return typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  }
  return 0;
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Applies the schema files that the database does not have yet, with foreign keys off: a table that is made
 * anew is dropped without a look at each row that refers to it.
 * @throws DatabaseError `database_too_new` when the database was written by a newer program
 */
export function migrateSqlite(
  connection: SqliteConnection,
  migrations: readonly Migration[],
  service: string,
  { onUpgrade }: Pick<UpgradeOptions, 'onUpgrade'> = {},
): void {
  const { database } = connection;
  using _checkedAgain = withoutForeignKeys(database);
  connection.transaction(() => {
    database.exec(
      'create table if not exists schema_versions (' +
        'service text not null, version integer not null, name text not null, ' +
        'primary key (service, version)) strict',
    );
    const row = database
      .prepare('select coalesce(max(version), 0) as version from schema_versions where service = ?')
      .get(service);
    const present = Number(row?.['version'] ?? 0);
    const missing = missingMigrations(migrations, { present, service });
    if (isUpgrade({ present, missing })) onUpgrade?.({ step: 'schema' });
    for (const migration of missing) {
      database.exec(migration.text);
      database
        .prepare('insert into schema_versions (service, version, name) values (?, ?, ?)')
        .run(service, migration.version, migration.name);
    }
  });
}

/** Outside of any transaction, where alone it can be changed. @returns switches them on again if they were on */
function withoutForeignKeys(database: DatabaseSync): Disposable {
  const wereOn = database.prepare('pragma foreign_keys').get()?.['foreign_keys'] === 1;
  database.exec('pragma foreign_keys = off');
  return {
    [Symbol.dispose]: () => {
      if (wereOn) database.exec('pragma foreign_keys = on');
    },
  };
}
