// The interface between people and the database engine. `open-store.ts` chooses the engine; everything
// above uses only this.
import type { DatabaseReader } from '@lothub/kit/database';
import type { TokenBucket, TokenBucketOptions } from '@lothub/kit/http/token-bucket';
import type { Turn } from '@lothub/kit/turn';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import type { Sql } from 'sql-template-tag';

export interface PeopleStore extends AsyncDisposable {
  /** Reads the newest committed state. */
  readonly reader: DatabaseReader;
  /**
   * Writes all statements in their order, or none; answers the rows that each returned, once they are on
   * disk.
   * @throws DatabaseError `database_busy` (queue full), `database_full` (disk refuses), `database_unsure`
   * (as CommitUnknownError)
   */
  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
  /**
   * As `write`, unless the rows that it was planned from have changed. Between the guard and the end no other
   * process changes anything in this way.
   * @throws DatabaseError as `write`
   */
  change(change: PlannedChange): Promise<ChangeOutcome>;
  /**
   * Calls `listener` after each commit of this process, and soon after sessions have ended in others over
   * the same database; perhaps without reason, never with what was committed.
   * @returns ends it
   */
  onCommit(listener: () => void): () => void;
  /**
   * Counts for all processes that serve this store.
   * @returns undefined when the limit is off
   */
  tokenBucket(options: TokenBucketOptions): TokenBucket | undefined;
  /** The turn to do some work that one of all processes that serve this store does. */
  turn(name: string): Turn;
  /**
   * Only of a database that may not answer, at the end of the process: ends what waits for it, and refuses
   * whatever comes.
   */
  abandon?(): void;
  close(): Promise<void>;
}
