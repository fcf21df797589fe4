// Makes the derived rows of a SQLite ledger anew from its blocks: events, lines, lots with all that
// belongs to them, corrections, tenants, the counters of the head and the content of the import keys.
// On a sound ledger nothing changes by it.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { contentKeyOf } from './content-key.ts';
import type { Tip } from './draft.ts';
import { findPayload } from './payload-shape.ts';
import { fitsEvent } from './effective.ts';
import type { CorrectionPayload, EventPayload } from './payload.ts';
import { findCorrectionTarget } from './sqlite/correction-rows.ts';
import { DerivedRows } from './sqlite/derived-rows.ts';
import { StoredChain, selectBlocks } from './verify-chain.ts';
import type { StoredBlockRow } from './verify-chain.ts';
import type { LedgerMismatch } from './verify-mismatch.ts';

/** Which way of deriving rows this is. Rows of an older one are made anew when a ledger is opened. */
export const DERIVED_VERSION = 2;

/** Blocks in memory at once; of the largest events they take some 50 MB. */
const BLOCKS_PER_SLICE = 200;

/** The blocks themselves do not verify, so nothing may be made from them; nothing was changed. */
export class RebuildRefused extends Error {
  readonly code = 'rebuild_refused';
  readonly mismatch: LedgerMismatch;

  constructor(mismatch: LedgerMismatch) {
    super(
      `rebuilding needs a chain that verifies, and ${mismatch.message}: restore a backup, ` +
        'then run `lothub verify`',
    );
    this.name = 'RebuildRefused';
    this.mismatch = mismatch;
  }
}

export interface RebuildProgress {
  readonly height: number;
  /** Height of the last block. */
  readonly total: number;
}

export interface RebuildOptions {
  /** A write connection; the service must not be writing, it would wait out the whole rebuild. */
  readonly connection: SqliteConnection;
  readonly onProgress?: (progress: RebuildProgress) => void;
}

/**
 * Verifies the chain and rebuilds in one transaction: a crash or a refusal leaves everything as it
 * was. Alarms stay open until `lothub verify` passes. Private values are not derived and stay.
 *
 * @returns the tip that the rows were made for
 * @throws RebuildRefused when the chain does not verify
 * @throws DatabaseError `database_busy` when another process is writing
 */
export function rebuildDerived(options: RebuildOptions): Tip {
  const { connection } = options;
  return connection.transaction(() => {
    // Rows of other tables may point at the rows that are made anew with the same numbers.
    connection.database.exec('pragma defer_foreign_keys = on');
    const rows = new DerivedRows(connection);
    deleteDerived(connection, rows);
    const tip = insertDerived(options, rows);
    connection.database.exec(HOLD_AGAIN);
    return tip;
  });
}

/** Holds are not derived; whether a lot is on hold follows from them. */
const HOLD_AGAIN = `
  update lots set on_hold = 1
  where lot_no in (select lot_no from lot_holds where released_at is null)`;

function deleteDerived(connection: SqliteConnection, rows: DerivedRows): void {
  rows.lots.search.clear();
  connection.database.exec(`
    delete from lot_texts;
    delete from lot_mentions;
    delete from lot_quantities;
    delete from provenances;
    delete from corrections;
    delete from lines;
    delete from events;
    delete from lots;
    delete from tenants;
    delete from head;
    insert into head (id, height, hash, recorded_at, transactions, lots, tenants, derived_version)
    values (1, 0, '', '', 0, 0, 0, ${DERIVED_VERSION});`);
}

function insertDerived(options: RebuildOptions, rows: DerivedRows): Tip {
  const { connection, onProgress } = options;
  const total = lastHeight(connection);
  const chain = new StoredChain('contents');
  for (;;) {
    const after = chain.position.height;
    const blocks = connection.allNow<StoredBlockRow>(
      selectBlocks({ after, through: after + BLOCKS_PER_SLICE }),
    );
    const fault = chain.verifyRows(blocks);
    if (fault !== undefined) throw new RebuildRefused(fault);
    const last = blocks.at(-1);
    if (last === undefined) break;
    rows.begin();
    let recordedAt = '';
    for (const block of blocks) recordedAt = insertBlockRows(connection, rows, block);
    rows.end({ height: last.height, hash: last.blockHash, recordedAt });
    onProgress?.({ height: last.height, total });
  }
  const { height, blockHash } = chain.position;
  if (height < total || height < 0) throw new RebuildRefused(gapAfter(height));
  connection.statement('delete from import_keys where height < 0 or height > ?').run(height);
  return { height, hash: blockHash };
}

/** @returns the time that the block carries */
function insertBlockRows(
  connection: SqliteConnection,
  rows: DerivedRows,
  block: StoredBlockRow,
): string {
  const { height } = block;
  const payload = findPayload(block.canonical);
  if (payload === undefined) {
    const message = `block ${height} has a text that was never sealed here`;
    throw new RebuildRefused({ height, code: 'payload_unreadable', message });
  }
  const hadImportKey = deleteImportKey(connection, height);
  switch (payload.type) {
    case 'genesis':
      break;
    case 'event':
      rows.insertEvent({ height, tenantId: payload.brand, event: payload.event });
      if (hadImportKey) insertImportKey(rows, height, payload);
      break;
    case 'correction':
      insertCorrection(connection, rows, height, payload);
      break;
  }
  return payload.recorded_at;
}

/** @throws RebuildRefused when the block corrects nothing that can be corrected */
function insertCorrection(
  connection: SqliteConnection,
  rows: DerivedRows,
  height: number,
  payload: CorrectionPayload,
): void {
  const { correction } = payload;
  const target = findCorrectionTarget(connection, correction.corrects_block_height);
  if (
    correction.corrects_block_height >= height ||
    target === undefined ||
    target.brand !== payload.brand ||
    !fitsEvent(correction, target.effective.event)
  ) {
    const message = `block ${height} corrects nothing that can be corrected`;
    throw new RebuildRefused({ height, code: 'correction_invalid', message });
  }
  rows.insertCorrection({ height, target, correction });
}

/** That an event was imported stands nowhere else, so the rows say which; the content is derived. */
function insertImportKey(rows: DerivedRows, height: number, payload: EventPayload): void {
  if (payload.event.external_id !== undefined) return;
  rows.insertContentKey(payload.brand, contentKeyOf(payload.event), height);
}

/** @returns true when there was one */
function deleteImportKey(connection: SqliteConnection, height: number): boolean {
  const { changes } = connection.statement('delete from import_keys where height = ?').run(height);
  return Number(changes) > 0;
}

function lastHeight(connection: SqliteConnection): number {
  const row = connection.statement('select height from blocks order by height desc limit 1').get();
  return row === undefined ? -1 : Number(row['height']);
}

function gapAfter(height: number): LedgerMismatch {
  return {
    height: height + 1,
    code: 'height_gap',
    message: `block ${height + 1} is not there`,
  };
}
