// One transaction on one connection of the pool, step by step or in two round trips, and what is known
// of its outcome. Whatever happens, the connection ends outside of any transaction or is ended.
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { Sql } from 'sql-template-tag';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import { copyRowsIn, type CopyRow, type CopyTarget } from './copy.ts';
import { asDatabaseError, isConnectionLost, isRefusedByServer, wasNeverSent } from './errors.ts';

/** One transaction on one connection; refuses to be used after the work it was given to. */
export interface PostgresTransaction {
  readonly all: <Row>(query: Sql) => Promise<readonly Row[]>;
  readonly first: <Row>(query: Sql) => Promise<Row | undefined>;
  /**
   * Runs a text of one or more statements without parameters, such as a schema file.
   * @param timeoutMs how long to wait for the answer; the server's own limit is set by the text
   */
  readonly execute: (text: string, timeoutMs?: number) => Promise<void>;
  /** Inserts rows in bulk; not on a connection with the option `pipeline`. */
  readonly copyIn: (into: CopyTarget, rows: readonly CopyRow[]) => Promise<void>;
}

/** Statements one after the other. @returns the rows that each answered */
export async function allInOrder(
  transaction: Pick<PostgresTransaction, 'all'>,
  statements: readonly Sql[],
): Promise<readonly (readonly unknown[])[]> {
  const answers: (readonly unknown[])[] = [];
  for (const statement of statements) answers.push(await transaction.all(statement));
  return answers;
}

/** Waits for all answers before it throws the first error: after that the connection can be used again. */
export async function allOrFirstFailure<Results extends readonly unknown[]>(pending: {
  readonly [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  await Promise.allSettled(pending);
  return await Promise.all(pending);
}

/** Reads on one connection; refuses to be used after the work it was given to. */
export type PostgresSession = Pick<PostgresTransaction, 'all' | 'first'>;

/**
 * The statements that a transaction runs at its end, in this order, and the result that its caller gets
 * after the commit: a known one, or one that is computed from the rows that the statements returned.
 */
export type PostgresPlan<Result> = { readonly writes: readonly Sql[] } & (
  | { readonly result: Result }
  | { readonly readResult: (answers: readonly (readonly unknown[])[]) => Result }
);

/** The driver takes a time limit for one query; its types know only the one for all. */
interface TimedQuery extends QueryConfig {
  readonly query_timeout: number;
}

/**
 * `connection_usable`: the server reported that the connection is in no transaction. `connection_spent`:
 * the state of the connection is unknown, so it is not used again.
 */
export type TransactionState = 'open' | 'connection_usable' | 'connection_spent';

interface TransactionParts {
  /** For the words of an error. */
  readonly attempted: 'reading' | 'writing';
  readonly client: PoolClient;
  readonly rows: <Row>(query: Sql) => Promise<readonly Row[]>;
  readonly answerTimeoutMs: number;
}

export class OpenTransaction implements PostgresTransaction {
  readonly client: PoolClient;
  readonly #parts: TransactionParts;
  #firstFailure: DatabaseError | undefined;
  #state: TransactionState = 'open';

  constructor(parts: TransactionParts) {
    this.client = parts.client;
    this.#parts = parts;
  }

  readonly all = <Row>(query: Sql): Promise<readonly Row[]> =>
    this.#attempt(() => this.#parts.rows<Row>(query));

  readonly first = async <Row>(query: Sql): Promise<Row | undefined> =>
    (await this.all<Row>(query))[0];

  readonly execute = async (
    text: string,
    timeoutMs = this.#parts.answerTimeoutMs,
  ): Promise<void> => {
    const query: TimedQuery = { text, query_timeout: timeoutMs };
    await this.#attempt(() => this.client.query(query));
  };

  readonly copyIn = (into: CopyTarget, rows: readonly CopyRow[]): Promise<void> =>
    this.#attempt(() => copyRowsIn(this.client, into, rows));

  /** Why the transaction is undone, also when the work did not care; the server answers in order. */
  get firstFailure(): DatabaseError | undefined {
    return this.#firstFailure;
  }

  get state(): TransactionState {
    return this.#state;
  }

  /** From here on a statement would run outside of the transaction: it is refused. */
  end(state: Exclude<TransactionState, 'open'>): void {
    this.#state = state;
  }

  async #attempt<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (this.#state !== 'open') throw new RangeError('the transaction is over');
    try {
      return await ask();
    } catch (error) {
      const failure = asDatabaseError(error, this.#parts.attempted);
      this.#firstFailure ??= failure;
      throw failure;
    }
  }
}

/** Statements of which each is a transaction of its own. */
export async function askOnOneClient<Result>(
  session: OpenTransaction,
  work: (session: PostgresSession) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await inOnePiece(session.client, () => work(session));
    session.end('connection_usable');
    return result;
  } catch (error) {
    session.end(isSpent(error) ? 'connection_spent' : 'connection_usable');
    throw error;
  }
}

/** One statement after the other: a round trip for each, and two more. */
export function transact<Result>(
  transaction: OpenTransaction,
  work: (transaction: PostgresTransaction) => Promise<Result>,
): Promise<Result> {
  const { client } = transaction;
  return undoneIfThrown(transaction, async () => {
    await client.query('begin');
    const result = await work(transaction);
    await awaitOutcome(client.query('commit'), transaction);
    return result;
  });
}

/** `begin` with the first reads, the writes with `commit`. */
export function transactPipelined<Result>(
  transaction: OpenTransaction,
  plan: (transaction: PostgresTransaction) => Promise<PostgresPlan<Result>>,
): Promise<Result> {
  const { client } = transaction;
  return undoneIfThrown(transaction, async () => {
    const made = await planned(transaction, plan);
    const { writes } = made;
    writes.forEach(assertSendable);
    // A crash before the server has all of it leaves nothing; the server undoes what has no commit.
    const [committed, sent] = inOnePiece(client, () => {
      const answers = writes.map((write) => transaction.all<unknown>(write));
      return [client.query('commit'), Promise.allSettled(answers)];
    });
    await awaitOutcome(committed, transaction);
    const answers: (readonly unknown[])[] = [];
    for (const answer of await sent) {
      // The writes are committed, but an answer is unreadable. The caller has to read, as after a lost answer.
      if (answer.status === 'rejected') throw connectionLost(answer.reason);
      answers.push(answer.value);
    }
    return 'readResult' in made ? made.readResult(answers) : made.result;
  });
}

/** Sends no write before the answer to `begin`: without a transaction, each write would commit by itself. */
async function planned<Result>(
  transaction: OpenTransaction,
  plan: (transaction: PostgresTransaction) => Promise<PostgresPlan<Result>>,
): Promise<PostgresPlan<Result>> {
  const answers = inOnePiece(transaction.client, () =>
    Promise.allSettled([
      transaction.client.query('begin'),
      (async () => plan(transaction))(), // a plan that throws at once is one that rejects
    ]),
  );
  const [begun, made] = await answers;
  if (begun.status === 'rejected') throw begun.reason;
  if (made.status === 'rejected') throw made.reason;
  return made.value;
}

/** What is sent in `send` leaves in as few packets as it fits in, not one for each statement. */
function inOnePiece<Result>(client: PoolClient, send: () => Result): Result {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/**
 * A value the driver cannot turn into bytes makes it drop the statement and send the commit behind
 * it: that would keep a part of the transaction. So every value is looked at before anything is sent.
 */
function assertSendable(write: Sql): void {
  for (const value of write.values) {
    if (!isSendable(value)) throw new RangeError(`no value for a database: ${typeof value}`);
  }
}

function isSendable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isSendable);
  return (
    value === null ||
    ['string', 'number', 'bigint', 'boolean', 'undefined'].includes(typeof value) ||
    value instanceof Uint8Array
  );
}

