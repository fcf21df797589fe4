// Keeps this process's record of the tip beside a PostgreSQL database, which others write to as well, may be
// restored to an older state, and may be replaced by a standby that lacks the last blocks. The record moves
// only from a block that is still stored. So each running process notices the loss of blocks that it has
// recorded.
import { mkdirSync } from 'node:fs';
import { instantText, type Clock } from '@lothub/kit/clock';
import { inList } from '@lothub/kit/in-list';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { insertRow } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Tip } from '../draft.ts';
import { CHAIN_ALARMS } from '../tables/off-chain.ts';
import { TipRecordWriter, readTipRecord, type TipRecordReading } from '../tip-record.ts';
import { TIP_MISMATCH_CODES, type LedgerMismatch } from '../verify/mismatch.ts';
import { readStable } from '@lothub/kit/record-file';
import { findTipMismatch } from '../verify/tip.ts';

/**
 * Interval of comparisons with the record: the longest time that a loss stays unnoticed while there
 * are no writes.
 */
const LOOK_EVERY_MS = 500;
/** Commits of other processes in between are looked at no more often than this. */
const LOOK_AGAIN_AFTER_MS = 20;

export interface TipFollowerOptions {
  /** The folder of the record; made when it does not exist. */
  readonly dataDir: string;
  /** The database that is written to: a standby may be behind what was recorded. */
  readonly database: PostgresConnection;
  readonly clock: Clock;
  /** Called when the record could not be compared or written. It is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export class TipFollower implements AsyncDisposable {
  readonly #options: TipFollowerOptions;
  readonly #record: TipRecordWriter;
  readonly #timer: NodeJS.Timeout;
  /** The timer of the next look, if a commit has planned one. */
  #soon: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /**
   * An alarm about the tip is open, or was when it was looked for last. The record then stays what it
   * is: it is the only witness of what was lost.
   */
  #alarmed = false;
  #closed = false;

  private constructor(options: TipFollowerOptions) {
    this.#options = options;
    mkdirSync(options.dataDir, { recursive: true });
    this.#record = new TipRecordWriter(options.dataDir);
    this.#timer = setInterval(() => void this.#lookSafely(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Compares once, before anything can be written, and then at intervals.
   * @throws DatabaseError when the database cannot be read
   */
  static async open(options: TipFollowerOptions): Promise<TipFollower> {
    const follower = new TipFollower(options);
    try {
      await follower.look();
    } catch (error) {
      await follower.close();
      throw error;
    }
    return follower;
  }

  /** An alarm about the tip was open when it was looked for last. */
  get isAlarmed(): boolean {
    return this.#alarmed;
  }

  /**
   * Call it for each commit of this process, before its answer is sent. A commit that follows the
   * recorded block, or finds no record, is recorded at once. A commit that follows one of another
   * process is recorded a moment later, when both were found in the chain.
   *
   * @param commit `before`: the head that it was built on; `tip`: its last block
   */
  committed(commit: { readonly before: Tip; readonly tip: Tip }): void {
    if (this.#alarmed || this.#closed) return;
    try {
      const reading = readTipRecord(this.#options.dataDir);
      const isNext = reading.kind === 'read' && isSameTip(reading.value, commit.before);
      if (isNext || reading.kind === 'absent') {
        this.#record.write(commit.tip);
        return;
      }
    } catch (error) {
      this.#options.onFailure(error);
    }
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.#lookSafely();
    }, LOOK_AGAIN_AFTER_MS);
    this.#soon.unref();
  }

  /**
   * Compares the record with the chain: moves it to the tip, raises an alarm if its block is
   * missing, or writes the tip if an operator has accepted the chain.
   * @throws DatabaseError when the database cannot be read
   */
  look(): Promise<void> {
    this.#looking ??= this.#compare().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#looking?.catch(this.#options.onFailure);
    this.#record[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #lookSafely(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  async #compare(): Promise<void> {
    // The record is read before the chain, which only grows: so the record is never ahead of it.
    const reading = readStable(() => readTipRecord(this.#options.dataDir));
    if (reading === undefined) return;
    const chain = await this.#readChain(reading);
    if (this.#closed) return;
    if (chain.isAlarmed) {
      this.#alarmed = true;
      return;
    }
    // If an alarm is not open any more, an operator has cleared it. A process without a record begins here;
    // any number of processes may.
    const isAccepted = this.#alarmed || reading.kind === 'absent';
    const mismatch = isAccepted ? undefined : findTipMismatch(reading, chain);
    if (mismatch !== undefined) return await this.#raiseAlarm(mismatch);
    this.#alarmed = false;
    if (chain.tip !== undefined && (isAccepted || this.#isNews(chain.tip))) {
      this.#record.write(chain.tip);
    }
  }

  /** A commit of this process may have been recorded while the chain was read. */
  #isNews(tip: Tip): boolean {
    const reading = readTipRecord(this.#options.dataDir);
    return reading.kind !== 'read' || reading.value.height < tip.height;
  }

  /** A crash at any place leaves the record as it was: the next look finds the same. */
  async #raiseAlarm({ height, code, message }: LedgerMismatch): Promise<void> {
    const { database, clock } = this.#options;
    const found_at = instantText(clock.nowMs());
    await database.all(insertRow(CHAIN_ALARMS, { height, code, message, found_at }));
    // Set after the alarm is stored: without a stored alarm it would look as if an operator had
    // cleared it.
    this.#alarmed = true;
  }

  /** Reads all values in one statement, so that they are of one moment. */
  async #readChain(reading: TipRecordReading): Promise<ChainAtRecord> {
    const recordedHeight = reading.kind === 'read' ? reading.value.height : NO_HEIGHT;
    const row = await this.#options.database.first<ChainRow>(sql`
      select
        (select height from blocks order by height desc limit 1) as last_height,
        (select hash from blocks order by height desc limit 1) as last_hash,
        (select hash from blocks where height = ${recordedHeight}) as recorded_hash,
        (select count(*) from chain_alarms
         where cleared_at is null and code in (${inList(TIP_MISMATCH_CODES)})) as alarms`);
    const { last_height: height, last_hash: hash } = row ?? NO_BLOCKS;
    return {
      lastHeight: height ?? NO_HEIGHT,
      tip: height === null || hash === null ? undefined : { height, hash },
      recordedHash: row?.recorded_hash ?? undefined,
      isAlarmed: (row?.alarms ?? 0) > 0,
    };
  }
}

/** A height that no block has. */
const NO_HEIGHT = -1;
const NO_BLOCKS = { last_height: null, last_hash: null };

interface ChainRow {
  readonly last_height: number | null;
  readonly last_hash: string | null;
  readonly recorded_hash: string | null;
  readonly alarms: number;
}

interface ChainAtRecord {
  readonly lastHeight: number;
  /** The last block; undefined when there is none. */
  readonly tip: Tip | undefined;
  /** Hash of the block at the record's height. */
  readonly recordedHash: string | undefined;
  readonly isAlarmed: boolean;
}

function isSameTip(a: Tip, b: Tip): boolean {
  return a.height === b.height && a.hash === b.hash;
}
