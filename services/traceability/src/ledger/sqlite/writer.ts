// The writer thread of the ledger: opens the database, makes the genesis block when there is none,
// compares the tip with the record outside, then commits groups.
import { workerData } from 'node:worker_threads';
import { GENESIS_PREV_HASH, sealBlock } from '@lothub/chain';
import { instantText, systemClock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { sha256Hex } from '@lothub/kit/hash';
import { newSalt } from '@lothub/kit/secrets';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { readMigrations } from '@lothub/kit/migrations';
import { serveWriter } from '@lothub/kit/sqlite/writer-thread';
import type { Writer } from '@lothub/kit/sqlite/writer-thread';
import type { Tip } from '../draft.ts';
import { DERIVED_VERSION, rebuildDerived } from '../rebuild.ts';
import { SERVICE_NAME, sqliteSchemaFolder } from '../schema.ts';
import { TipRecordWriter, readTipRecord } from '../tip-record.ts';
import { findTipMismatch } from '../verify-tip.ts';
import { SqliteAppender } from './append.ts';
import { insertBlock, raiseAlarm, readTip } from './block-rows.ts';
import type { LedgerAnswer, LedgerJob, LedgerWriterData } from './jobs.ts';

function open(): Writer<LedgerJob, LedgerAnswer> {
  const options = workerData as LedgerWriterData;
  const connection = new SqliteConnection(options.file, 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME);
  ensureGenesis(connection, options.hubName);
  deriveAnew(connection);
  const tipDiffers = compareTip(connection, options.dataDir);
  const tipRecord = new TipRecordWriter(options.dataDir);
  const appender = new SqliteAppender({ connection, clock: systemClock });
  if (!tipDiffers) tipRecord.write(readTip(connection));
  return {
    connection,
    apply: (jobs) => {
      // Who writes takes the head, also for a hold: whoever comes next sees what it did.
      const appends = jobs.some((job) => job.kind !== 'write');
      if (appends) appender.begin();
      const done = jobs.map((job) => applyJob(appender, job));
      const tip = appends ? appender.end() : NO_TIP;
      return done.map((finish) => finish(tip));
    },
    committed: () => {
      const tip = appender.committed();
      // While a differing tip has not been accepted by an operator the record stays what it was:
      // it is the only witness of what was lost.
      if (tip !== undefined && !hasOpenTipAlarm(connection)) tipRecord.write(tip);
    },
    undone: () => {
      appender.undone();
    },
    idle: () => appender.idle(),
  };
}

/** Of a group that took no head; no answer of such a group names it. */
const NO_TIP: Tip = { height: -1, hash: '' };

/** Does one job of a group. @returns its answer, once the group's last block is known */
function applyJob(appender: SqliteAppender, job: LedgerJob): (tip: Tip) => LedgerAnswer {
  switch (job.kind) {
    case 'append': {
      const { outcomes } = appender.append(job.submission);
      return (tip) => ({ kind: 'append', answer: { outcomes, tip } });
    }
    case 'correct': {
      const done = appender.correct(job.submission);
      return (tip) => ({
        kind: 'correct',
        answer: 'kind' in done ? done : { kind: 'appended', ...done, tip },
      });
    }
    case 'hold': {
      const answer = appender.changeHold(job.change);
      return () => ({ kind: 'hold', answer });
    }
    case 'write': {
      const answer = appender.write(job.statements);
      return () => ({ kind: 'write', answer });
    }
  }
}

function ensureGenesis(connection: SqliteConnection, hubName: string): void {
  connection.transaction(() => {
    const row = connection.statement('select height from blocks limit 1').get();
    if (row !== undefined) return;
    if (connection.statement('select id from head').get() !== undefined) {
      throw new DatabaseError(
        'database_failed',
        'opening the ledger: there is a head but no block; restore a backup',
      );
    }
    const recordedAt = instantText(systemClock.nowMs());
    const payload = {
      hub: hubName,
      nonce: newSalt(),
      recorded_at: recordedAt,
      type: 'genesis',
      v: 1,
    };
    const block = sealBlock({
      height: 0,
      payloadText: JSON.stringify(payload),
      prevHash: GENESIS_PREV_HASH,
      hash: sha256Hex,
    });
    insertBlock(connection, block);
    connection
      .statement(
        'insert into head (id, height, hash, recorded_at, transactions, lots, tenants, ' +
          'derived_version) values (1, 0, ?, ?, 0, 0, 0, ?)',
      )
      .run(block.blockHash, recordedAt, DERIVED_VERSION);
  });
}

/**
 * Rows that an earlier version derived lack what this one reads: they are made anew, all or nothing.
 * @throws DatabaseError when the chain does not verify, from which nothing may be made
 */
function deriveAnew(connection: SqliteConnection): void {
  const row = connection.statement('select derived_version from head').get();
  if (Number(row?.['derived_version'] ?? DERIVED_VERSION) >= DERIVED_VERSION) return;
  try {
    rebuildDerived({ connection });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError('database_failed', `upgrading the derived rows: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Also for a chain that was begun just now: a record beside it says that there was another one.
 * @returns true, with an alarm raised, when the database ends before the record or differs there
 */
function compareTip(connection: SqliteConnection, dataDir: string): boolean {
  const reading = readTipRecord(dataDir);
  const recorded =
    reading.kind === 'read'
      ? connection.statement('select hash from blocks where height = ?').get(reading.tip.height)
      : undefined;
  const mismatch = findTipMismatch(reading, {
    lastHeight: readTip(connection).height,
    recordedHash: recorded === undefined ? undefined : String(recorded['hash']),
  });
  if (mismatch === undefined) return false;
  raiseAlarm(connection, { ...mismatch, foundAt: instantText(systemClock.nowMs()) });
  return true;
}

function hasOpenTipAlarm(connection: SqliteConnection): boolean {
  const row = connection
    .statement(
      'select 1 as found from chain_alarms where cleared_at is null ' +
        "and code in ('tail_missing', 'tip_differs', 'tip_changed', 'tip_record_missing', " +
        "'tip_record_unreadable') limit 1",
    )
    .get();
  return row !== undefined;
}

serveWriter(open);
