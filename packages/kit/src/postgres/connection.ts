// A bounded pool of PostgreSQL connections: reads, transactions, prepared statements, and what
// happens when the server goes away. It reconnects by itself: a dead connection leaves the pool, and
// the next caller gets a new one.
import { hash } from 'node:crypto';
import { Pool, type PoolClient, type QueryResult } from 'pg';
import type { Sql } from 'sql-template-tag';
import { DatabaseError, type DatabaseReader, type TimeLimit } from '../database.ts';
import { within } from '../within.ts';
import { asDatabaseError, isConnectionLost } from './errors.ts';
import { FITNESS, complaintAbout } from './fitness.ts';
import { cutConnection, poolClients } from './pool-clients.ts';
import { rowTypes } from './row-values.ts';
import { OpenTransaction, askOnOneClient, transact, transactPipelined } from './transaction.ts';
import type { PostgresPlan, PostgresSession, PostgresTransaction } from './transaction.ts';

export type { PostgresPlan, PostgresSession, PostgresTransaction } from './transaction.ts';

/** Maximum number of connections of one process; a server allows 100 in all by default. */
const CONNECTIONS_MAX = 10;
/** Maximum number of callers that wait for a connection; more are refused with 503. */
const WAITING_MAX = 1_000;
/** Time limit for a free connection, and for a new one. */
const CONNECT_TIMEOUT_MS = 5_000;
/** The server gives up on a statement after this time. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The server gives up on a lock after this time; as long as SQLite waits for one. */
const LOCK_TIMEOUT_MS = 5_000;
/** The server undoes a transaction whose process has gone silent, so that its locks are free. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** When the server does not even say that it gave up, the network is gone. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** How long what is running, and the server's farewell, are waited for at the end. */
export const CLOSE_WAIT_MS = 1_000;
/** Prepared statements kept for each connection; every query text in the source is one. */
const STATEMENTS_MAX = 500;
/**
 * The generation of this program. A database that a later one has upgraded refuses the writes of
 * sessions with a lower number. It rises with each version that older processes must not write beside;
 * a schema file of that version asks for the new number.
 */
const GENERATION = '2';
/**
 * Our statements run for milliseconds, and compiling one takes a hundred. The server compiles what it
 * holds dear, which with `enable_seqscan` off is every statement that reads a whole small table.
 */
const SETTINGS = { jit: 'off', 'lothub.generation': GENERATION };
/** Characters of a statement's name: 64 bits of its text's hash. */
const STATEMENT_NAME_CHARS = 16;

export interface PostgresOptions {
  readonly connectionsMax?: number;
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  readonly idleInTransactionTimeoutMs?: number;
  /**
   * Sends a statement without waiting for the answers to those before it on the same connection;
   * `pipelinedTransaction` needs it. The driver then takes no streams (COPY).
   */
  readonly pipeline?: boolean;
  /** Settings of the server for these connections, such as those of its planner. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface CheckedOut {
  readonly client: PoolClient;
  /** A connection that still answers goes back to the pool; one that is spent is ended. */
  readonly release: (isSpent: boolean) => void;
}

export class PostgresConnection implements DatabaseReader {
  readonly #clients = poolClients();
  readonly #pool: Pool;
  readonly #pipeline: boolean;
  readonly #names = new Map<string, string>();
  readonly #namesTaken = new Set<string>();
  #closed: Promise<void> | undefined;
  #isAbandoned = false;

