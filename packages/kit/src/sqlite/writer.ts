// The worker's side of a SQLite writer: one write connection, a group of jobs in one transaction.
import type { Crossing } from '../writer/crossing.ts';
import type { JobGroup } from '../writer/queue.ts';
import { serveWriter, type OnUpgrade, type Writer } from '../writer/worker.ts';
import { asDatabaseError, type SqliteConnection } from './connection.ts';
import { WalCopier } from './wal-copier.ts';

export interface SqliteWriter<Job, Answer> {
  readonly connection: SqliteConnection;
  /** Runs inside the transaction of one group; one answer for each job, in order. */
  readonly apply: (jobs: readonly Job[]) => readonly Answer[];
  /** Whether a power failure may undo the job after its answer. A group of only such jobs is not flushed. */
  readonly mayBeLost?: (job: Job) => boolean;
  /**
   * A job that must run outside a transaction. Its weight must be that of a whole group, so that it is alone in one.
   * @returns the function that does the job; undefined for every other job
   */
  readonly outside?: (job: Job) => (() => Answer) | undefined;
  /**
   * Runs after the group is on disk and before any caller gets its answer. An error is only logged as a
   * warning of the process, because the group is committed.
   * @returns the answers that callers get instead of those of `apply`, in the same order
   */
  readonly committed: (jobs: readonly Job[], answers: readonly Answer[]) => readonly Answer[];
  /** Runs after a group was rolled back: it must forget everything that `apply` keeps in memory. */
  readonly undone: () => void;
  /**
   * Runs in a transaction of its own while no job waits, and does a small part of the work that can wait.
   * @returns true when there is more to do
   */
  readonly idle?: () => boolean;
  /** Runs before the connection is closed. */
  readonly close?: () => Promise<void>;
}

/** Opens the database, then commits jobs in groups until it has to close; the arguments are those of `serveWriter`. */
export async function serveSqliteWriter<Job, Answer>(
  open: (onUpgrade: OnUpgrade) => Promise<SqliteWriter<Job, Answer>>,
  crossing?: Crossing<Job, Answer>,
): Promise<void> {
  const openWriter = async (onUpgrade: OnUpgrade): Promise<Writer<Job, Answer>> => {
    const writer = await attempt('opening the database', () => open(onUpgrade));
    const { connection } = writer;
    const copier = new WalCopier({
      connection,
      onFailure: (error) => warn('copying the write-ahead log', error),
    });
    return {
      commit: (group) => {
        const answers = commit(writer, group, copier);
        copier.copyWhenDue();
        return answers;
      },
      idle: () => doIdleWork(writer),
      close: async () => {
        await copier[Symbol.asyncDispose]();
        await writer.close?.();
        await connection.close();
      },
    };
  };
  await serveWriter<Job, Answer>(openWriter, crossing);
}

async function attempt<Result>(attempted: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asDatabaseError(error, attempted);
  }
}

function commit<Job, Answer>(
  writer: SqliteWriter<Job, Answer>,
  { jobs, msLeft }: JobGroup<Job>,
  copier: WalCopier,
): readonly Answer[] {
  let answers: readonly Answer[];
  try {
    const outside = findOutside(writer, jobs);
    if (outside !== undefined) {
      copier.settle();
      return [outside()];
    }
    const { connection, mayBeLost } = writer;
    const isFlushed = mayBeLost === undefined || !jobs.every(mayBeLost);
    answers = connection.transaction(() => writer.apply(jobs), { waitMs: msLeft, isFlushed });
  } catch (error) {
    writer.undone();
    throw asDatabaseError(error, 'writing');
  }
  // A crash here leaves the group on disk and its callers without an answer; a retry with the same external id finds it.
  return reportCommitted(writer, jobs, answers);
}

/** Whatever fails here, the group is not refused: it would be stored twice by whoever sends it again. */
function reportCommitted<Job, Answer>(
  { committed }: SqliteWriter<Job, Answer>,
  jobs: readonly Job[],
  answers: readonly Answer[],
): readonly Answer[] {
  try {
    return committed(jobs, answers);
  } catch (error) {
    warn('after a commit', error);
    return answers;
  }
}

function findOutside<Job, Answer>(
  { outside }: SqliteWriter<Job, Answer>,
  [job, ...others]: readonly Job[],
): (() => Answer) | undefined {
  if (job === undefined || others.length > 0) return undefined;
  return outside?.(job);
}

function warn(attempted: string, error: unknown): void {
  process.emitWarning(`${attempted}: ${error instanceof Error ? error.message : String(error)}`);
}

/** @returns true when there is more to do; what failed is tried again after the next group */
function doIdleWork<Job, Answer>(writer: SqliteWriter<Job, Answer>): boolean {
  const { idle } = writer;
  if (idle === undefined) return false;
  try {
    return writer.connection.transaction(idle);
  } catch {
    // Nobody waits for it, and whatever is wrong with the database, the next group will say so.
    writer.undone();
    return false;
  }
}
