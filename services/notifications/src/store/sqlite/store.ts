// The store on SQLite: a read connection on the serving thread, one writer thread.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@lothub/kit/clock';
import type { ChangeOutcome, PlannedChange, WriteOptions } from '@lothub/kit/writer/planned-change';
import { CommitWatch } from '@lothub/kit/sqlite/commit-watch';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import {
  WRITE_WEIGHT,
  changeJob,
  weightOfChange,
  writeJob,
} from '@lothub/kit/sqlite/statement-jobs';
import { memoryTokenBucket } from '@lothub/kit/http/token-bucket';
import type { TokenBucket, TokenBucketOptions } from '@lothub/kit/http/token-bucket';
import { ALONE_TURN, type Turn } from '@lothub/kit/turn';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { answerTo } from '@lothub/kit/writer/answers';
import { GROUP_WEIGHT_MAX } from '@lothub/kit/writer/queue';
import { WriterThread, type Waited, type WriterWatch } from '@lothub/kit/writer/thread';
import type { Sql } from 'sql-template-tag';
import { CommitListeners } from '@lothub/kit/writer/commit-listeners';
import { databaseFile as peopleFile } from '@lothub/people/store/sqlite/file';
import { weightOfPost } from '../jobs.ts';
import type { Post, PostOutcome } from '../post.ts';
import { Distribution } from '../distribution.ts';
import { PostRate } from '../post-rate.ts';
import { PEOPLE_NAMESPACE } from '../schema.ts';
import type { ErasedBytes, NotificationStore } from '../store.ts';
import { NOTE_ERASING } from './erased-bytes.ts';
import type { SqliteWriterData, StoreAnswer, StoreAnswers, StoreJob } from './jobs.ts';

export const DATABASE_FILE_NAME = 'notifications.db';

export function databaseFile(dataDir: string): string {
  return join(dataDir, DATABASE_FILE_NAME);
}

/** The database of people exists already: the caller opens it before this one. */
export interface SqliteStoreOptions extends UpgradeOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly onFatal: (error: Error) => void;
  readonly watch?: WriterWatch | undefined;
}

export class SqliteNotificationStore implements NotificationStore {
  readonly reader: SqliteConnection;
  readonly erasedBytes: ErasedBytes = {
    note: NOTE_ERASING,
    settle: () => this.#submit('settle', { kind: 'settle' }),
  };
  readonly #writer: WriterThread<StoreJob, StoreAnswer>;
  readonly #clock: Clock;
  readonly #listeners = new CommitListeners();
  readonly #posts = new PostRate();
  readonly #distribution = new Distribution(this);
  readonly #watch: CommitWatch;

  private constructor(parts: {
    readonly reader: SqliteConnection;
    readonly writer: WriterThread<StoreJob, StoreAnswer>;
    readonly clock: Clock;
  }) {
    this.reader = parts.reader;
    this.#writer = parts.writer;
    this.#clock = parts.clock;
    this.#watch = new CommitWatch(this.reader, this.#listeners.notify);
  }

  static async open(options: SqliteStoreOptions): Promise<SqliteNotificationStore> {
    mkdirSync(options.dataDir, { recursive: true });
    const file = databaseFile(options.dataDir);
    const people = peopleFile(options.dataDir);
    const workerData: SqliteWriterData = { file, people };
    const writer = await WriterThread.start<StoreJob, StoreAnswer>({
      module: new URL('./writer.ts', import.meta.url),
      workerData,
      onFatal: options.onFatal,
      onUpgrade: options.onUpgrade,
      signal: options.signal,
      watch: options.watch,
    });
    const reader = new SqliteConnection(file, 'read');
    reader.attach(PEOPLE_NAMESPACE, people);
    return new SqliteNotificationStore({ reader, writer, clock: options.clock });
  }

  post(post: Post, waited?: Waited): Promise<PostOutcome> {
    this.#posts.count();
    return this.#submit('post', { kind: 'post', post, at: this.#clock.nowMs() }, waited);
  }

  write(
    statements: readonly Sql[],
    options?: WriteOptions,
  ): Promise<readonly (readonly unknown[])[]> {
    return this.#submit('write', writeJob(statements, options));
  }

  change(change: PlannedChange): Promise<ChangeOutcome> {
    return this.#submit('change', changeJob(change));
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

  /** One process serves the file, so its memory is where requests are counted. */
  tokenBucket(options: TokenBucketOptions): TokenBucket | undefined {
    return memoryTokenBucket(options);
  }

  turn(): Turn {
    return ALONE_TURN;
  }

  async #submit<Kind extends keyof StoreAnswers>(
    kind: Kind,
    job: StoreJob,
    waited?: Waited,
  ): Promise<StoreAnswers[Kind]> {
    const given = await this.#writer.submit(job, weighJob(job), waited);
    if (job.kind !== 'write' || !job.mayBeLost) this.#listeners.notify();
    return answerTo<StoreAnswers, Kind>(kind, given);
  }

  async close(): Promise<void> {
    this.#watch[Symbol.dispose]();
    // The writer last: closing the last connection empties the write-ahead log, which a connection
    // that only reads cannot do, and a log left behind would be replayed over a restored copy.
    await this.reader.close();
    await this.#writer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function weighJob(job: StoreJob): number {
  switch (job.kind) {
    case 'post':
      return weightOfPost(job.post);
    case 'write':
      return WRITE_WEIGHT;
    case 'change':
      return weightOfChange(job);
    case 'settle':
      return GROUP_WEIGHT_MAX;
  }
}
