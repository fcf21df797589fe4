// Tries a transaction again until it is known what became of it: what failed for a passing reason is done
// anew; of a commit whose answer was lost, the next attempt first asks the server whether it stands.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import type { PostgresConnection, PostgresPlan, PostgresTransaction } from './connection.ts';

/** How long a group is tried again while the server is away or busy; then its callers get a 503. */
const TRY_FOR_MS = 10_000;
/** Rest before another attempt; doubled each time up to the half second. */
const RETRY_MS = 10;
const RETRY_MS_MAX = 500;

export interface CommitOptions<Attempt> {
  /** With the option `pipeline`. */
  readonly connection: PostgresConnection;
  readonly clock: Clock;
  /** False of an attempt that leaves nothing to know it by: it can only be done again. */
  readonly isRecognised: (attempt: Attempt) => boolean;
  /**
   * Plans the transaction. It says what it is about to write before it is sent, and writes nothing when
   * it finds that the earlier attempt stands, which is then its result.
   */
  readonly plan: (
    transaction: PostgresTransaction,
    of: {
      /** The last attempt of which nobody knows whether it was committed. */
      readonly unknown: Attempt | undefined;
      readonly attempting: (attempt: Attempt) => void;
    },
  ) => Promise<PostgresPlan<Attempt>>;
}

/**
 * @returns the attempt that stands
 * @throws what `plan` throws; DatabaseError `database_busy` when the server stayed away, `database_unsure`
 * when it did after a commit was sent, of which nothing is known then
 */
export async function commitUntilKnown<Attempt>(options: CommitOptions<Attempt>): Promise<Attempt> {
  const { connection, clock, isRecognised, plan } = options;
  const deadlineMs = clock.nowMs() + TRY_FOR_MS;
  let unknown: Attempt | undefined;
  for (let restMs = RETRY_MS; ; restMs = Math.min(restMs * 2, RETRY_MS_MAX)) {
    let attempted: Attempt | undefined;
    const attempting = (attempt: Attempt): void => void (attempted = attempt);
    try {
      return await connection.pipelinedTransaction((transaction) =>
        plan(transaction, { unknown, attempting }),
      );
    } catch (error) {
      if (error instanceof CommitUnknownError) {
        // What came after an earlier attempt did not find it: only this one is open.
        unknown = attempted !== undefined && isRecognised(attempted) ? attempted : undefined;
      }
      if (!isPassing(error)) throw error;
      if (clock.nowMs() >= deadlineMs) throw giveUp(error, unknown);
      await sleep(restMs);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return true;
  return error instanceof DatabaseError && error.code === 'database_busy';
}

function giveUp(error: unknown, unknown: unknown): unknown {
  if (unknown === undefined) return error;
  return new DatabaseError(
    'database_unsure',
    'the connection to the database was lost while committing, and it cannot be asked',
    { cause: error },
  );
}
