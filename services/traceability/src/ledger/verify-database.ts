// The operator's full verification of the local database (`lothub verify`): everything the background
// verifier checks, block contents and the database file besides. The only way to clear an alarm.
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { SqliteConnection, asDatabaseError } from '@lothub/kit/sqlite/connection';
import sql from 'sql-template-tag';
import type { Tip } from './draft.ts';
import { databaseFile } from './sqlite/store.ts';
import { TipRecordWriter, readTipRecord } from './tip-record.ts';
import { LedgerVerification } from './verify-ledger.ts';
import { Findings, firstBadHeight } from './verify-mismatch.ts';
import type { LedgerMismatch } from './verify-mismatch.ts';
import { sqliteSnapshots } from './verify-sqlite.ts';

/** Blocks and lines of one slice; progress is told after each. */
const ROWS_PER_SLICE = 1_000;

export interface VerificationProgress {
  /** Last block found good. */
  readonly height: number;
  /** Height of the last block when the verification began. */
  readonly total: number;
}

export interface VerifyDatabaseOptions {
  /** The folder with the database and the tip record (`DATA_DIR`). */
  readonly dataDir: string;
  readonly clock: Clock;
  /**
   * `compare`: the chain must hold the block that the tip record names. `accept`: it need not; when
   * all else is sound the chain as it is becomes the recorded one. For an operator who has restored
   * a backup on purpose.
   */
  readonly tip: 'compare' | 'accept';
  readonly onProgress?: (progress: VerificationProgress) => void;
}

export interface VerificationReport {
  /** Nothing is wrong; open alarms that were raised before the verification are cleared now. */
  readonly ok: boolean;
  /** Blocks found good, genesis included. */
  readonly blocks: number;
  /** The last block found good; null when not even genesis is. */
  readonly head: Tip | null;
  /** First height that is not as it was sealed; null when all are. */
  readonly firstBad: number | null;
  /** Bounded; `mismatchCount` counts all. */
  readonly mismatches: readonly LedgerMismatch[];
  readonly mismatchCount: number;
  readonly alarmsCleared: number;
  readonly elapsedMs: number;
}

/**
 * Verifies while the service runs or while it does not. Reads only, but for what an `ok` report
 * clears, which is one short write.
 *
 * @throws DatabaseError when the database is not there, cannot be opened, or stays busy
 */
export async function verifyDatabase(options: VerifyDatabaseOptions): Promise<VerificationReport> {
  const { dataDir, clock, tip, onProgress } = options;
  const startedMs = clock.nowMs();
  const file = databaseFile(dataDir);
  if (!existsSync(file)) {
    throw new DatabaseError('database_failed', `verifying ${file}: there is no such file`);
  }
  await using connection = openToRead(file);
  // Alarms raised while the verification runs are not its to clear.
  const lastAlarm = await lastAlarmId(connection);
  const total = await lastHeight(connection);
  const verification = new LedgerVerification({
    reader: sqliteSnapshots(connection),
    depth: 'contents',
    scope: 'ledger',
    tipRecord: tip === 'compare' ? () => readTipRecord(dataDir) : null,
  });
  const findings = new Findings();
  let mismatchCount = 0;
  let status: 'more' | 'complete' | 'broken' = 'more';
  while (status === 'more') {
    const slice = await verification.advance(ROWS_PER_SLICE);
    ({ status } = slice);
    mismatchCount += slice.mismatchCount;
    for (const mismatch of slice.mismatches) findings.add(mismatch);
    onProgress?.({ height: verification.position.height, total });
    // Signals and the drawing of progress get their turn.
    await setImmediate();
  }
  const { height, blockHash } = verification.position;
  const damage = findStorageDamage(connection, Math.max(0, height));
  if (damage !== undefined) {
    findings.add(damage);
    mismatchCount += 1;
  }
  const ok = mismatchCount === 0;
  const head = height < 0 ? null : { height, hash: blockHash };
  if (ok && tip === 'accept' && head !== null) rewriteTipRecord(dataDir, head);
  return {
    ok,
    blocks: height + 1,
    head,
    firstBad: firstBadHeight(findings.list),
    mismatches: [...findings.list].sort((a, b) => a.height - b.height),
    mismatchCount,
    alarmsCleared: ok ? await clearAlarms(file, lastAlarm, instantText(clock.nowMs())) : 0,
    elapsedMs: clock.nowMs() - startedMs,
  };
}

/** A file whose schema is damaged cannot even be opened. */
function openToRead(file: string): SqliteConnection {
  try {
    return new SqliteConnection(file, 'read');
  } catch (error) {
    throw asDatabaseError(error, `verifying ${file}`);
  }
}

/**
 * SQLite's own check of the file: pages, column constraints, and each index against its table. The
 * faster quick_check leaves the indexes out, and a wrong one hides events from whoever looks for
 * them.
 */
function findStorageDamage(
  connection: SqliteConnection,
  height: number,
): LedgerMismatch | undefined {
  let first: string;
  try {
    const row = connection.statement('pragma integrity_check(1)').get();
    first = String(row?.['integrity_check']);
  } catch (error) {
    first = error instanceof Error ? error.message : String(error);
  }
  if (first === 'ok') return undefined;
  return { height, code: 'storage_damaged', message: `the database file is damaged: ${first}` };
}

/**
 * Written before the alarms are cleared. A crash in between leaves the new record and open alarms,
 * which the next verification clears.
 */
function rewriteTipRecord(dataDir: string, tip: Tip): void {
  using record = new TipRecordWriter(dataDir);
  record.write(tip);
}

async function clearAlarms(file: string, lastId: number, clearedAt: string): Promise<number> {
  if (lastId === 0) return 0;
  await using connection = new SqliteConnection(file, 'write');
  const { changes } = connection
    .statement('update chain_alarms set cleared_at = ? where cleared_at is null and id <= ?')
    .run(clearedAt, lastId);
  return Number(changes);
}

/** 0 when no alarm is open. */
async function lastAlarmId(connection: SqliteConnection): Promise<number> {
  const row = await connection.first<{ id: number }>(
    sql`select id from chain_alarms where cleared_at is null order by id desc limit 1`,
  );
  return row?.id ?? 0;
}

/** -1 without any block. */
async function lastHeight(connection: SqliteConnection): Promise<number> {
  const row = await connection.first<{ height: number }>(
    sql`select height from blocks order by height desc limit 1`,
  );
  return row?.height ?? -1;
}
