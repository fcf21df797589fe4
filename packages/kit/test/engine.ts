// Gives each test a database of its own on the engine that the run is about: the only file that knows
// how the engine is chosen. On PostgreSQL a database is copied from one that has the schema already.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sql, { Sql, raw } from 'sql-template-tag';
import { DatabaseError, type Migration, type SqlValue } from '../src/database.ts';
import { readMigrations } from '../src/migrations.ts';
import { PostgresConnection } from '../src/postgres/connection.ts';
import { readErrorCode } from '../src/postgres/errors.ts';
import { makeNamespace, migratePostgres } from '../src/postgres/migrate.ts';
import { SqliteConnection, migrateSqlite } from '../src/sqlite/connection.ts';
import { PATIENCE_MS } from './patience.ts';
import { copyDatabase, startTestPostgres, type TestPostgres } from './postgres/server.ts';

export type TestEngine = 'sqlite' | 'postgres';

/** Engine of this run. */
const ENGINE_VARIABLE = 'LOTHUB_TEST_ENGINE';
/** A running server's superuser; without it a test file starts a server of its own. */
const SERVER_VARIABLE = 'LOTHUB_TEST_POSTGRES_URL';

export const testEngine = readEngine(process.env[ENGINE_VARIABLE]);

/** A row as the engines agree to give it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Where one service keeps everything; nothing of it is left after it was disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly dataDir: string;
  /** undefined on SQLite. */
  readonly databaseUrl: string | undefined;
  /** The settings that lead a service here. */
  readonly env: Readonly<Record<string, string>>;
  /** Asks past the service, as an auditor would; `?` stands for a value. */
  rows(query: string, ...values: readonly SqlValue[]): Promise<readonly StoredRow[]>;
  /**
   * Changes rows behind the service's back, as somebody with the password would: no foreign key and
   * no trigger refuses it.
   * @returns how many rows were changed
   */
  change(statement: string, ...values: readonly SqlValue[]): Promise<number>;
  /** Keeps everybody else from writing until it is disposed, as another process may for a while. */
  holdWrites(): Promise<AsyncDisposable>;
}

/** What the databases of one service have of their own. */
export interface TestedService {
  readonly name: string;
  readonly postgresSchemaFolder: string;
  readonly sqliteSchemaFolder: string;
  /** Namespace of its tables on PostgreSQL; the server's own default when not given. */
  readonly postgresNamespace?: string;
  /** Locks on PostgreSQL what each of its writers needs; on SQLite the whole file is locked. */
  readonly lockWrites: Sql;
  /** Its file in a data directory. */
  readonly databaseFile: (dataDir: string) => string;
  /** What its queries read beside its own tables, by the name of the namespace: its tables are there always. */
  readonly beside?: TestedService & { readonly postgresNamespace: string };
}

/** Makes the databases of one service. Its functions are independent: each service exports those that its tests use. */
export class TestDatabases {
  readonly #service: TestedService;
  /** Database files of SQLite that have the tables and no row in them. */
  readonly #templates = new Map<TestedService, Promise<Buffer>>();

  constructor(service: TestedService) {
    this.#service = service;
  }

  /**
   * As `newTestDatabase`, for a service that is not asked how it makes its tables: on SQLite they are
   * there too, which takes a twentieth of the time.
   */
  readonly newDatabaseWithTables = async (): Promise<TestDatabase> => {
    const database = await this.newTestDatabase();
    if (testEngine === 'sqlite') {
      await this.#writeTables(this.#service, database.dataDir);
    }
    return database;
  };

  async #writeTables(service: TestedService, dataDir: string): Promise<void> {
    const template = this.#templates.get(service) ?? makeSqliteTemplate(service);
    this.#templates.set(service, template);
    await writeFile(service.databaseFile(dataDir), await template);
  }

  readonly newTestDatabase = async (): Promise<TestDatabase> => {
    const dataDir = await newDataDir();
    if (testEngine === 'sqlite') {
      const { beside } = this.#service;
      if (beside !== undefined) await this.#writeTables(beside, dataDir);
      return this.sqliteDatabase(dataDir);
    }
    return await this.#newPostgres(dataDir, (server) => createDatabase(server, this.#service));
  };

  /** A PostgreSQL database whatever the engine of the run is, without a schema yet. */
  readonly newBarePostgres = async (): Promise<PostgresTestDatabase> =>
    await this.#newPostgres(await newDataDir(), createBareDatabase);

  /** A second machine's view of a PostgreSQL database; it stays when this view of it is disposed. */
  readonly openSecondDatabase = async (databaseUrl: string): Promise<PostgresTestDatabase> => {
    const dataDir = await newDataDir();
    const dispose = (): Promise<void> => Promise.resolve();
    return new PostgresTestDatabase({ dataDir, databaseUrl, dispose, service: this.#service });
  };

  /** The database in a data directory; on SQLite nothing else is needed to find it. */
  readonly sqliteDatabase = (dataDir: string): TestDatabase =>
    sqliteDatabase(dataDir, this.#service);

  async #newPostgres(
    dataDir: string,
    create: (server: string) => Promise<string>,
  ): Promise<PostgresTestDatabase> {
    const server = await serverUrl();
    const databaseUrl = await create(server);
    const dispose = (): Promise<void> => dropDatabase(server, databaseUrl);
    return new PostgresTestDatabase({ dataDir, databaseUrl, dispose, service: this.#service });
  }
}

function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'lothub-test-'));
}

