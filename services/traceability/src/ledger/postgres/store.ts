// The ledger on PostgreSQL: a pool for reads and small writes on the serving thread, one writer thread
// in each process.
import { mkdirSync } from 'node:fs';
import { systemClock } from '@lothub/kit/clock';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { sharedRateLimit } from '@lothub/kit/postgres/shared-rate-limit';
import type { SharedRateLimitOptions } from '@lothub/kit/postgres/shared-rate-limit';
import { writeAll, writeBehind, writePlanned } from '@lothub/kit/postgres/small-writes';
import type { RateLimit } from '@lothub/kit/http/rate-limit';
import { StandbyReader } from '@lothub/kit/postgres/standby-reader';
import { answerTo } from '@lothub/kit/writer/answers';
import { WriterThread, type WriterWatch } from '@lothub/kit/writer/thread';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { crossAppends } from '../append/crossing.ts';
import { weighJob, type HeadAnswer, type HeadAnswers, type HeadJob } from '../append/jobs.ts';
import type { AppendAnswer, CorrectionAnswer, CorrectionSubmission, Submission } from '../draft.ts';
import { readHeights } from '../read.ts';
import { parseRecordedMs } from '../append/recorded-at.ts';
import { ClockTrust } from '../clock-trust.ts';
import type { LogSettings } from '../log/log-identity.ts';
import type { SignedLog } from '../log/signed-log.ts';
import { NO_LOG, WriterLog } from '../log/writer-log.ts';
import type {
  ClockFacts,
  ErasedBytes,
  Erasure,
  HashSearch,
  LedgerStore,
  LotTextSearch,
} from '../store.ts';
import type { Turn } from '@lothub/kit/turn';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { VerifierSource } from '../verifier-source.ts';
import { LeasedTurn } from '@lothub/kit/postgres/leased-turn';
import { PostgresLotSearch } from './lot-search.ts';
import { DecisionSealing, takeHeadToDecide } from './decide.ts';
import type { DecidedChange, DecidedOutcome } from '../decisions/draft.ts';
import { lockHead } from './take-head.ts';
import { postgresVerifier } from './verifier/source.ts';
import type { PostgresWriterData } from './writer.ts';

/**
 * Queries go through an index whatever their values are (test/contract/plans.test.ts), so each is
 * planned once for a connection. Otherwise the server prefers plans for known values, and made
 * those of a lot's blocks again for each call, in half a millisecond.
 */
const READER_SETTINGS = { plan_cache_mode: 'force_generic_plan' };

/**
 * Settings for one transaction: every statement of a change finds its rows by their keys. With
 * missing or old statistics the server would read a whole table instead, with the head locked: an
 * opening of a case took 13 s on a hub whose 100,000 sales had just been recorded.
 */
const PLANNED_BY_KEYS = `
  set local enable_hashjoin = off;
  set local enable_mergejoin = off;
  set local enable_seqscan = off`;

export interface PostgresStoreOptions extends UpgradeOptions {
  readonly databaseUrl: string;
  /** A standby that answers reads as soon as it is not behind. */
  readonly databaseReadUrl?: string | undefined;
  /** Holds the record of the tip. */
  readonly dataDir: string;
  readonly hubName: string;
  readonly onFatal: (error: Error) => void;
  readonly watch?: WriterWatch | undefined;
  /** Undefined: the log is off. */
  readonly log?: LogSettings | undefined;
}

export class PostgresLedgerStore implements LedgerStore {
  readonly reader: DatabaseReader;
  readonly lotSearch: LotTextSearch;
  readonly hashSearch: HashSearch;
  readonly verifierSource: VerifierSource;
  readonly clockTrust: ClockTrust;
  readonly log: SignedLog;
  readonly #writerLog: WriterLog | undefined;
  readonly #primary: PostgresConnection;
  readonly #writer: WriterThread<HeadJob, HeadAnswer>;

  private constructor(parts: {
    readonly primary: PostgresConnection;
    readonly reader: DatabaseReader;
    readonly writer: WriterThread<HeadJob, HeadAnswer>;
    readonly verifierSource: VerifierSource;
    readonly clockTrust: ClockTrust;
    readonly writerLog: WriterLog | undefined;
  }) {
    this.#primary = parts.primary;
    this.#writer = parts.writer;
    this.reader = parts.reader;
    this.lotSearch = new PostgresLotSearch(parts.reader);
    this.hashSearch = buildHashSearch(parts.reader);
    this.verifierSource = parts.verifierSource;
    this.clockTrust = parts.clockTrust;
    this.log = parts.writerLog ?? NO_LOG;
    this.#writerLog = parts.writerLog;
  }

