// Small writes on PostgreSQL, each in a transaction of its own that is tried again when it lost against
// another one.
import type { Sql } from 'sql-template-tag';
import type { ChangeOutcome, PlannedChange } from '../writer/planned-change.ts';
import type { PostgresConnection, PostgresTransaction } from './connection.ts';
import { isSerializationFailure } from './errors.ts';
import { allInOrder } from './transaction.ts';

/** Times that one transaction may lose against others, one after the other. */
const ATTEMPTS_MAX = 10;

/** Takes what the transaction must be alone with until it ends. */
export type TakeLock = (transaction: Pick<PostgresTransaction, 'all' | 'execute'>) => Promise<void>;

/** @throws DatabaseError as `PostgresConnection.transaction` */
export async function transactAgain<Result>(
  connection: PostgresConnection,
  work: (transaction: PostgresTransaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.transaction(work);
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
  of: { readonly statements: readonly Sql[]; readonly lock?: TakeLock | undefined },
): Promise<readonly (readonly unknown[])[]> {
  return transactAgain(connection, async (transaction) => {
    await of.lock?.(transaction);
    return await allInOrder(transaction, of.statements);
  });
}

/** As `writeAll`, unless the guard answers no row; the lock is held from before the guard. */
export function writePlanned(
  connection: PostgresConnection,
  { change, lock }: { readonly change: PlannedChange; readonly lock: TakeLock },
): Promise<ChangeOutcome> {
  return transactAgain(connection, async (transaction) => {
    await lock(transaction);
    if ((await transaction.all(change.guard)).length === 0) return { kind: 'stale' };
    return { kind: 'done', rows: await allInOrder(transaction, change.statements) };
  });
}
