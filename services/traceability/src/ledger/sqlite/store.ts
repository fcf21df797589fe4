// The ledger on SQLite: a read connection on the serving thread, one writer thread.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@lothub/kit/clock';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import { memoryRateLimit, type RateLimit } from '@lothub/kit/http/rate-limit';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import {
  STATEMENT_WEIGHT,
  WRITE_WEIGHT,
  changeJob,
  statementJob,
  weightOfChange,
  writeJob,
} from '@lothub/kit/sqlite/statement-jobs';
import { answerTo } from '@lothub/kit/writer/answers';
import { GROUP_WEIGHT_MAX } from '@lothub/kit/writer/queue';
import { WriterThread, type WriterWatch } from '@lothub/kit/writer/thread';
import { crossAppends } from '../append/crossing.ts';
import { weighJob } from '../append/jobs.ts';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { AppendAnswer, CorrectionAnswer, CorrectionSubmission, Submission } from '../draft.ts';
import { parseRecordedMs } from '../append/recorded-at.ts';
import { ClockTrust } from '../clock-trust.ts';
import type { DecidedChange, DecidedOutcome } from '../decisions/draft.ts';
import type { LogSettings } from '../log/log-identity.ts';
import type { SignedLog } from '../log/signed-log.ts';
import { NO_LOG, WriterLog } from '../log/writer-log.ts';
import type { ClockFacts, ErasedBytes, Erasure, LedgerStore } from '../store.ts';
import { ALONE_TURN, type Turn } from '@lothub/kit/turn';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { VerifierSource } from '../verifier-source.ts';
import { sqliteVerifier } from './verifier/source.ts';
import type { LedgerAnswer, LedgerAnswers, LedgerJob, LedgerWriterData } from './jobs.ts';
import { SqliteHashSearch } from './hash-search.ts';
import { SqliteLotSearch } from './lot-search.ts';

export const DATABASE_FILE_NAME = 'lothub.db';

export function databaseFile(dataDir: string): string {
  return join(dataDir, DATABASE_FILE_NAME);
}

/**
 * The time and the interval for attempts to truncate the log. After that time, the caller gets
 * `pending`.
 */
const SETTLE_PATIENCE_MS = 2_000;
const SETTLE_EVERY_MS = 25;
/** Interval of further attempts in the background. */
const SETTLE_LATER_MS = 1_000;

export interface SqliteStoreOptions extends UpgradeOptions {
  readonly dataDir: string;
  readonly hubName: string;
  readonly onFatal: (error: Error) => void;
  readonly watch?: WriterWatch | undefined;
  /** Undefined: the log is off. */
  readonly log?: LogSettings | undefined;
}

