// Makes the derived rows of a ledger again from its blocks: events, lines, lots and their rows,
// corrections, tenants, the counters of the head and the import keys. On a sound ledger this
// changes nothing.
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { at } from '@lothub/kit/present';
import { insertRow, selectList } from '@lothub/kit/rows/stored-table';
import type { UpgradeProgress } from '@lothub/kit/upgrade';
import { inList } from '@lothub/kit/in-list';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { DerivedRows } from '../append/derived-rows.ts';
import { findCorrectionTarget } from '../append/correction-rows.ts';
import type { GroupRows } from '../append/group-rows.ts';
import { buildGroupKey } from '../record/group-key.ts';
import type { Caller, Tip } from '../draft.ts';
import { findPayload, isDecisionPayload } from '../record/payload-shape.ts';
import { fitsEvent } from '../record/effective.ts';
import { clearDecided, rowsOfDecision } from '../decisions/kinds.ts';
import { SealingWalk } from '../decisions/existing/marker.ts';
import type {
  CorrectionPayload,
  DecisionPayload,
  EventPayload,
  Payload,
} from '../record/payload.ts';
import { isRecalled } from '../recalled.ts';
import { acceptCut } from './accept-cut.ts';
import { RebuildRefused, refuseCutTail, refuseStrayLots } from './refused.ts';
import { auditBlockRow, decisionRow, firstHead } from '../rows-of-blocks.ts';
import { DERIVED_TABLES, PRIVATE_TABLES } from '../tables/all.ts';
import { AUDIT_BLOCKS } from '../tables/audit.ts';
import { HEAD } from '../tables/chain.ts';
import { PRIVATE_DECISIONS, type PrivateDecisionRow } from '../tables/private.ts';
import { openedBy } from '../decisions/opened.ts';
import { LOG_TILES } from '../tables/log.ts';
import { readSharedSizes, readSignedHeads } from '../log/epochs/signed-heads.ts';
import type { LogRecordReading } from '../log/log-record.ts';
import { TreeWalk } from '../log/tree-walk.ts';
import type { TipRecordReading } from '../tip-record.ts';
import { StoredChain, type StoredBlockRow } from '../verify/chain.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import { VerificationQueries } from '../verify/queries.ts';
import type { HeightRange } from '../verify/snapshot-reader.ts';

/** Deletes every derived row but import keys, and those that refer to others before the others. */
export const DELETE_DERIVED = DERIVED_TABLES.map(({ name }) => `delete from ${name}`)
  .toReversed()
  .join('; ');

/**
 * Derives the columns of lots about holds and recalls from the rows of holds and cases, after these
 * are made.
 */
export const STATE_AGAIN = `
  update lots set on_hold = 0
  where on_hold = 1 and lot_no not in (select lot_no from lot_holds where released_at is null);
  update lots set on_hold = 1
  where lot_no in (select lot_no from lot_holds where released_at is null);
  update lots set recalled = 1
  where ${isRecalled(raw('lots.lot_no')).sql};`;

/** Blocks in memory at once; of the largest events they take some 50 MB. */
const BLOCKS_PER_SLICE = 200;

export interface RebuildProgress {
  /** Height of the last block whose rows are made; -1 before the first one. */
  readonly height: number;
  /** Height of the last block. */
  readonly total: number;
}

/** A block with the payload that its text carries. */
export interface ReadBlock {
  readonly height: number;
  readonly blockHash: string;
  readonly canonical: string;
  readonly payload: Payload;
}

/** The writers of the rows of a slice of blocks. */
export interface RebuildRows {
  readonly rows: GroupRows;
  readonly derived: DerivedRows;
}

/** The functions that a rebuild needs from the engine. */
export interface RebuildLedger {
  /** Runs `work` in one transaction; whatever it throws undoes all of it. */
  inTransaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reads inside of the transaction. */
  readonly all: DatabaseReader['all'];
  /** Deletes every derived row but import keys (`DELETE_DERIVED`), and what indexes them. */
  deleteDerived(): Promise<void>;
  /** Reads all rows that are needed to make the rows of these blocks. */
  load(blocks: readonly ReadBlock[]): Promise<RebuildRows>;
  /** Deletes the import keys of a range. @returns the heights that had one */
  takeImportKeys(range: HeightRange): Promise<ReadonlySet<number>>;
  /** Writes all rows that were added since the last `load`. */
  flush(): Promise<void>;
  /** Makes lots say again whether they are on hold or recalled, and deletes import keys beyond the chain. */
  finish(lastHeight: number): Promise<void>;
}

