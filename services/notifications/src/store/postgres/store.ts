// The store on PostgreSQL: a pool for reads and small writes on the serving thread, one writer thread for
// posts and one listening connection in each process.
import type { Clock } from '@lothub/kit/clock';
import type { ChangeOutcome, PlannedChange, WriteOptions } from '@lothub/kit/writer/planned-change';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { LeasedTurn } from '@lothub/kit/postgres/leased-turn';
import { PostgresListener } from '@lothub/kit/postgres/listener';
import { writeAll, writePlanned } from '@lothub/kit/postgres/small-writes';
import { sharedTokenBucket } from '@lothub/kit/postgres/shared-token-bucket';
import type { TokenBucket, TokenBucketOptions } from '@lothub/kit/http/token-bucket';
import type { Turn } from '@lothub/kit/turn';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { answerTo } from '@lothub/kit/writer/answers';
import { WriterThread, type Waited, type WriterWatch } from '@lothub/kit/writer/thread';
import type { Sql } from 'sql-template-tag';
import { CommitListeners } from '@lothub/kit/writer/commit-listeners';
import { weightOfPost, type PostAnswer, type PostAnswers, type PostJob } from '../jobs.ts';
import type { Post, PostOutcome } from '../post.ts';
import { Distribution } from '../distribution.ts';
import { PostRate } from '../post-rate.ts';
import { FEED_CHANNEL } from '../schema.ts';
import type { NotificationStore } from '../store.ts';
import { openConnections } from './connections.ts';
import { lockFeedHead, movesFeed } from './feed-head.ts';
import type { PostgresWriterData } from './writer.ts';

/** How often the feed is also read without a message: messages of other processes may be lost with a connection. */
const LOOK_EVERY_MS = 500;

export interface PostgresStoreOptions extends UpgradeOptions {
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly onFatal: (error: Error) => void;
  readonly watch?: WriterWatch | undefined;
}

export class PostgresNotificationStore implements NotificationStore {
  readonly reader: PostgresConnection;
  readonly #writer: WriterThread<PostJob, PostAnswer>;
  readonly #clock: Clock;
  readonly #listeners = new CommitListeners();
  readonly #posts = new PostRate();
  readonly #distribution = new Distribution(this);
  readonly #listener: PostgresListener;
  readonly #looking: NodeJS.Timeout;

  private constructor(parts: {
    readonly reader: PostgresConnection;
    readonly writer: WriterThread<PostJob, PostAnswer>;
    readonly clock: Clock;
    readonly databaseUrl: string;
  }) {
    this.reader = parts.reader;
    this.#writer = parts.writer;
    this.#clock = parts.clock;
    this.#listener = new PostgresListener({
      url: parts.databaseUrl,
      channel: FEED_CHANNEL,
      onNotice: this.#listeners.notify,
    });
    this.#looking = setInterval(this.#listeners.notify, LOOK_EVERY_MS).unref();
  }

  /** @throws DatabaseError when the server cannot be reached, or is not fit */
  static async open(options: PostgresStoreOptions): Promise<PostgresNotificationStore> {
    const { databaseUrl, clock, onFatal, onUpgrade, signal, watch } = options;
    await using opening = new AsyncDisposableStack();
    const workerData: PostgresWriterData = { url: databaseUrl };
    // The writer first: it makes the tables that everybody reads.
    const writer = await WriterThread.start<PostJob, PostAnswer>({
      module: new URL('./writer.ts', import.meta.url),
      workerData,
      onFatal,
      onUpgrade,
      signal,
      watch,
    });
    opening.defer(() => writer.close());
    const reader = await openConnections(databaseUrl);
    opening.move();
    return new PostgresNotificationStore({ reader, writer, clock, databaseUrl });
  }

  async post(post: Post, waited?: Waited): Promise<PostOutcome> {
    this.#posts.count();
    const job: PostJob = { kind: 'post', post, at: this.#clock.nowMs() };
    const given = await this.#writer.submit(job, weightOfPost(post), waited);
    this.#listeners.notify();
    return answerTo<PostAnswers, 'post'>('post', given);
  }

  async write(
    statements: readonly Sql[],
    options?: WriteOptions,
  ): Promise<readonly (readonly unknown[])[]> {
    const lock = movesFeed(statements) ? lockFeedHead : undefined;
    const rows = await writeAll(this.reader, { ...options, statements, lock });
    if (options?.mayBeLost !== true) this.#listeners.notify();
    return rows;
  }

  async change(change: PlannedChange): Promise<ChangeOutcome> {
    const outcome = await writePlanned(this.reader, { change, lock: lockFeedHead });
    this.#listeners.notify();
    return outcome;
  }

  distribute(): Promise<void> {
    return this.#distribution.run();
  }

  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  isBurst(): boolean {
    return this.#posts.isBurst();
  }

  tokenBucket(options: TokenBucketOptions): TokenBucket | undefined {
    return sharedTokenBucket(this.reader, options);
  }

  turn(name: string): Turn {
    return new LeasedTurn({ connection: this.reader, name });
  }

  abandon(): void {
    this.#writer.abandon();
    this.reader.abandon();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await this.#listener.close();
    await this.#writer.close();
    await this.reader.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
