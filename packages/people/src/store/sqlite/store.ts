// The store of people on SQLite: a read connection on the serving thread, one writer thread.
import { mkdirSync } from 'node:fs';
import { memoryTokenBucket } from '@lothub/kit/http/token-bucket';
import type { TokenBucket, TokenBucketOptions } from '@lothub/kit/http/token-bucket';
import { CommitWatch } from '@lothub/kit/sqlite/commit-watch';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import {
  WRITE_WEIGHT,
  changeJob,
  weightOfChange,
  writeJob,
} from '@lothub/kit/sqlite/statement-jobs';
import { ALONE_TURN, type Turn } from '@lothub/kit/turn';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { answerTo } from '@lothub/kit/writer/answers';
import { CommitListeners } from '@lothub/kit/writer/commit-listeners';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import { WriterThread } from '@lothub/kit/writer/thread';
import type { Sql } from 'sql-template-tag';
import type { PeopleStore } from '../store.ts';
import { databaseFile } from './file.ts';
import type { SqliteWriterData, StoreAnswer, StoreAnswers, StoreJob } from './jobs.ts';

export interface SqliteStoreOptions extends UpgradeOptions {
  readonly dataDir: string;
  readonly onFatal: (error: Error) => void;
}

export class SqlitePeopleStore implements PeopleStore {
  readonly reader: SqliteConnection;
  readonly #writer: WriterThread<StoreJob, StoreAnswer>;
  readonly #listeners = new CommitListeners();
  readonly #watch: CommitWatch;

  private constructor(parts: {
    readonly reader: SqliteConnection;
    readonly writer: WriterThread<StoreJob, StoreAnswer>;
  }) {
    this.reader = parts.reader;
    this.#writer = parts.writer;
    this.#watch = new CommitWatch(this.reader, this.#listeners.notify);
  }

  static async open(options: SqliteStoreOptions): Promise<SqlitePeopleStore> {
    mkdirSync(options.dataDir, { recursive: true });
    const file = databaseFile(options.dataDir);
    const workerData: SqliteWriterData = { file };
    const writer = await WriterThread.start<StoreJob, StoreAnswer>({
      module: new URL('./writer.ts', import.meta.url),
      workerData,
      onFatal: options.onFatal,
      onUpgrade: options.onUpgrade,
      signal: options.signal,
    });
    return new SqlitePeopleStore({ reader: new SqliteConnection(file, 'read'), writer });
  }

  async write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]> {
    const given = await this.#writer.submit(writeJob(statements), WRITE_WEIGHT);
    this.#listeners.notify();
    return answerTo<StoreAnswers, 'write'>('write', given);
  }

  async change(change: PlannedChange): Promise<ChangeOutcome> {
    const job = changeJob(change);
    const given = await this.#writer.submit(job, weightOfChange(job));
    this.#listeners.notify();
    return answerTo<StoreAnswers, 'change'>('change', given);
  }

  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** One process serves the file, so its memory is where requests are counted. */
  tokenBucket(options: TokenBucketOptions): TokenBucket | undefined {
    return memoryTokenBucket(options);
  }

  turn(): Turn {
    return ALONE_TURN;
  }

  async close(): Promise<void> {
    this.#watch[Symbol.dispose]();
    // The writer last: closing the last connection empties the write-ahead log, which a connection that
    // only reads cannot do, and a log left behind would be replayed over a restored copy.
    await this.reader.close();
    await this.#writer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
