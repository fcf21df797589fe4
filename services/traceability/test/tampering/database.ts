// The small ledger on the engine of the run, and the means to change what it stores behind the
// service's back: as somebody would who has the file in hand, or is the server's superuser.
import { cp } from 'node:fs/promises';
import { sealBlock } from '@lothub/chain';
import { systemClock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PostgresConnection, type PostgresTransaction } from '@lothub/kit/postgres/connection';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { pino } from 'pino';
import sql, { Sql, raw } from 'sql-template-tag';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import { copyToPostgres } from '../../src/ledger/operate/copy-to-postgres.ts';
import type { LedgerPlace } from '../../src/ledger/operated-database.ts';
import { openStore } from '../../src/ledger/open-store.ts';
import { rebuildDerived } from '../../src/ledger/rebuild/rebuild.ts';
import { SqliteRebuild } from '../../src/ledger/sqlite/rebuild.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { LEDGER_TABLES } from '../../src/ledger/tables/all.ts';
import { tipRecordFile } from '../../src/ledger/tip-record.ts';
import { PRIVATE_TABLES } from '../../src/ledger/tables/all.ts';
import type { SnapshotReader } from '../../src/ledger/verify/snapshot-reader.ts';
import { sqliteSnapshots } from '../../src/ledger/sqlite/verifier/snapshots.ts';
import { VerifierThread } from '../../src/ledger/verify/background/thread.ts';
import { newTestDatabase, testEngine, type StoredRow, type TestDatabase } from '../engine.ts';
import { TIP_HEIGHT, makeSmallLedger, openTampering, verifyRound } from './ledger.ts';
import type { Findings, SmallLedger } from './ledger.ts';
import { rebuildRows } from '../verified.ts';

/** `?` stands for a value; bytes stand for a text, also for one that is none. */
export type Value = string | number | bigint | null | Uint8Array;

