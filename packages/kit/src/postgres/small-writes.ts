// Small writes on PostgreSQL, each in a transaction of its own that is tried again when it lost against
// another one.
import type { Sql } from 'sql-template-tag';
import { inTurns } from '../in-turns.ts';
import type { ChangeOutcome, PlannedChange, WriteOptions } from '../writer/planned-change.ts';
import type { PostgresConnection, PostgresPlan, PostgresTransaction } from './connection.ts';
import { isSerializationFailure } from './errors.ts';
import { allInOrder, allOrFirstFailure } from './transaction.ts';

/** The server flushes what the transaction wrote soon after its commit. */
const WITHOUT_FLUSH = 'set local synchronous_commit = off';

/** Times that one transaction may lose against others, one after the other. */
const ATTEMPTS_MAX = 10;

/**
 * Takes what the transaction must be alone with until it ends. It sends its statement in the turn in which
 * it is called, so that others can be sent behind it.
 * @returns `late` when what was sent behind it was answered too early, and has to be asked again
 */
export type TakeLock = (
  transaction: Pick<PostgresTransaction, 'all'>,
) => Promise<'in_time' | 'late'>;

/** @throws DatabaseError as `PostgresConnection.transaction` */
export function transactAgain<Result>(
  connection: PostgresConnection,
  work: (transaction: PostgresTransaction) => Promise<Result>,
): Promise<Result> {
  return againWhenLost(() => connection.transaction(work));
}

async function againWhenLost<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isSerializationFailure(error)) throw error;
    }
  }
}

/**
 * All statements in their order, or none.
 * @returns the rows that each answered
 */
export function writeAll(
  connection: PostgresConnection,
  writing: WriteOptions & {
    readonly statements: readonly Sql[];
    readonly lock?: TakeLock | undefined;
  },
): Promise<readonly (readonly unknown[])[]> {
  const { statements, lock, mayBeLost = false } = writing;
  return transactAgain(connection, async (transaction) => {
    if (mayBeLost) await transaction.execute(WITHOUT_FLUSH);
    await lock?.(transaction);
    return await allInOrder(transaction, statements);
  });
}

export interface PlannedWriting {
  readonly change: PlannedChange;
  /** Taken behind the prepared rows and held from before the guard. */
  readonly lock: TakeLock;
  /** Settings of the transaction, such as `set local enable_seqscan = off`. */
  readonly settings?: string;
}

/** As `PlannedWriting`, of which the last statements are made with what is read behind the lock. */
export interface WritingBehind<Read> extends PlannedWriting {
  /** Sent along with the guard. */
  readonly read: (transaction: PostgresTransaction) => Promise<Read>;
  readonly listStatements: (read: Read) => readonly Sql[];
}

/**
 * As `writeAll`, unless the guard answers no row or the claim of the prepared rows none. While the lock
 * is held one answer is waited for: that of the guard. Everything else leaves with the commit.
 * @param connection with the option `pipeline`
 * @throws as `PostgresConnection.pipelinedTransaction`
 */
export function writePlanned(
  connection: PostgresConnection,
  writing: PlannedWriting,
): Promise<ChangeOutcome> {
  const listStatements = () => writing.change.statements;
  return writeBehind(connection, { ...writing, read: () => Promise.resolve(), listStatements });
}

/** As `writePlanned`. */
export async function writeBehind<Read>(
  connection: PostgresConnection,
  { change, lock, settings, read, listStatements }: WritingBehind<Read>,
): Promise<ChangeOutcome> {
  const plan = async (transaction: PostgresTransaction): Promise<PostgresPlan<ChangeOutcome>> => {
    const { prepared, guard } = change;
    const sets = [settings, change.mayBeLost === true ? WITHOUT_FLUSH : undefined]
      .filter((statement) => statement !== undefined)
      .map((statement) => transaction.execute(statement));
    const set = allOrFirstFailure(sets);
    if (prepared !== undefined) {
      // The guard is asked behind the claim as well: who had claimed it before may have made the plan stale, and
      // have written the very rows that would be prepared.
      const [, claimed, fit] = await allOrFirstFailure([
        set,
        transaction.all(prepared.claim),
        transaction.all(guard),
      ]);
      if (claimed.length === 0 || fit.length === 0) throw new StaleChange();
      await sendInTurns(transaction, prepared.statements);
    }
    const judge = () => allOrFirstFailure([transaction.all(guard), read(transaction)]);
    const [, locked, judged] = await allOrFirstFailure([set, lock(transaction), judge()]);
    const [found, known] = locked === 'in_time' ? judged : await judge();
    if (found.length === 0) throw new StaleChange();
    return { writes: listStatements(known), readResult: (rows) => ({ kind: 'done', rows }) };
  };
  try {
    return await againWhenLost(() => connection.pipelinedTransaction(plan));
  } catch (error) {
    if (error instanceof StaleChange) return { kind: 'stale' };
    throw error;
  }
}

/** Sends statements behind each other, with a turn for others after each: to write down a large one takes time. */
async function sendInTurns(
  transaction: Pick<PostgresTransaction, 'all'>,
  statements: readonly Sql[],
): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for await (const statement of inTurns(statements)) {
    const answer = transaction.all(statement);
    // A failure is thrown below, when all are answered.
    answer.catch(() => undefined);
    answers.push(answer);
  }
  await allOrFirstFailure(answers);
}

/** Rolls the transaction back, with the prepared rows, which are written before the guard is checked. */
class StaleChange extends Error {}