async function makeSqliteTemplate(service: TestedService): Promise<Buffer> {
  const { name, sqliteSchemaFolder, beside } = service;
  const folder = await newDataDir();
  try {
    const file = service.databaseFile(folder);
    const connection = new SqliteConnection(file, 'write');
    if (beside !== undefined) {
      await writeFile(beside.databaseFile(folder), await makeSqliteTemplate(beside));
      connection.attach(beside.postgresNamespace, beside.databaseFile(folder));
    }
    migrateSqlite(connection, readMigrations(sqliteSchemaFolder), name);
    // Its log becomes a part of the file.
    await connection.close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sqliteDatabase(dataDir: string, service: TestedService): TestDatabase {
  const file = service.databaseFile(dataDir);
  const { beside } = service;
  return {
    dataDir,
    databaseUrl: undefined,
    env: { DATA_DIR: dataDir },
    rows: async (query, ...values) => {
      await using connection = new SqliteConnection(file, 'read');
      if (beside !== undefined) {
        connection.attach(beside.postgresNamespace, beside.databaseFile(dataDir));
      }
      return connection.statement(query).all(...values);
    },
    change: async (statement, ...values) => {
      using database = new DatabaseSync(file, { timeout: PATIENCE_MS });
      if (beside !== undefined) {
        const other = beside.databaseFile(dataDir);
        database.prepare(`attach database ? as ${beside.postgresNamespace}`).run(other);
      }
      database.exec('pragma foreign_keys = off');
      return unguarded(database, () => Number(database.prepare(statement).run(...values).changes));
    },
    holdWrites: async () => {
      const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
      database.exec('begin immediate');
      // Closing it undoes the transaction.
      return { [Symbol.asyncDispose]: async () => database.close() };
    },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** Works without the triggers of the database, which are there again afterwards. */
function unguarded<Result>(database: DatabaseSync, work: () => Result): Result {
  const guards = database
    .prepare("select name, sql from sqlite_schema where type = 'trigger'")
    .all();
  database.exec('begin immediate');
  try {
    for (const { name } of guards) database.exec(`drop trigger ${String(name)}`);
    const result = work();
    for (const guard of guards) database.exec(String(guard['sql']));
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

export class PostgresTestDatabase implements TestDatabase {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #dispose: () => Promise<void>;
  readonly #service: TestedService;
  #connection: Promise<PostgresConnection> | undefined;

  constructor(parts: {
    readonly dataDir: string;
    readonly databaseUrl: string;
    readonly dispose: () => Promise<void>;
    readonly service: TestedService;
  }) {
    this.dataDir = parts.dataDir;
    this.databaseUrl = parts.databaseUrl;
    this.env = { DATA_DIR: parts.dataDir, DATABASE_URL: parts.databaseUrl };
    this.#dispose = parts.dispose;
    this.#service = parts.service;
  }

  async rows(query: string, ...values: readonly SqlValue[]): Promise<readonly StoredRow[]> {
    return await (await this.#connected()).all<StoredRow>(buildSql(query, values));
  }

  async change(statement: string, ...values: readonly SqlValue[]): Promise<number> {
    const connection = await this.#connected();
    const changed = await connection.transaction(async (transaction) => {
      await transaction.execute('set local session_replication_role = replica');
      return await transaction.all(buildSql(`${statement} returning 1`, values));
    });
    return changed.length;
  }

  async holdWrites(): Promise<AsyncDisposable> {
    const connection = await this.#open();
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = connection.transaction(async (transaction) => {
      await transaction.all(this.#service.lockWrites);
      held.resolve();
      await released.promise;
    });
    await Promise.race([held.promise, holding]);
    return {
      [Symbol.asyncDispose]: async () => {
        released.resolve();
        await holding;
        await connection.close();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await (await connection)?.close();
    await this.#dispose();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  #connected(): Promise<PostgresConnection> {
    this.#connection ??= this.#open();
    return this.#connection;
  }

  #open(): Promise<PostgresConnection> {
    return PostgresConnection.open(this.databaseUrl, {
      connectionsMax: 1,
      ...buildSettings(this.#service),
    });
  }
}

/** A query with `?` for its values; no text in it may hold that sign. */
function buildSql(query: string, values: readonly SqlValue[]): Sql {
  return new Sql(query.split('?'), values);
}

let ownServer: Promise<TestPostgres> | undefined;

/** It ends with this process, whatever becomes of it. */
async function serverUrl(): Promise<string> {
  const given = process.env[SERVER_VARIABLE];
  if (given !== undefined && given !== '') return given;
  ownServer ??= startTestPostgres();
  const { url } = await (await ownServer).createDatabase();
  return url;
}

/** Of connections that see the tables of a service under their bare names. */
function buildSettings({ postgresNamespace: namespace }: TestedService): {
  readonly settings?: Readonly<Record<string, string>>;
} {
  return namespace === undefined ? {} : { settings: { search_path: namespace } };
}

/** SQLSTATE of a template that nobody has made yet. */
const NO_SUCH_DATABASE = '3D000';
/** SQLSTATEs of a name that another process took a moment earlier, and at the same moment. */
const NAME_IS_TAKEN = new Set(['42P04', '23505']);

async function createDatabase(server: string, service: TestedService): Promise<string> {
  const migrations = readMigrations(service.postgresSchemaFolder);
  const { beside } = service;
  const allFiles = [migrations, beside && readMigrations(beside.postgresSchemaFolder)];
  // A server may outlive a change of the schema files: the template is named after them.
  const digest = createHash('sha256').update(JSON.stringify(allFiles)).digest('hex');
  const template = `lothub_${service.name}_${digest.slice(0, 16)}`;
  const name = newName();
  await using connection = await PostgresConnection.open(server, { connectionsMax: 1 });
  const copy = sql`${raw(copyDatabase({ name, template }))}`;
  try {
    await connection.all(copy);
  } catch (error) {
    if (readErrorCode(findCause(error)) !== NO_SUCH_DATABASE) throw error;
    await makeTemplate(connection, { server, template, migrations, service });
    await connection.all(copy);
  }
  return buildUrl(server, name);
}

async function createBareDatabase(server: string): Promise<string> {
  const name = newName();
  await using connection = await PostgresConnection.open(server, { connectionsMax: 1 });
  await connection.all(sql`${raw(copyDatabase({ name, template: 'template0' }))}`);
  return buildUrl(server, name);
}

/** Under a name of its own until it is complete: nobody copies half of it, and one of two is kept. */
async function makeTemplate(
  connection: PostgresConnection,
  template: {
    readonly server: string;
    readonly template: string;
    readonly migrations: readonly Migration[];
    readonly service: TestedService;
  },
): Promise<void> {
  const draft = newName();
  await connection.all(sql`${raw(copyDatabase({ name: draft, template: 'template0' }))}`);
  {
    const { service } = template;
    const url = buildUrl(template.server, draft);
    if (service.beside !== undefined) {
      const files = readMigrations(service.beside.postgresSchemaFolder);
      await makeTables(url, { service: service.beside, migrations: files });
    }
    await makeTables(url, template);
  }
  try {
    await connection.all(sql`alter database ${raw(draft)} rename to ${raw(template.template)}`);
  } catch (error) {
    await connection.all(sql`drop database ${raw(draft)}`);
    if (!NAME_IS_TAKEN.has(readErrorCode(findCause(error)))) throw error;
  }
}

async function makeTables(
  url: string,
  {
    service,
    migrations,
  }: { readonly service: TestedService; readonly migrations: readonly Migration[] },
): Promise<void> {
  await using connection = await PostgresConnection.open(url, buildSettings(service));
  if (service.postgresNamespace !== undefined) {
    await makeNamespace(connection, service.postgresNamespace);
  }
  await migratePostgres(connection, migrations, service.name);
}

async function dropDatabase(server: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await using connection = await PostgresConnection.open(server, { connectionsMax: 1 });
  await connection.all(sql`drop database if exists ${raw(name)} with (force)`);
}

/** What the server said, out of what the connection makes of it. */
function findCause(error: unknown): unknown {
  return error instanceof DatabaseError ? error.cause : error;
}

function newName(): string {
  return `lothub_test_${randomBytes(8).toString('hex')}`;
}

function buildUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

function readEngine(value: string | undefined): TestEngine {
  if (value === undefined || value === '' || value === 'sqlite') return 'sqlite';
  if (value === 'postgres') return 'postgres';
  throw new Error(`${ENGINE_VARIABLE} is ${value}: set it to sqlite or postgres`);
}