/** A connection that the database's own rules do not hold back. */
export interface Tampering extends AsyncDisposable {
  readonly snapshots: SnapshotReader;
  /** Runs statements without values. */
  exec(text: string): Promise<void>;
  all(query: string, ...values: readonly Value[]): Promise<readonly StoredRow[]>;
  /** `refused`: the key is that of another row, or the bytes are no text, which this engine cannot hold. */
  run(statement: string, ...values: readonly Value[]): Promise<'done' | 'refused'>;
  /** Runs `work` and undoes what it has changed. */
  undone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A ledger that is open nowhere. */
export interface StoredLedger extends AsyncDisposable, LedgerPlace {
  readonly databaseUrl: string | undefined;
  copy(): Promise<StoredLedger>;
  tampering(): Promise<Tampering>;
}

export async function makeStoredLedger(): Promise<StoredLedger> {
  const made = await makeSmallLedger();
  return testEngine === 'sqlite' ? storedInFile(made) : await storedOnServer(made);
}

/** One round of the background verifier over what is stored, also inside of what is undone later. */
export function roundOver(
  tampering: Tampering,
  size: { readonly rowsPerSlice?: number } = {},
): Promise<Findings> {
  return verifyRound(tampering.snapshots, size);
}

/** Runs statements and closes the connection. */
export async function tamperWith(ledger: StoredLedger, text: string): Promise<void> {
  await using tampering = await ledger.tampering();
  await tampering.exec(text);
}

/** Makes the derived rows anew: what was done to the blocks can only be found from outside then. */
export async function deriveAgain({ databaseUrl, dataDir }: LedgerPlace): Promise<void> {
  if (databaseUrl === undefined) {
    // A hold may be of a lot that no block names any more, which the schema would refuse.
    await using connection = openTampering(dataDir);
    await rebuildDerived({ ledger: new SqliteRebuild(connection) });
    return;
  }
  await rebuildRows({ dataDir, databaseUrl });
}

/** Leaves a ledger that is sound in itself and ends at `height`. */
export async function cutTail(ledger: StoredLedger, height: number): Promise<void> {
  const tables = PRIVATE_TABLES.map(({ name }) => name);
  const cuts = [...tables, 'import_keys', 'blocks'].map(
    (table) => `delete from ${table} where height > ${height};`,
  );
  // What people decided about lots that only the tail names.
  const lost = `(select lot_no from lots where first_height > ${height})`;
  const strays = ['lot_holds', 'recall_lots'].map(
    (table) => `delete from ${table} where lot_no in ${lost};`,
  );
  await tamperWith(ledger, [...strays, ...cuts].join('\n'));
  await deriveAgain(ledger);
}

export interface RunningLedger extends AsyncDisposable {
  readonly store: LedgerStore;
  readonly state: ChainState;
  readonly verifier: VerifierThread;
}

/** The store with its background verifier, as the service runs them. */
export async function runStored(
  place: LedgerPlace,
  begin: 'running' | 'paused' = 'running',
): Promise<RunningLedger> {
  const onFatal = (error: Error): never => {
    throw error;
  };
  const store = await openStore({ ...place, hubName: 'Testhub', onFatal });
  const log = pino({ level: 'silent' });
  const state = new ChainState({ store, clock: systemClock, log });
  await state.refresh();
  const verifier = VerifierThread.start({ source: store.verifierSource, state, log, begin });
  return {
    store,
    state,
    verifier,
    [Symbol.asyncDispose]: async () => {
      await verifier.close();
      await store.close();
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Seals the last block anew around another payload, hash and head included, as an insider could. */
export async function resealLast(
  on: Pick<Tampering, 'all' | 'run'>,
  change: (payload: Fields & { readonly event: Fields }) => Fields,
): Promise<void> {
  const [row] = await on.all('select canonical from blocks where height = ?', TIP_HEIGHT);
  const { payload, prev_hash: prevHash } = JSON.parse(String(row?.['canonical'])) as {
    payload: Fields & { readonly event: Fields };
    prev_hash: string;
  };
  const block = sealBlock({
    height: TIP_HEIGHT,
    payloadText: JSON.stringify(change(payload)),
    prevHash,
    hash: sha256Hex,
  });
  await on.run(
    'update blocks set canonical = ?, hash = ? where height = ?',
    block.canonical,
    block.blockHash,
    TIP_HEIGHT,
  );
  await on.run('update head set hash = ?', block.blockHash);
}

/** A tampering with any ledger that nobody serves. */
export function openTamperingWith({ dataDir, databaseUrl }: LedgerPlace): Promise<Tampering> {
  return databaseUrl === undefined
    ? Promise.resolve(new SqliteTampering(openTampering(dataDir)))
    : PostgresTampering.open(databaseUrl);
}

/** What an open file stores, as a tampering sees it; closing it is the caller's. */
export function sqliteTampering(connection: SqliteConnection): Tampering {
  return new SqliteTampering(connection);
}

function storedInFile(ledger: SmallLedger): StoredLedger {
  const { dataDir } = ledger;
  return {
    dataDir,
    databaseUrl: undefined,
    copy: async () => storedInFile(await ledger.copy()),
    tampering: () => Promise.resolve(new SqliteTampering(openTampering(dataDir))),
    [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose](),
  };
}

class SqliteTampering implements Tampering {
  readonly snapshots: SnapshotReader;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.snapshots = sqliteSnapshots(connection);
  }

  exec(text: string): Promise<void> {
    this.#connection.database.exec(text);
    return Promise.resolve();
  }

  all(query: string, ...values: readonly Value[]): Promise<readonly StoredRow[]> {
    return Promise.resolve(this.#connection.statement(query).all(...values));
  }

  run(statement: string, ...values: readonly Value[]): Promise<'done' | 'refused'> {
    try {
      const text = statement.replaceAll('?', () => 'cast(? as text)');
      const hasBytes = values.some((value) => value instanceof Uint8Array);
      this.#connection.statement(hasBytes ? text : statement).run(...values);
      return Promise.resolve('done');
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('UNIQUE')) {
        return Promise.resolve('refused');
      }
      throw error;
    }
  }

  async undone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#connection.database.exec('begin');
    try {
      return await work();
    } finally {
      this.#connection.database.exec('rollback');
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection.close();
  }
}

/** The ledger is made in a file and copied to the server, as `lothub migrate` does. */
async function storedOnServer(made: SmallLedger): Promise<StoredLedger> {
  const database = await newTestDatabase();
  const databaseUrl = getUrl(database);
  await fill(database, made.dataDir);
  await cp(tipRecordFile(made.dataDir), tipRecordFile(database.dataDir));
  const spares: TestDatabase[] = [];
  return {
    dataDir: database.dataDir,
    databaseUrl,
    // One that was used before is filled anew: to make one takes ten times as long.
    copy: async () => {
      const spare = spares.pop() ?? (await newTestDatabase());
      await fill(spare, made.dataDir);
      await cp(tipRecordFile(database.dataDir), tipRecordFile(spare.dataDir));
      return storedCopy(spare, () => spares.push(spare));
    },
    tampering: () => PostgresTampering.open(databaseUrl),
    [Symbol.asyncDispose]: async () => {
      for (const each of [database, ...spares, made]) await each[Symbol.asyncDispose]();
    },
  };
}

function storedCopy(database: TestDatabase, giveBack: () => void): StoredLedger {
  const databaseUrl = getUrl(database);
  return {
    dataDir: database.dataDir,
    databaseUrl,
    copy: () => Promise.reject(new Error('copy the ledger that this is a copy of')),
    tampering: () => PostgresTampering.open(databaseUrl),
    [Symbol.asyncDispose]: () => {
      giveBack();
      return Promise.resolve();
    },
  };
}

function getUrl({ databaseUrl }: TestDatabase): string {
  if (databaseUrl === undefined) throw new Error('this run is not about PostgreSQL');
  return databaseUrl;
}

/** Whatever the database held of a ledger is gone then. */
async function fill(database: TestDatabase, dataDir: string): Promise<void> {
  await using from = new SqliteConnection(databaseFile(dataDir), 'read');
  await using to = await PostgresConnection.open(getUrl(database), { connectionsMax: 1 });
  const tables = [...LEDGER_TABLES.map(({ name }) => name), 'leases', 'verifier_progress'].join(
    ', ',
  );
  await to.all(sql`truncate ${raw(tables)}`);
  await copyToPostgres({ from, to });
}

/** Without them even the superuser's changes are checked. */
const DROP_CHECKS = `
  do $$ declare c record; begin
    for c in
      select conrelid::regclass as place, conname from pg_constraint
      where contype = 'c' and connamespace = current_schema()::regnamespace
    loop
      execute format('alter table %s drop constraint %I', c.place, c.conname);
    end loop;
  end $$`;

/** No foreign key and no trigger is asked then. */
const UNGUARDED = 'set local session_replication_role = replica';

/** A key that another row has; a number that an index cannot hold. */
const REFUSALS = /duplicate key|bigint out of range/;

class PostgresTampering implements Tampering {
  readonly snapshots: SnapshotReader;
  readonly #connection: PostgresConnection;
  #open: PostgresTransaction | undefined;

  private constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.snapshots = {
      all: (query) => this.#inTransaction((transaction) => transaction.all(query)),
      // What this connection changes is nowhere else to be seen.
      inSnapshot: (work) => work(),
    };
  }

  static async open(url: string): Promise<PostgresTampering> {
    const connection = await PostgresConnection.open(url, { connectionsMax: 1 });
    await connection.transaction((transaction) => transaction.execute(DROP_CHECKS));
    return new PostgresTampering(connection);
  }

  exec(text: string): Promise<void> {
    return this.#inTransaction((transaction) => transaction.execute(text));
  }

  all(query: string, ...values: readonly Value[]): Promise<readonly StoredRow[]> {
    return this.#inTransaction((transaction) =>
      transaction.all<StoredRow>(new Sql(query.split('?'), values)),
    );
  }

  async run(statement: string, ...values: readonly Value[]): Promise<'done' | 'refused'> {
    const given: Value[] = [];
    for (const value of values) {
      const text = value instanceof Uint8Array ? decodeText(value) : value;
      if (text === undefined) return 'refused';
      given.push(text);
    }
    try {
      await this.all(statement, ...given);
      return 'done';
    } catch (error) {
      if (error instanceof Error && REFUSALS.test(error.message)) return 'refused';
      throw error;
    }
  }

  async undone<Result>(work: () => Promise<Result>): Promise<Result> {
    const undo = this.#connection.transaction(async (transaction): Promise<never> => {
      await transaction.execute(UNGUARDED);
      this.#open = transaction;
      try {
        throw new Undoing(await work());
      } finally {
        this.#open = undefined;
      }
    });
    return await undo.catch((end: unknown) => {
      if (end instanceof Undoing) return end.result as Result;
      throw end;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection.close();
  }

  #inTransaction<Result>(
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    if (this.#open !== undefined) return work(this.#open);
    return this.#connection.transaction(async (transaction) => {
      await transaction.execute(UNGUARDED);
      return await work(transaction);
    });
  }
}

class Undoing extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('what was changed is undone');
    this.result = result;
  }
}

/** Undefined for what is no text of PostgreSQL. */
function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8, which is all there is to say.
    return undefined;
  }
}

/** As of a stored ledger, of one that a hub has open; it waits for the hub's writes, and they for it. */
export async function tamperOpenHub({ dataDir, databaseUrl }: LedgerPlace): Promise<Tampering> {
  return databaseUrl === undefined
    ? new SqliteTampering(openTampering(dataDir))
    : await PostgresTampering.open(databaseUrl);
}