  /** @throws DatabaseError when the server cannot be reached, or is not fit to hold a ledger */
  static async open(options: PostgresStoreOptions): Promise<PostgresLedgerStore> {
    const {
      databaseUrl: url,
      databaseReadUrl,
      dataDir,
      hubName,
      onFatal,
      onUpgrade,
      signal,
      watch,
    } = options;
    mkdirSync(dataDir, { recursive: true });
    await using opening = new AsyncDisposableStack();
    const clockTrust = ClockTrust.begin(systemClock);
    const writerLog = options.log && opening.use(new WriterLog(options.log));
    const workerData: PostgresWriterData = {
      url,
      dataDir,
      hubName,
      clockTrust: clockTrust.shared,
      log: writerLog?.writerData,
    };
    // The writer starts first: it makes the tables.
    const writer = await WriterThread.start<HeadJob, HeadAnswer>({
      module: new URL('./writer.ts', import.meta.url),
      crossing: crossAppends<HeadJob, HeadAnswer>(),
      workerData,
      transferList: writerLog && [writerLog.writerData.port],
      onFatal,
      onUpgrade,
      signal,
      watch,
    });
    opening.defer(() => writer.close());
    await writerLog?.began;
    const primary = opening.use(
      await PostgresConnection.open(url, { pipeline: true, settings: READER_SETTINGS }),
    );
    const reader =
      databaseReadUrl === undefined
        ? primary
        : opening.use(standbyReader(primary, databaseReadUrl));
    const verifierSource = postgresVerifier(url);
    opening.move();
    return new PostgresLedgerStore({
      primary,
      reader,
      writer,
      verifierSource,
      clockTrust,
      writerLog,
    });
  }

  /** Reads the clock of the primary server: a standby has a clock of its own. */
  async clockFacts(): Promise<ClockFacts> {
    const row = await this.#primary.first<{
      readonly recordedAt: string | null;
      readonly databaseMs: number;
    }>(sql`
      select
        (select recorded_at from head) as "recordedAt",
        cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as "databaseMs"`);
    return { databaseMs: row?.databaseMs, tipMs: parseRecordedMs(row?.recordedAt ?? '') };
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
    return writeAll(this.#primary, { statements });
  }

  /**
   * Writes a change. The head's row is locked after the prepared rows are written, so that neither
   * this process's writer nor another process writes in between.
   */
  change(change: PlannedChange): Promise<ChangeOutcome> {
    return writePlanned(this.#primary, { change, lock: lockHead, settings: PLANNED_BY_KEYS });
  }

  async decide(change: DecidedChange): Promise<DecidedOutcome> {
    const sealing = new DecisionSealing(change, this.clockTrust);
    const outcome = await writeBehind(this.#primary, {
      change,
      read: takeHeadToDecide,
      listStatements: (taken) => sealing.statementsBehind(taken),
      ...{ lock: lockHead, settings: PLANNED_BY_KEYS },
    });
    return outcome.kind === 'stale' ? outcome : sealing.toOutcome(outcome.rows);
  }

  /** The server overwrites nothing: what is deleted is a dead row until its vacuum. */
  async erase(erasure: Erasure): Promise<readonly (readonly unknown[])[]> {
    const outcome = await this.decide({ ...erasure, guard: sql`select id from head where id = 1` });
    if (outcome.kind === 'done') return outcome.rows;
    throw new DatabaseError('database_failed', 'erasing: the ledger has no head');
  }

  settleErased(): Promise<ErasedBytes> {
    return Promise.resolve('vacuum');
  }

  rateLimit(limit: SharedRateLimitOptions): RateLimit | undefined {
    return sharedRateLimit(this.#primary, limit);
  }

  turn(name: string): Turn {
    return new LeasedTurn({ connection: this.#primary, name });
  }

  async #submit<Kind extends keyof HeadAnswers>(
    kind: Kind,
    job: HeadJob,
  ): Promise<HeadAnswers[Kind]> {
    return answerTo<HeadAnswers, Kind>(kind, await this.#writer.submit(job, weighJob(job)));
  }

  abandon(): void {
    this.#writer.abandon();
    if (this.reader instanceof StandbyReader) this.reader.abandon();
    this.#primary.abandon();
  }

  async close(): Promise<void> {
    await this.#writer.close();
    if (this.reader !== this.#primary) await this.reader.close();
    await this.#primary.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Hex digits of a hash that its index holds, as in the schema. */
const INDEXED_DIGITS = 12;

/**
 * Searches by the index of the first digits; the few blocks found are sorted by their whole hashes.
 */
export function buildHashSearch(reader: DatabaseReader): HashSearch {
  return {
    heightsWithPrefix: ({ prefix, limit }) => {
      const digits = prefix.slice(0, INDEXED_DIGITS);
      return readHeights(
        reader,
        sql`
          select height
          from blocks
          where left(hash, 12) >= ${digits}
            and left(hash, 12) <= ${digits.padEnd(INDEXED_DIGITS, 'f')}
            and starts_with(hash, ${prefix})
          order by left(hash, 12), hash
          limit ${limit}`,
      );
    },
  };
}

/** The store opens without the standby, too: the primary answers until the standby can be reached. */
function standbyReader(primary: PostgresConnection, url: string): StandbyReader {
  const standby = PostgresConnection.openLater(url, {
    pipeline: true,
    settings: READER_SETTINGS,
  });
  return new StandbyReader({ primary, standby });
}
