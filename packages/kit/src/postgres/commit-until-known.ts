// Repeats a transaction until its outcome is known. After a temporary failure it runs again. After a commit
// whose answer was lost, the next attempt first reads from the server whether it was committed.
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import type { JobGroup } from '../writer/queue.ts';
import type { PostgresConnection, PostgresPlan, PostgresTransaction } from './connection.ts';

/** Pause before the next attempt; doubled each time, up to half a second. */
const RETRY_MS = 10;
const RETRY_MS_MAX = 500;

export interface CommitOptions<Attempt> {
  /** With the option `pipeline`. */
  readonly connection: Pick<PostgresConnection, 'pipelinedTransaction'>;
  /** The jobs of the transaction: their deadlines limit its attempts. */
  readonly group: Pick<JobGroup<unknown>, 'msLeft' | 'refuseLate'>;
  /** False for an attempt that leaves no trace to find it by: it can only be repeated. */
  readonly isRecognised: (attempt: Attempt) => boolean;
  /**
   * Plans the transaction. It calls `attempting` before anything is sent. It writes nothing when it finds
   * that the earlier attempt was committed, and returns that one.
   */
  readonly plan: (
    transaction: PostgresTransaction,
    earlier: {
      /** The last attempt, if it is unknown whether it was committed. */
      readonly unknown: Attempt | undefined;
      readonly attempting: (attempt: Attempt) => void;
    },
  ) => Promise<PostgresPlan<Attempt>>;
}

/**
 * An attempt is stopped when the first caller of the group has to get its answer. Between two attempts the
 * callers whose time is over are refused, and the next attempt is for the others.
 * @returns the attempt that was committed
 * @throws what `plan` throws, or the error of the last attempt when no caller waits any more;
 * CommitUnknownError instead, when an earlier attempt may have been committed
 */
export async function commitUntilKnown<Attempt>(options: CommitOptions<Attempt>): Promise<Attempt> {
  const { connection, group, isRecognised, plan } = options;
  let unknown: Attempt | undefined;
  /** A commit was sent and not answered, and its attempt leaves no trace to find it by. */
  let isLost = false;
  for (let restMs = RETRY_MS; ; restMs = Math.min(restMs * 2, RETRY_MS_MAX)) {
    let attempted: Attempt | undefined;
    const attempting = (attempt: Attempt): void => void (attempted = attempt);
    try {
      return await connection.pipelinedTransaction(
        (transaction) => plan(transaction, { unknown, attempting }),
        { timeoutMs: group.msLeft },
      );
    } catch (error) {
      const isUnknown = error instanceof CommitUnknownError;
      if (attempted !== undefined) {
        // It looked for the earlier attempt and did not find it, so only this one can be unknown.
        unknown = isUnknown && isRecognised(attempted) ? attempted : undefined;
        isLost ||= isUnknown && unknown === undefined;
      }
      const isOpen = isLost || unknown !== undefined;
      if (!isPassing(error)) throw isOpen ? cannotBeAsked(error) : error;
      await sleep(Math.min(restMs, group.msLeft));
      const why = isOpen && !isUnknown ? cannotBeAsked(error) : error;
      group.refuseLate(why);
      if (group.msLeft === Infinity) throw why;
    }
  }
}

function isPassing(error: unknown): error is DatabaseError {
  if (error instanceof CommitUnknownError) return true;
  return error instanceof DatabaseError && error.code === 'database_busy';
}

function cannotBeAsked(cause: unknown): CommitUnknownError {
  return new CommitUnknownError(
    'the connection to the database was lost while committing, and it cannot be asked',
    { cause },
  );
}
