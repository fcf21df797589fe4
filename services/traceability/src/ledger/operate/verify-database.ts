// The operator's full verification of a hub's database (`lothub verify`): everything the background verifier
// checks, block contents and the storage besides. Only this verification clears an alarm.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { VerificationDepth } from '@lothub/chain';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Tip } from '../draft.ts';
import { openOperated } from './open-operated.ts';
import type { LedgerPlace, OperatedDatabase } from '../operated-database.ts';
import { readLogRecord } from '../log/log-record.ts';
import { TipRecordWriter, readTipRecord } from '../tip-record.ts';
import { HOLDING_CODES, WITNESS_FINDING_CODES, firstBadHeight } from '../verify/mismatch.ts';
import type { HoldingCode, LedgerMismatch } from '../verify/mismatch.ts';
import type { TipRecordSource } from '../verify/tip.ts';
import { walkLedger, type VerificationProgress } from './walk-ledger.ts';

/** `dataDir` holds the tip record with either engine. */
export interface VerifyDatabaseOptions extends LedgerPlace {
  readonly clock: Clock;
  /**
   * `compare`: the chain must contain the block that the tip record names. `accept`: it need not;
   * if everything else is sound, the chain becomes the recorded one. An operator who has restored a
   * backup on purpose chooses it.
   */
  readonly tip: 'compare' | 'accept';
  /**
   * `links`: hashes and links of the blocks, and the tip record; no row beside the blocks, nothing that others
   * found, and no alarm is cleared. `contents`, when not given: everything.
   */
  readonly depth?: VerificationDepth;
  /** Compares what is decided above the ledger; called when the blocks and their rows are sound. */
  readonly findMore?: (database: DatabaseReader) => Promise<readonly LedgerMismatch[]>;
  /**
   * Called when everything is sound, before anything is accepted or cleared. If it throws, nothing
   * is.
   * @returns the number of alarms that it has cleared itself
   */
  readonly onSound?: (sound: SoundLedger) => Promise<number>;
  readonly onProgress?: (progress: VerificationProgress) => void;
}

/** A ledger that was verified. */
export interface SoundLedger {
  readonly database: OperatedDatabase;
  readonly tip: Tip;
}

export interface VerificationReport {
  /**
   * True if nothing is wrong; a full verification has then cleared the open alarms from before it.
   */
  readonly ok: boolean;
  readonly depth: VerificationDepth;
  /** Blocks found good, genesis included. */
  readonly blocks: number;
  /**
   * Number of these blocks that have a later format: only hash, link and canonical form were
   * checked.
   */
  readonly contentsNotJudged: number;
  /** The last block found good; null when not even genesis is. */
  readonly head: Tip | null;
  /** First height that is not as it was sealed; null if there is none. */
  readonly firstBad: number | null;
  /** Bounded; `mismatchCount` counts all. */
  readonly mismatches: readonly LedgerMismatch[];
  readonly mismatchCount: number;
  readonly alarmsCleared: number;
  readonly elapsedMs: number;
}

/**
 * Verifies, whether the service runs or not. It only reads, except that an `ok` report clears
 * alarms, in one short write.
 *
 * @throws DatabaseError when the database does not exist, cannot be opened, or stays busy
 */
export async function verifyDatabase(options: VerifyDatabaseOptions): Promise<VerificationReport> {
  const { dataDir, clock, tip, depth = 'contents' } = options;
  const isWhole = depth === 'contents';
  const startedMs = clock.nowMs();
  await using database = await openOperated(options);
  // This verification does not clear alarms that are raised while it runs.
  const lastAlarm = await lastAlarmId(database.reader);
  const { findings, position, contentsNotJudged, damage, ...walked } = await walkLedger({
    database,
    depth,
    tipRecord: tip === 'compare' ? chooseTipRecord(dataDir, database) : null,
    logRecord: tip === 'compare' ? () => readLogRecord(dataDir) : undefined,
    isCutAccepted: tip === 'accept',
    total: await lastHeight(database.reader),
    onProgress: options.onProgress,
  });
  const { height, blockHash } = position;
  let { mismatchCount } = walked;
  const others = (isWhole && tip === 'compare' ? await foundByOthers(database) : []).filter(
    ({ code, height: at }) =>
      !findings.list.some((found) => found.code === code && found.height === at),
  );
  const isSound = isWhole && mismatchCount === 0;
  const more = isSound ? ((await options.findMore?.(database.reader)) ?? []) : [];
  for (const mismatch of [...(damage === undefined ? [] : [damage]), ...others, ...more]) {
    findings.add(mismatch);
    mismatchCount += 1;
  }
  const ok = mismatchCount === 0;
  const head = height < 0 ? null : { height, hash: blockHash };
  let alarmsCleared = 0;
  if (ok && isWhole && head !== null) {
    alarmsCleared += (await options.onSound?.({ database, tip: head })) ?? 0;
    if (tip === 'accept') rewriteTipRecord(dataDir, database, head);
  }
  if (ok && isWhole)
    alarmsCleared += await clearAlarms(database, lastAlarm, instantText(clock.nowMs()));
  return {
    ok,
    depth,
    blocks: height + 1,
    contentsNotJudged,
    head,
    firstBad: firstBadHeight(findings.list),
    mismatches: [...findings.list].sort((a, b) => a.height - b.height),
    mismatchCount,
    alarmsCleared,
    elapsedMs: clock.nowMs() - startedMs,
  };
}

/** If several processes keep a record each, the machine of the operator may have none. */
function chooseTipRecord(dataDir: string, database: OperatedDatabase): TipRecordSource {
  if (database.witnesses === 'several' && readTipRecord(dataDir).kind === 'absent') return null;
  return () => readTipRecord(dataDir);
}

/**
 * Returns findings that no verification here can disprove, and only an operator can accept: those
 * of other processes by their own records, which cannot be read from here, and those of witnesses.
 */
async function foundByOthers({
  witnesses,
  reader,
}: OperatedDatabase): Promise<readonly LedgerMismatch[]> {
  const codes = witnesses === 'one' ? WITNESS_FINDING_CODES : HOLDING_CODES;
  return await reader.all<LedgerMismatch & { readonly code: HoldingCode }>(sql`
    select height, code, message
    from chain_alarms
    where cleared_at is null and code in (${inList(codes)})
    order by id`);
}

/**
 * Written before the alarms are cleared. A crash in between leaves the new record and open alarms,
 * which the next verification clears.
 */
function rewriteTipRecord(dataDir: string, database: OperatedDatabase, tip: Tip): void {
  // Without a record, this is not the machine of a process that keeps one.
  if (database.witnesses === 'several' && readTipRecord(dataDir).kind === 'absent') return;
  using record = new TipRecordWriter(dataDir);
  record.write(tip);
}

async function clearAlarms(
  database: OperatedDatabase,
  lastId: number,
  clearedAt: string,
): Promise<number> {
  if (lastId === 0) return 0;
  const [cleared] = await database.write([
    sql`update chain_alarms set cleared_at = ${clearedAt}
      where cleared_at is null and id <= ${lastId}
      returning id`,
  ]);
  return cleared?.length ?? 0;
}

/** 0 when no alarm is open. */
async function lastAlarmId(reader: DatabaseReader): Promise<number> {
  const row = await reader.first<{ id: number }>(
    sql`select id from chain_alarms where cleared_at is null order by id desc limit 1`,
  );
  return row?.id ?? 0;
}

/** -1 without any block. */
async function lastHeight(reader: DatabaseReader): Promise<number> {
  const row = await reader.first<{ height: number }>(
    sql`select height from blocks order by height desc limit 1`,
  );
  return row?.height ?? -1;
}
