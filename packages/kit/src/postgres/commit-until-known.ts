// Tries a transaction again until it is known what became of it: what failed for a passing reason is done
// anew; of a commit whose answer was lost, the next attempt first asks the server whether it stands.
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import type { JobGroup } from '../writer/queue.ts';
import type { PostgresConnection, PostgresPlan, PostgresTransaction } from './connection.ts';

/** Rest before another attempt; doubled each time up to the half second. */
const RETRY_MS = 10;
const RETRY_MS_MAX = 500;

export interface CommitOptions<Attempt> {
  /** With the option `pipeline`. */
  readonly connection: Pick<PostgresConnection, 'pipelinedTransaction'>;
  /** The jobs of the transaction: they bound its attempts. */
  readonly group: Pick<JobGroup<unknown>, 'msLeft' | 'refuseLate'>;
  /** False of an attempt that leaves nothing to know it by: it can only be done again. */
  readonly isRecognised: (attempt: Attempt) => boolean;
  /**
   * Plans the transaction. It says what it is about to write before it is sent, and writes nothing when
   * it finds that the earlier attempt stands, which is then its result.
   */
  readonly plan: (
    transaction: PostgresTransaction,
    earlier: {
      /** The last attempt of which nobody knows whether it was committed. */
      readonly unknown: Attempt | undefined;
      readonly attempting: (attempt: Attempt) => void;
    },
  ) => Promise<PostgresPlan<Attempt>>;
}

/**
 * An attempt is cut off when the first caller of the group has to be answered. Between two attempts the
 * callers that have no time for another one are answered, and the others go on without them.
 * @returns the attempt that stands
 * @throws what `plan` throws, or why the last attempt failed when no caller waits any more;
 * CommitUnknownError instead, when an attempt before may stand
 */
export async function commitUntilKnown<Attempt>(options: CommitOptions<Attempt>): Promise<Attempt> {
  const { connection, group, isRecognised, plan } = options;
  let unknown: Attempt | undefined;
  /** A commit was sent and not answered, of an attempt that leaves nothing to know it by. */
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
        // It looked for the attempt before and did not find it: only this one is open, if it is.
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