export interface RebuildOptions {
  /** The service must not be writing: it would wait out the whole rebuild. */
  readonly ledger: RebuildLedger;
  /**
   * `compare`: a chain that ends before the block that was sealed last is refused, by the record of
   * the tip, or without a record by the stored head. `accept`: an operator has given up the blocks
   * after the last one, and private values that opened them are deleted; if entries of the audit
   * name any of these blocks, a new entry records that. Without it the chain is accepted as it is.
   */
  readonly tip?:
    | { readonly kind: 'compare'; readonly record: () => TipRecordReading }
    | { readonly kind: 'accept'; readonly by: Caller; readonly clock: Clock };
  /**
   * Reads the head that the log signed last, if the rows are rebuilt for the machine that signed
   * it. A chain that does not contain its tree, or another signed tree that is kept, is refused.
   */
  readonly logRecord?: () => LogRecordReading | undefined;
  readonly onProgress?: (progress: RebuildProgress) => void;
}

/**
 * Verifies the chain and rebuilds in one transaction: a crash or a refusal leaves everything as it
 * was. Alarms stay open until `lothub verify` passes. Private values are not derived and stay.
 *
 * @returns the tip that the rows were made for
 * @throws RebuildRefused when the chain does not verify, or is not whole
 * @throws DatabaseError `database_busy` when another process is writing
 */
export async function rebuildDerived(options: RebuildOptions): Promise<Tip> {
  const { ledger, tip: expected } = options;
  return await ledger.inTransaction(async () => {
    const queries = buildQueries(ledger);
    const { lastHeight: total } = await queries.blockHashAt(0);
    options.onProgress?.({ height: -1, total });
    // Checked before the head is deleted, which is the last witness if there is no record of the
    // tip.
    if (expected?.kind === 'compare') await refuseCutTail(queries, expected.record);
    await ledger.deleteDerived();
    for (const statement of clearDecided()) await ledger.all(statement);
    await ledger.all(insertRow(HEAD, firstHead({ hash: '', recordedAt: '', frontier: undefined })));
    const tip = await insertDerived(options, { queries, total });
    await refuseStrayLots(ledger, tip.height);
    await ledger.finish(tip.height);
    if (expected?.kind === 'accept') {
      await forgetLostBlocks(ledger, tip.height);
      await acceptCut(ledger, tip, expected);
    }
    return tip;
  });
}

/**
 * Deletes rows of lost blocks, which would collide with those of later blocks at the same heights.
 */
async function forgetLostBlocks({ all }: RebuildLedger, tipHeight: number): Promise<void> {
  for (const { name } of PRIVATE_TABLES) {
    await all(sql`
      delete from ${raw(name)}
      where height > ${tipHeight}`);
  }
  await all(sql`
    delete from postings
    where first_height > ${tipHeight}`);
  await all(sql`
    delete from private_recipients
    where notification_id not in (select notification_id from recall_notifications)`);
  // What lost blocks added to open cases is to be found again, and later blocks get the heights of the lost ones.
  await all(sql`
    update recall_progress
    set followed_height = coalesce(
      (select min(opened_height) from recall_cases where ended_at is null),
      ${tipHeight}
    )`);
}

function buildQueries({ all }: RebuildLedger): VerificationQueries {
  return new VerificationQueries({ all, inSnapshot: (work) => work() });
}

/** Another process has rebuilt the rows while this one waited for the head. */
export class DerivedAlready extends Error {}

/**
 * Rows that an earlier version derived lack columns that this version reads: all of them are
 * rebuilt, or none.
 * @throws DatabaseError when the chain does not verify, so that no rows may be made from it
 */
export async function upgradeDerived(
  ledger: RebuildLedger,
  onUpgrade: (progress: UpgradeProgress) => void,
): Promise<void> {
  // Until the ledger is locked, the progress of another process is unknown.
  onUpgrade({ step: 'rows', place: undefined });
  try {
    await rebuildDerived({
      ledger,
      onProgress: ({ height, total }) =>
        onUpgrade({ step: 'rows', place: { done: height + 1, total: total + 1 } }),
    });
  } catch (error) {
    if (error instanceof DerivedAlready) return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError('database_failed', `upgrading the derived rows: ${reason}`, {
      cause: error,
    });
  }
}

