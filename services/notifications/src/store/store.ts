// The interface between the service and the database engine. `open-store.ts` chooses the engine; everything
// above uses only this.
import type { DatabaseReader } from '@lothub/kit/database';
import type { ChangeOutcome, PlannedChange, WriteOptions } from '@lothub/kit/writer/planned-change';
import type { TokenBucket, TokenBucketOptions } from '@lothub/kit/http/token-bucket';
import type { Turn } from '@lothub/kit/turn';
import type { Waited } from '@lothub/kit/writer/thread';
import type { Sql } from 'sql-template-tag';
import type { Post, PostOutcome } from './post.ts';

export type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';

export interface ErasedBytes {
  /** Statements of each transaction that takes texts away. */
  readonly note: readonly Sql[];
  /**
   * Overwrites what was taken away since the last time; everybody who writes waits for it.
   * @returns false when another program reads an older state: to be tried again
   * @throws DatabaseError as the store's `write`
   */
  readonly settle: () => Promise<boolean>;
}

export interface NotificationStore extends AsyncDisposable {
  /** Reads the newest committed state. */
  readonly reader: DatabaseReader;
  /**
   * Gives a notification its place and its seq and writes it, with a note that it has receivers; answers once it
   * is on disk.
   * @throws DatabaseError `database_busy` (queue full), `database_full` (disk refuses),
   * `database_unsure` (as CommitUnknownError)
   */
  post(post: Post, waited?: Waited): Promise<PostOutcome>;
  /**
   * Writes the deliveries of what was posted before, for each receiver that is to get it now. Whoever changes
   * receivers or reads deliveries calls it first; a worker that sends, before each look.
   * @throws DatabaseError as `write`
   */
  distribute(): Promise<void>;
  /**
   * Writes all statements in their order, or none; answers the rows that each returned, once they are
   * on disk.
   * @throws DatabaseError as `post`
   */
  write(
    statements: readonly Sql[],
    options?: WriteOptions,
  ): Promise<readonly (readonly unknown[])[]>;
  /**
   * As `write`, unless the rows that it was planned from have changed. Between the guard and the end no
   * process posts, and none changes anything in this way.
   * @throws DatabaseError as `post`
   */
  change(change: PlannedChange): Promise<ChangeOutcome>;
  /**
   * Calls `listener` after each commit of this process, and soon after those of others over the same
   * database; perhaps without reason, never with what was committed. A write that may be lost is not reported: no
   * reader waits for it.
   * @returns ends it
   */
  onCommit(listener: () => void): () => void;
  /**
   * Counts for all processes that serve this store.
   * @returns undefined when the limit is off
   */
  tokenBucket(options: TokenBucketOptions): TokenBucket | undefined;
  /** Set for an engine whose files still contain erased bytes, which the service has to overwrite. */
  readonly erasedBytes?: ErasedBytes | undefined;
  /** Whether this process gets so many posts now that other work should wait a moment. */
  isBurst(): boolean;
  /** The turn to do some work that one of all processes that serve this store does. */
  turn(name: string): Turn;
  /**
   * Only of a database that may not answer, at the end of the process: ends what waits for it, and
   * refuses whatever comes.
   */
  abandon?(): void;
  close(): Promise<void>;
}