export class SqliteLedgerStore implements LedgerStore {
  readonly reader: SqliteConnection;
  readonly lotSearch: SqliteLotSearch;
  readonly hashSearch: SqliteHashSearch;
  readonly verifierSource: VerifierSource;
  readonly clockTrust: ClockTrust;
  readonly log: SignedLog;
  readonly #writerLog: WriterLog | undefined;
  readonly #writer: WriterThread<LedgerJob, LedgerAnswer>;
  #settlingLater: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(parts: {
    readonly reader: SqliteConnection;
    readonly writer: WriterThread<LedgerJob, LedgerAnswer>;
    readonly verifierSource: VerifierSource;
    readonly clockTrust: ClockTrust;
    readonly writerLog: WriterLog | undefined;
  }) {
    this.reader = parts.reader;
    this.lotSearch = new SqliteLotSearch(parts.reader);
    this.hashSearch = new SqliteHashSearch(parts.reader);
    this.verifierSource = parts.verifierSource;
    this.clockTrust = parts.clockTrust;
    this.log = parts.writerLog ?? NO_LOG;
    this.#writerLog = parts.writerLog;
    this.#writer = parts.writer;
  }

  static async open(options: SqliteStoreOptions): Promise<SqliteLedgerStore> {
    mkdirSync(options.dataDir, { recursive: true });
    const file = databaseFile(options.dataDir);
    const clockTrust = ClockTrust.begin(systemClock);
    const writerLog = options.log && new WriterLog(options.log);
    const workerData: LedgerWriterData = {
      file,
      dataDir: options.dataDir,
      hubName: options.hubName,
      clockTrust: clockTrust.shared,
      log: writerLog?.writerData,
    };
    const writer = await WriterThread.start<LedgerJob, LedgerAnswer>({
      module: new URL('./writer.ts', import.meta.url),
      crossing: crossAppends<LedgerJob, LedgerAnswer>(),
      workerData,
      transferList: writerLog && [writerLog.writerData.port],
      onFatal: options.onFatal,
      onUpgrade: options.onUpgrade,
      signal: options.signal,
      watch: options.watch,
    });
    await writerLog?.began;
    return new SqliteLedgerStore({
      reader: new SqliteConnection(file, 'read'),
      writer,
      verifierSource: sqliteVerifier(options.dataDir),
      clockTrust,
      writerLog,
    });
  }

  async clockFacts(): Promise<ClockFacts> {
    const head = await this.reader.first<{ readonly recordedAt: string }>(sql`
      select recorded_at as "recordedAt"
      from head`);
    return { databaseMs: undefined, tipMs: parseRecordedMs(head?.recordedAt ?? '') };
  }

  async append(submission: Submission): Promise<AppendAnswer> {
    const answer = await this.#submit('append', { kind: 'append', submission });
    this.#writerLog?.answered(answer.log?.checkpoint);
    return answer;
  }

  async correct(submission: CorrectionSubmission): Promise<CorrectionAnswer> {
    const answer = await this.#submit('correct', { kind: 'correct', submission });
    this.#writerLog?.answered(answer.log?.checkpoint);
    return answer;
  }

  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]> {
    return this.#submit('write', writeJob(statements));
  }

  async change(change: PlannedChange): Promise<ChangeOutcome> {
    return await this.decide({ ...change, decisions: [] });
  }

  decide({ decisions, ...change }: DecidedChange): Promise<DecidedOutcome> {
    return this.#submit('change', { ...changeJob(change), decisions });
  }

  erase({ decisions, statements }: Erasure): Promise<readonly (readonly unknown[])[]> {
    const jobs = statements.map(statementJob);
    return this.#submit('erase', { kind: 'erase', decisions, statements: jobs });
  }

  async settleErased(): Promise<ErasedBytes> {
    const deadline = performance.now() + SETTLE_PATIENCE_MS;
    do {
      if (await this.#submit('settle', { kind: 'settle' })) return 'overwritten';
      await sleep(SETTLE_EVERY_MS);
    } while (performance.now() < deadline);
    this.#settleLater();
    return 'pending';
  }

  /** Tries again later. After a crash the next start does it. */
  #settleLater(): void {
    if (this.#settlingLater !== undefined || this.#isClosed) return;
    this.#settlingLater = setTimeout(() => {
      this.#settlingLater = undefined;
      // A failure of the writer is reported to the next caller that writes.
      this.#submit('settle', { kind: 'settle' }).then(
        (isSettled) => (isSettled ? undefined : this.#settleLater()),
        () => this.#settleLater(),
      );
    }, SETTLE_LATER_MS);
    this.#settlingLater.unref();
  }

  /** One process serves the file, so it counts requests in its memory. */
  rateLimit({ perMinute }: { readonly perMinute: number }): RateLimit | undefined {
    return memoryRateLimit(perMinute);
  }

  turn(): Turn {
    return ALONE_TURN;
  }

  async #submit<Kind extends keyof LedgerAnswers>(
    kind: Kind,
    job: LedgerJob,
  ): Promise<LedgerAnswers[Kind]> {
    return answerTo<LedgerAnswers, Kind>(kind, await this.#writer.submit(job, weightOfJob(job)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#settlingLater);
    // The writer is closed last: closing the last connection empties the write-ahead log, which a connection
    // that only reads cannot do, and a log left behind would be replayed over a restored copy.
    await this.reader.close();
    await this.#writer.close();
    this.#writerLog?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function weightOfJob(job: LedgerJob): number {
  switch (job.kind) {
    case 'write':
      return WRITE_WEIGHT;
    case 'change':
      return weightOfChange(job);
    case 'erase':
      return job.statements.length * STATEMENT_WEIGHT;
    case 'settle':
      return GROUP_WEIGHT_MAX;
    default:
      return weighJob(job);
  }
}