/**
 * A crash before the server has the word `commit` leaves nothing; one after it leaves everything, and
 * without an answer this process cannot distinguish the two.
 * @throws why nothing was committed, or CommitUnknownError
 */
async function awaitOutcome(
  committed: Promise<QueryResult>,
  transaction: OpenTransaction,
): Promise<void> {
  const { command } = await committed.catch((error: unknown) => {
    if (!isConnectionLost(error)) throw error;
    // What the server refused before, or what never left, cannot have been committed.
    const { firstFailure } = transaction;
    if (isRefusedByServer(firstFailure) || wasNeverSent(error)) throw firstFailure ?? error;
    throw connectionLost(error);
  });
  // The server answers a commit of a failed transaction with "rollback", and calls that success.
  if (command === 'COMMIT') return;
  throw (
    transaction.firstFailure ??
    new DatabaseError('database_failed', 'a statement had failed, so nothing was committed')
  );
}

function connectionLost(cause: unknown): CommitUnknownError {
  return new CommitUnknownError('the connection to the database was lost while committing', {
    cause,
  });
}

/** Undoes what did not commit; a crash here leaves nothing behind, as the server then undoes it. */
async function undoneIfThrown<Result>(
  transaction: OpenTransaction,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    transaction.end('connection_usable');
    return result;
  } catch (error) {
    const undone = await isUndone(transaction.client, error);
    transaction.end(undone ? 'connection_usable' : 'connection_spent');
    throw isRefusalOfOurs(error) ? error : asDatabaseError(error, 'writing');
  }
}

/** Ignores a failed rollback: the caller gets the first error. */
async function isUndone(client: PoolClient, failure: unknown): Promise<boolean> {
  if (isSpent(failure)) return false;
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

function isSpent(failure: unknown): boolean {
  return isConnectionLost(failure instanceof DatabaseError ? (failure.cause ?? failure) : failure);
}

function isRefusalOfOurs(error: unknown): boolean {
  return error instanceof Error && !('severity' in error) && !isConnectionLost(error);
}
