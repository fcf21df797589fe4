// The seam between the service and the engine of its ledger. `open-store.ts` picks the engine;
// everything above sees only this.
import type { DatabaseReader } from '@lothub/kit/database';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import type { RateLimit } from '@lothub/kit/http/rate-limit';
import type { Sql } from 'sql-template-tag';
import type { AppendAnswer, CorrectionAnswer, CorrectionSubmission, Submission } from './draft.ts';
import type { DecidedChange, DecidedOutcome } from './decisions/draft.ts';
import type { Turn } from '@lothub/kit/turn';
import type { SignedLog } from './log/signed-log.ts';
import type { ClockTrust } from './clock-trust.ts';
import type { VerifierSource } from './verifier-source.ts';

export type { Turn } from '@lothub/kit/turn';

/**
 * The place of the bytes of erased rows. `overwritten`: in no file of the database any more.
 * `pending`: in a log that has a reader; they are overwritten when it ends. `vacuum`: in dead rows
 * of a server's files, until its vacuum.
 */
export type ErasedBytes = 'overwritten' | 'pending' | 'vacuum';

/** The statements that delete private values, with the blocks that name the erased blocks. */
export type Erasure = Pick<DecidedChange, 'decisions' | 'statements'>;

/** One page of lots found by their text. */
export interface LotTextPage {
  /** Descending. A page may be empty although there are more. */
  readonly lotNos: readonly number[];
  /** Send it as `below` for the next page; null at the end. */
  readonly next: number | null;
}

/** Finds the lots of a tenant by a part of their search text; each engine has its own way. */
export interface LotTextSearch {
  /** @param query `text` as `searchable` of lot-text.ts makes it; `limit` bounds the work of a page */
  lotsWithText(query: {
    readonly tenantNo: number;
    readonly text: string;
    /** Only lots with smaller numbers. */
    readonly below: number;
    readonly limit: number;
  }): Promise<LotTextPage>;
}

/** The values that the clock of this machine is compared with. */
export interface ClockFacts {
  /** The time of the database server; undefined where there is none. */
  readonly databaseMs: number | undefined;
  /** `recorded_at` of the last block; undefined when it cannot be read. */
  readonly tipMs: number | undefined;
}

/** Finds blocks by the first digits of their hash; each engine has its own way. */
export interface HashSearch {
  /**
   * Heights of the first blocks whose hash starts with some hex digits, in the order of hashes.
   * @param search `prefix` in lower case
   */
  heightsWithPrefix(search: {
    readonly prefix: string;
    readonly limit: number;
  }): Promise<readonly number[]>;
}

export interface LedgerStore extends AsyncDisposable {
  /** Reads the newest committed state. */
  readonly reader: DatabaseReader;
  readonly lotSearch: LotTextSearch;
  readonly hashSearch: HashSearch;
  /** The worker with which the background verifier reads this store, on a connection of its own. */
  readonly verifierSource: VerifierSource;
  /** The log over the chain. */
  readonly log: SignedLog;
  /** The writer's trust in the clock; nothing is appended while the clock is not trusted. */
  readonly clockTrust: ClockTrust;
  clockFacts(): Promise<ClockFacts>;
  /**
   * Appends a submission; returns once it is on disk.
   * @throws DatabaseError `database_busy` (queue full), `database_full` (disk refuses),
   * `database_unsure` (as CommitUnknownError), `clock_untrusted`
   */
  append(submission: Submission): Promise<AppendAnswer>;
  /**
   * Appends corrections and applies them to the derived rows, except those whose event was corrected since
   * they were planned; returns once they are on disk.
   * @throws DatabaseError as `append`
   */
  correct(submission: CorrectionSubmission): Promise<CorrectionAnswer>;
  /** Does small writes beside the chain, all or none; returns the rows of each statement. */
  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
  /**
   * Writes a planned change, unless the state it was planned on has changed. Between the guard and
   * the end no process appends or makes another such change.
   * @throws DatabaseError as `append`
   */
  change(change: PlannedChange): Promise<ChangeOutcome>;
  /**
   * As `change`, with blocks of the decisions, sealed in the same transaction; the statements name
   * their heights by `sealedHeight`.
   * @throws DatabaseError as `append`
   */
  decide(change: DecidedChange): Promise<DecidedOutcome>;
  /**
   * As `write`, for rows that must not be recoverable: where the engine can do that, the deleted
   * bytes are overwritten, and no process appends or changes anything between the statements. The
   * decisions about the erasure are sealed in the same transaction; the statements name their
   * heights by `sealedHeight`.
   */
  erase(erasure: Erasure): Promise<readonly (readonly unknown[])[]>;
  /** Removes the erased bytes from the files, as far as this is possible now. */
  settleErased(): Promise<ErasedBytes>;
  /**
   * Counts requests for all processes that serve this store.
   * @param limit limits of different names count the same caller apart
   * @returns undefined when `perMinute` is 0: no limit at all
   */
  rateLimit(limit: {
    readonly name: string;
    readonly perMinute: number;
    /** Called once when counting for all processes is not possible for a while. */
    readonly onError: (error: unknown) => void;
  }): RateLimit | undefined;
  /** The turn for work that only one of the processes that serve this store does. */
  turn(name: string): Turn;
  /**
   * Only for a database that may not respond, at the end of the process: ends all waiting calls,
   * and refuses new ones.
   */
  abandon?(): void;
  close(): Promise<void>;
}
