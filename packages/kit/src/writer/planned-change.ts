// Writes that are made only while what they were planned on is as it was.
import type { Sql } from 'sql-template-tag';
import { DatabaseError } from '../database.ts';

/** Each time somebody else has got ahead: of callers by the hundred all are done long before. */
const ATTEMPTS_MAX = 20;

export interface WriteOptions {
  /**
   * A loss of power may undo the write after it was answered; the end of the process does not. Such writes wait for
   * no flush of the disk.
   */
  readonly mayBeLost?: boolean;
}

/** Writes that were planned on some state of the database. */
export interface PlannedChange extends WriteOptions {
  /** Rows of something that is claimed, written before the others are kept from writing. */
  readonly prepared?: PreparedRows;
  /** Answers a row as long as that state holds; it changes nothing. */
  readonly guard: Sql;
  /** All of them, in this order, or none. */
  readonly statements: readonly Sql[];
  /** Rows that a statement writes at most, where it is known: more such changes share a commit. */
  readonly rowsPerStatementMax?: number;
}

/**
 * Rows that nobody reads, changes or waits for before the change is made, because they belong to something
 * that is not there yet, or that nobody else writes such rows of without its claim. However many they are, they
 * keep nobody from writing.
 */
export interface PreparedRows {
  /**
   * Inserts what the rows belong to, or writes a row of it that only claims write, and answers a row; none when it
   * is there already. Of callers that claim the same thing one prepares at a time, the others wait for the outcome
   * of its change.
   */
  readonly claim: Sql;
  /** Written behind the claim, in this order. */
  readonly statements: readonly Sql[];
}

export type ChangeOutcome =
  | {
      readonly kind: 'done';
      /** Rows that each of the statements answered, in order. */
      readonly rows: readonly (readonly unknown[])[];
    }
  /**
   * The state is another one by now, or what was claimed is there already, and nothing was written: look
   * again.
   */
  | { readonly kind: 'stale' };

/**
 * Plans and writes a change, and again as often as somebody else changed what it was planned on.
 * @param busy what others did at the same moment: the message of the error
 * @param attempt reads, judges and writes; it answers `stale` when nothing was written because what it had
 * read was another by then
 * @throws DatabaseError `database_busy` when every attempt came too late; what `attempt` throws
 */
export async function repeatWhileStale<Result>(
  { busy, attemptsMax = ATTEMPTS_MAX }: { readonly busy: string; readonly attemptsMax?: number },
  attempt: () => Promise<Result | 'stale'>,
): Promise<Result> {
  for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
    const result = await attempt();
    if (result !== 'stale') return result;
  }
  throw new DatabaseError('database_busy', busy);
}