  private constructor(url: string, options: PostgresOptions) {
    const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
    this.#pipeline = options.pipeline ?? false;
    this.#pool = new Pool({
      Client: this.#clients.Client,
      pipeline: this.#pipeline,
      connectionString: url,
      max: options.connectionsMax ?? CONNECTIONS_MAX,
      connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      statement_timeout: statementTimeoutMs,
      query_timeout: ANSWER_TIMEOUT_MS - STATEMENT_TIMEOUT_MS + statementTimeoutMs,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout:
        options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      types: rowTypes,
      options: formatCommandLine({ ...SETTINGS, ...options.settings }),
    });
    // A query on a lost connection reports its loss. A lost connection without a query just leaves the pool.
    const ignore = (): void => undefined;
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  /**
   * Connects once, to refuse an unfit server at the start and not at the first request.
   * @param url `postgresql://user:password@host:port/database`
   * @throws DatabaseError `database_unsupported` when the server is too old, not UTF-8 or answers
   * commits before they are on disk; `database_busy` when it cannot be reached
   */
  static async open(url: string, options: PostgresOptions = {}): Promise<PostgresConnection> {
    const connection = new PostgresConnection(url, options);
    try {
      await connection.#assertFit();
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  /** Connects when it is first asked: for a server that may be away, and whose fitness is known. */
  static openLater(url: string, options: PostgresOptions = {}): PostgresConnection {
    return new PostgresConnection(url, options);
  }

  async all<Row>(query: Sql, limit?: TimeLimit): Promise<readonly Row[]> {
    const { client, release } = await this.#checkOut(limit);
    let failure: unknown;
    try {
      return await this.#rows<Row>(client, query);
    } catch (error) {
      failure = error;
      throw asDatabaseError(error, 'reading');
    } finally {
      release(isConnectionLost(failure));
    }
  }

  async first<Row>(query: Sql, limit?: TimeLimit): Promise<Row | undefined> {
    return (await this.all<Row>(query, limit))[0];
  }

  /** Without the option `pipeline`, each of several simultaneous queries takes a connection. */
  together<Result>(ask: (reader: DatabaseReader) => Promise<Result>): Promise<Result> {
    return this.#pipeline ? this.session((session) => ask(toReader(session))) : ask(this);
  }

  /**
   * Runs `work` in one transaction (read committed); whatever it throws undoes all of it. A
   * DatabaseError that `isSerializationFailure` knows is worth another try of the whole.
   * @throws CommitUnknownError when the connection died while committing
   */
  async transaction<Result>(
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#onOneClient('writing', (transaction) => transact(transaction, work));
  }

  /**
   * A transaction (read committed) in two round trips: `begin` travels with the first reads of `plan`,
   * and all writes with `commit`. Reads that `plan` starts side by side travel together as well. A
   * DatabaseError that `isSerializationFailure` knows is worth another try of the whole.
   * @throws what `plan` throws, or DatabaseError of the first statement that was refused: nothing
   * is stored then; CommitUnknownError when the connection died after `commit` was sent, or was cut
   */
  async pipelinedTransaction<Result>(
    plan: (transaction: PostgresTransaction) => Promise<PostgresPlan<Result>>,
    limit?: TimeLimit,
  ): Promise<Result> {
    this.#assertPipeline();
    return this.#onOneClient(
      'writing',
      (transaction) => transactPipelined(transaction, plan),
      limit,
    );
  }

  /**
   * Reads on one connection, each by itself; those that `work` starts side by side travel together and
   * are answered in their order.
   */
  async session<Result>(work: (session: PostgresSession) => Promise<Result>): Promise<Result> {
    this.#assertPipeline();
    return this.#onOneClient('reading', (session) => askOnOneClient(session, work));
  }

  /** Connections open now, and callers waiting for one. */
  get load(): { readonly connections: number; readonly waiting: number } {
    return { connections: this.#pool.totalCount, waiting: this.#pool.waitingCount };
  }

  /** Waits a little for what is running, and ends every connection. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    // A server that says nothing does not take its leave either.
    setTimeout(this.#clients.cut, CLOSE_WAIT_MS).unref();
    return this.#closed;
  }

  /** Ends what waits for the server, and refuses whatever comes. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#clients.abandon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertPipeline(): void {
    if (!this.#pipeline) throw new RangeError('open the connection with the option pipeline');
  }

  async #onOneClient<Result>(
    attempted: 'reading' | 'writing',
    work: (transaction: OpenTransaction) => Promise<Result>,
    limit?: TimeLimit,
  ): Promise<Result> {
    const { client, release } = await this.#checkOut(limit);
    const transaction = new OpenTransaction({
      attempted,
      client,
      rows: (query) => this.#rows(client, query),
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    });
    try {
      return await work(transaction);
    } finally {
      release(transaction.state !== 'connection_usable');
    }
  }

  async #rows<Row>(client: PoolClient, query: Sql): Promise<readonly Row[]> {
    const name = this.#findName(query.text);
    const result: QueryResult = await client.query({
      text: query.text,
      values: query.values,
      ...(name === undefined ? {} : { name }),
    });
    return result.rows as readonly Row[];
  }

  /** A name under which the server keeps the plan; undefined when there are too many already. */
  #findName(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= STATEMENTS_MAX) return undefined;
    const name = hash('sha256', text).slice(0, STATEMENT_NAME_CHARS);
    // The driver refuses a name that it knows for another text, but still sends the messages after it.
    if (this.#namesTaken.has(name)) return undefined;
    this.#namesTaken.add(name);
    this.#names.set(text, name);
    return name;
  }

  /** A connection that is cut when the time is over. */
  async #checkOut(limit?: TimeLimit): Promise<CheckedOut> {
    const startedMs = performance.now();
    const client = await this.#connect(limit);
    if (limit === undefined) return { client, release: (isSpent) => client.release(isSpent) };
    const msLeft = limit.timeoutMs - (performance.now() - startedMs);
    const timer = setTimeout(() => cutConnection(client), msLeft);
    const release = (isSpent: boolean): void => {
      clearTimeout(timer);
      client.release(isSpent);
    };
    return { client, release };
  }

  async #connect(limit: TimeLimit | undefined): Promise<PoolClient> {
    if (this.#closed !== undefined || this.#isAbandoned) {
      throw new DatabaseError('database_busy', 'the service is shutting down');
    }
    if (this.#pool.waitingCount >= WAITING_MAX) {
      throw new DatabaseError('database_busy', `${WAITING_MAX} callers wait for the database`);
    }
    const connecting = this.#pool.connect();
    try {
      if (limit === undefined) return await connecting;
      return await within(connecting, { ms: limit.timeoutMs, late: connectingTookTooLong });
    } catch (error) {
      // One that comes too late is there for the next caller.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw asDatabaseError(error, 'connecting');
    }
  }

  async #assertFit(): Promise<void> {
    const { client, release } = await this.#checkOut();
    let failure: unknown;
    try {
      const { rows } = await client.query<Record<string, string>>(FITNESS);
      const complaint = complaintAbout(rows[0] ?? {});
      if (complaint !== undefined) throw new DatabaseError('database_unsupported', complaint);
    } catch (error) {
      failure = error;
      throw asDatabaseError(error, 'connecting');
    } finally {
      release(isConnectionLost(failure));
    }
  }
}

function connectingTookTooLong(): DatabaseError {
  return new DatabaseError('database_busy', 'connecting: the database does not answer');
}

/** As the server takes settings at the start of a session: `-c name=value`. */
function formatCommandLine(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}

/** Who opened the connection closes it. */
function toReader({ all, first }: PostgresSession): DatabaseReader {
  const close = (): Promise<void> => Promise.resolve();
  return { all, first, close, [Symbol.asyncDispose]: close };
}