async function insertDerived(
  { ledger, onProgress, logRecord }: RebuildOptions,
  { queries, total }: { readonly queries: VerificationQueries; readonly total: number },
): Promise<Tip> {
  const chain = new StoredChain({ depth: 'contents' });
  const tree = new TreeWalk(logRecord?.() ?? { kind: 'absent' });
  if (logRecord !== undefined) tree.expect(await readSignedHeads(ledger));
  const sealing = new SealingWalk();
  for (;;) {
    const after = chain.position.height;
    const range = { after, through: after + BLOCKS_PER_SLICE };
    const stored = await queries.blocks(range);
    const fault = chain.verifyRows(stored);
    if (fault !== undefined) throw new RebuildRefused(fault);
    const last = stored.at(-1);
    if (last === undefined) break;
    const blocks = stored.map(getPayload);
    const imported = await ledger.takeImportKeys(range);
    const { rows, derived } = await ledger.load(blocks);
    derived.begin();
    for (const block of blocks) {
      if (hasDecision(block)) sealing.take(block.height, block.payload.decision);
      insertBlockRows({ rows, derived, imported }, block);
      for (const tile of tree.take(block.blockHash)) await ledger.all(insertRow(LOG_TILES, tile));
    }
    derived.end({
      height: last.height,
      hash: last.blockHash,
      recordedAt: at(blocks, blocks.length - 1).payload.recorded_at,
      frontier: tree.frontier,
    });
    await ledger.flush();
    for (const statement of auditRows(blocks)) await ledger.all(statement);
    for (const statement of await decidedRows(ledger, blocks)) await ledger.all(statement);
    onProgress?.({ height: last.height, total });
  }
  const { height, blockHash } = chain.position;
  if (height < total || height < 0) throw new RebuildRefused(gapAfter(height));
  const [mismatch] = tree.findMismatches(await readSharedSizes(ledger));
  if (mismatch !== undefined) throw new RebuildRefused(mismatch);
  await ledger.all(sealing.statement);
  return { height, hash: blockHash };
}

function getPayload({ height, blockHash, canonical }: StoredBlockRow): ReadBlock {
  const payload = findPayload(canonical);
  if (payload === undefined) {
    const message = `block ${height} has a text that was never sealed here`;
    throw new RebuildRefused({ height, code: 'payload_unreadable', message });
  }
  return { height, blockHash, canonical, payload };
}

function insertBlockRows(
  deps: {
    readonly rows: GroupRows;
    readonly derived: DerivedRows;
    readonly imported: ReadonlySet<number>;
  },
  { height, payload }: ReadBlock,
): void {
  const { rows, derived, imported } = deps;
  switch (payload.type) {
    case 'genesis':
      break;
    case 'event':
      derived.insertEvent({ height, tenantId: payload.brand, event: payload.event });
      if (imported.has(height)) insertImportKey(derived, height, payload);
      break;
    case 'correction':
      insertCorrection(rows, derived, height, payload);
      break;
    case 'audit':
      break;
    default:
      rows.chain.insertDecision(decisionRow(height, payload));
  }
}

function auditRows(blocks: readonly ReadBlock[]): readonly Sql[] {
  return blocks.flatMap(({ height, payload }) =>
    payload.type === 'audit' ? [insertRow(AUDIT_BLOCKS, auditBlockRow(height, payload))] : [],
  );
}

/**
 * Returns the statements of the decisions in some blocks; they run after the rows of all of these
 * blocks are made.
 */
async function decidedRows(
  { all }: RebuildLedger,
  blocks: readonly ReadBlock[],
): Promise<readonly Sql[]> {
  const decisions = blocks.filter(hasDecision);
  if (decisions.length === 0) return [];
  const opened = openedBy(
    await all<PrivateDecisionRow>(sql`
      select ${selectList(PRIVATE_DECISIONS)}
      from private_decisions
      where height in (${inList(decisions.map(({ height }) => height))})`),
  );
  return decisions.flatMap(({ height, payload }) => {
    const { brand, decision, type } = payload;
    return rowsOfDecision(type, { height, brand, decision, opened: opened.get(height) ?? {} });
  });
}

function hasDecision(block: ReadBlock): block is ReadBlock & { readonly payload: DecisionPayload } {
  return isDecisionPayload(block.payload);
}

/** @throws RebuildRefused when the block corrects nothing that can be corrected */
function insertCorrection(
  rows: GroupRows,
  derived: DerivedRows,
  height: number,
  payload: CorrectionPayload,
): void {
  const { correction } = payload;
  const target = findCorrectionTarget(rows.chain, correction.corrects_block_height);
  if (
    correction.corrects_block_height >= height ||
    target === undefined ||
    target.brand !== payload.brand ||
    !fitsEvent(correction, target.effective.event)
  ) {
    const message = `block ${height} corrects nothing that can be corrected`;
    throw new RebuildRefused({ height, code: 'correction_invalid', message });
  }
  derived.insertCorrection({ height, target, correction });
}

/**
 * Only the import keys say which events were imported, so the heights come from the old rows; the
 * keys are derived.
 */
function insertImportKey(derived: DerivedRows, height: number, payload: EventPayload): void {
  if (payload.event.external_id !== undefined) return;
  derived.insertGroupKey(payload.brand, buildGroupKey(payload.event), height);
}

function gapAfter(height: number): LedgerMismatch {
  return {
    height: height + 1,
    code: 'height_gap',
    message: `block ${height + 1} is not there`,
  };
}
