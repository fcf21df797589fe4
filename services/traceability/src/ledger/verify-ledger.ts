// Verifies a whole stored ledger, slice by slice: hashes and links of the blocks, the derived rows
// and private rows against their blocks, what must add up, and the tip against its record outside.
// The background verifier and `lothub verify` both go through here; nothing is ever changed.
import type { ChainPosition, VerificationDepth } from '@lothub/chain';
import { DatabaseError } from '@lothub/kit/database';
import { StoredChain } from './verify-chain.ts';
import type { StoredBlockRow } from './verify-chain.ts';
import { Findings } from './verify-mismatch.ts';
import type { LedgerMismatch } from './verify-mismatch.ts';
import { VerificationQueries } from './verify-queries.ts';
import type {
  EventRow,
  HeightRange,
  SliceRows,
  SnapshotReader,
  StrayRows,
} from './verify-queries.ts';
import { compareRows } from './verify-rows.ts';
import { findTipMismatch, readStable } from './verify-tip.ts';
import type { TipRecordSource } from './verify-tip.ts';
import { RoundTotals, findHeadMismatch, findTenantMismatches } from './verify-totals.ts';

export interface LedgerVerificationOptions {
  readonly reader: SnapshotReader;
  /** How much of each block is checked; `links` is enough to notice any change to sealed text. */
  readonly depth: VerificationDepth;
  /** `ledger`: blocks, all rows, totals and tip record. `blocks`: the blocks alone. */
  readonly scope: 'ledger' | 'blocks';
  readonly tipRecord: TipRecordSource;
}

export interface LedgerSlice {
  /**
   * `more`: call `advance` again. `complete`: everything up to the newest block was compared; later
   * calls follow the blocks appended since. `broken`: the chain does not hold, and nothing after
   * the last good block was looked at.
   */
  readonly status: 'more' | 'complete' | 'broken';
  readonly mismatches: readonly LedgerMismatch[];
  /** All that this slice found; the list is bounded. */
  readonly mismatchCount: number;
}

/** One line of an event costs about as much as one block; counts rows can lie, so each is bounded. */
const LINES_OF_EVENT_MAX = 1_000;

/** One round over the chain from genesis; afterwards it can follow the chain's growth. */
export class LedgerVerification {
  readonly #reader: SnapshotReader;
  readonly #queries: VerificationQueries;
  readonly #chain: StoredChain;
  readonly #scope: LedgerVerificationOptions['scope'];
  readonly #tipRecord: TipRecordSource;
  readonly #totals = new RoundTotals();
  #phase: 'blocks' | 'lots' | 'following' | 'broken' = 'blocks';
  /** Lots that the blocks must have shown by now, and how far they have been compared. */
  #lots: HeightRange = { after: Number.MIN_SAFE_INTEGER, through: Number.MIN_SAFE_INTEGER };
  /** Of the slice that goes on, or of one whose reading was cut short. */
  #findings = new Findings();
  /** Blocks still to be read one by one, to find the one whose rows cannot be read. */
  #oneByOne = 0;

  constructor(options: LedgerVerificationOptions) {
    this.#reader = options.reader;
    this.#queries = new VerificationQueries(options.reader);
    this.#chain = new StoredChain(options.depth);
    this.#scope = options.scope;
    this.#tipRecord = options.tipRecord;
  }

  /** The last block that was found good; height -1 before genesis. */
  get position(): ChainPosition {
    return this.#chain.position;
  }

  /**
   * Takes the next slice.
   *
   * @param rowsMax blocks and lines to compare at most; one event is never divided
   * @throws DatabaseError `database_busy`, `database_full`: call again later; what was found until
   *   then is in the next answer
   */
  async advance(rowsMax: number): Promise<LedgerSlice> {
    const findings = this.#findings;
    const status = await this.#step(rowsMax, findings);
    this.#findings = new Findings();
    return { status, mismatches: findings.list, mismatchCount: findings.count };
  }

  async #step(rowsMax: number, findings: Findings): Promise<LedgerSlice['status']> {
    if (this.#phase === 'broken') return 'broken';
    if (this.#phase === 'lots') return this.#compareLots(rowsMax, findings);
    const reached = await this.#reader.inSnapshot(() => this.#compareSlice(rowsMax, findings));
    if (reached !== 'tip') return reached;
    await this.#compareTipRecord(findings);
    if (this.#scope === 'blocks' || this.#phase === 'following') return 'complete';
    this.#phase = 'lots';
    return 'more';
  }

  /** Reads all rows of the slice before it judges any, so that a failed read leaves no half of it. */
  async #compareSlice(rowsMax: number, findings: Findings): Promise<'more' | 'tip' | 'broken'> {
    const budget = this.#oneByOne > 0 ? 1 : rowsMax;
    const read = await attempt(() => this.#readSlice(budget));
    if (read.kind === 'unreadable') {
      const nextHeight = this.position.height + 1;
      if (budget === 1) return this.#break(findings, unreadableRows(nextHeight, read.cause));
      this.#oneByOne = budget;
      return 'more';
    }
    this.#oneByOne = Math.max(0, this.#oneByOne - 1);
    const { range, blocks, rows } = read.value;
    const fault = this.#chain.verifyRows(blocks);
    const good =
      fault === undefined ? blocks : blocks.filter(({ height }) => height < fault.height);
    const foreign =
      rows === undefined
        ? undefined
        : compareRows({ blocks: good, rows, totals: this.#totals, findings });
    const broken = foreign ?? fault;
    if (broken !== undefined) return this.#break(findings, broken);
    if (blocks.length > 0 && this.position.height === range.through) return 'more';
    return await this.#compareEnd(blocks.length, findings);
  }

  async #readSlice(rowsMax: number): Promise<{
    readonly range: HeightRange;
    readonly blocks: readonly StoredBlockRow[];
    readonly rows: SliceRows | undefined;
  }> {
    const after = this.position.height;
    const longest = { after, through: after + rowsMax };
    if (this.#scope === 'blocks') {
      return { range: longest, blocks: await this.#queries.blocks(longest), rows: undefined };
    }
    // The events come first because they say how many lines there are to read.
    const nextEvents = await this.#queries.events(longest);
    const range = { after, through: lastHeightWithin(nextEvents, longest, rowsMax) };
    const events = nextEvents.filter((row) => row.height <= range.through);
    const blocks = await this.#queries.blocks(range);
    return { range, blocks, rows: { events, ...(await this.#queries.rows(range)) } };
  }

  /** The slice ended at the newest block of this snapshot: compares what must add up there. */
  async #compareEnd(blocksRead: number, findings: Findings): Promise<'tip' | 'broken'> {
    const { height, blockHash } = this.position;
    const anchored = await attempt(() => this.#queries.blockHashAt(height));
    if (anchored.kind === 'unreadable') {
      return this.#break(findings, unreadableRows(height + 1, anchored.cause));
    }
    const anchor = anchored.value;
    if (blocksRead === 0 && anchor.hash !== blockHash) {
      const missing = anchor.lastHeight + 1;
      return this.#break(findings, {
        height: Math.min(missing, Math.max(0, height)),
        code: anchor.hash === undefined ? 'tail_missing' : 'tip_differs',
        message: `block ${Math.max(0, height)} was verified and is not there any more`,
      });
    }
    if (anchor.lastHeight > height) {
      return this.#break(findings, {
        height: height + 1,
        code: 'height_gap',
        message: `block ${height + 1} is not there, but block ${anchor.lastHeight} is`,
      });
    }
    return this.#scope === 'ledger' ? await this.#compareTotals(findings) : 'tip';
  }

  async #compareTotals(findings: Findings): Promise<'tip' | 'broken'> {
    const { height, blockHash } = this.position;
    const read = await attempt(() => this.#readTotals(height));
    if (read.kind === 'unreadable') {
      return this.#break(findings, unreadableRows(height, read.cause));
    }
    const { head, tenants, stray, lastLotNo } = read.value;
    const headMismatch = findHeadMismatch(head, { height, blockHash }, this.#totals);
    // Without its tail nothing else adds up either, at heights that are not bad in themselves.
    if (headMismatch?.code === 'tail_missing') return this.#break(findings, headMismatch);
    if (headMismatch !== undefined) findings.add(headMismatch);
    for (const mismatch of findTenantMismatches(tenants, height, this.#totals)) {
      findings.add(mismatch);
    }
    for (const place of stray) findings.add(strayMismatch(place, height));
    if (lastLotNo !== undefined && this.#phase === 'blocks') {
      this.#lots = { ...this.#lots, through: lastLotNo };
    }
    return 'tip';
  }

  async #readTotals(tipHeight: number) {
    return {
      head: await this.#queries.head(),
      tenants: await this.#queries.tenants(),
      stray: await this.#queries.stray(tipHeight),
      lastLotNo: await this.#queries.lastLotNo(),
    };
  }

  /** The record is read before the chain: it is written after each commit, so it is never ahead. */
  async #compareTipRecord(findings: Findings): Promise<void> {
    if (this.#tipRecord === null) return;
    const reading = readStable(this.#tipRecord);
    if (reading === undefined) return;
    const height = reading.kind === 'read' ? reading.tip.height : this.position.height;
    const stored = await this.#reader.inSnapshot(() => this.#queries.blockHashAt(height));
    const mismatch = findTipMismatch(reading, {
      lastHeight: stored.lastHeight,
      recordedHash: stored.hash,
    });
    if (mismatch !== undefined) findings.add(mismatch);
  }

  /** Lots up to the last one at the tip must all have been seen; later ones have greater numbers. */
  async #compareLots(rowsMax: number, findings: Findings): Promise<'more' | 'complete' | 'broken'> {
    const read = await attempt(() => this.#queries.lots(this.#lots, rowsMax));
    if (read.kind === 'unreadable') {
      return this.#break(findings, unreadableRows(Math.max(0, this.position.height), read.cause));
    }
    for (const lot of read.value) {
      this.#lots = { ...this.#lots, after: lot.lot_no };
      if (this.#totals.seenLots.has(lot.lot_no)) continue;
      findings.add({
        height: Math.min(Math.max(0, lot.first_height), Math.max(0, this.position.height)),
        code: 'lot_row_extra',
        message: 'a lot is listed that no block names',
      });
    }
    if (read.value.length === rowsMax) return 'more';
    this.#phase = 'following';
    return 'complete';
  }

  #break(findings: Findings, mismatch: LedgerMismatch): 'broken' {
    this.#phase = 'broken';
    findings.add(mismatch);
    return 'broken';
  }
}

/** The height through which a slice reaches when it may hold so many rows; at least one block. */
function lastHeightWithin(
  events: readonly EventRow[],
  longest: HeightRange,
  rowsMax: number,
): number {
  let rows = 0;
  for (const { height, line_count } of events) {
    rows += Math.min(Math.max(1, line_count), LINES_OF_EVENT_MAX);
    if (rows > rowsMax) return Math.max(longest.after + 1, height - 1);
  }
  return longest.through;
}

function strayMismatch({ place, side }: StrayRows, tipHeight: number): LedgerMismatch {
  return {
    height: side === 'below' ? 0 : tipHeight + 1,
    code: STRAY_CODES[place],
    message: `${place} holds rows of heights ${side} the chain, where there is no block`,
  };
}

const STRAY_CODES: Readonly<Record<StrayRows['place'], LedgerMismatch['code']>> = {
  blocks: 'height_gap',
  events: 'event_row_extra',
  lines: 'line_row_extra',
  private_lines: 'private_row_extra',
  private_notes: 'private_row_extra',
  import_keys: 'import_key_extra',
};

type Attempt<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'unreadable'; readonly cause: DatabaseError };

/** Tells rows that cannot be read from a database that cannot be read just now. */
async function attempt<Value>(read: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { kind: 'read', value: await read() };
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'database_failed') {
      return { kind: 'unreadable', cause: error };
    }
    throw error;
  }
}

function unreadableRows(height: number, cause: DatabaseError): LedgerMismatch {
  return { height, code: 'unreadable', message: `rows of block ${height}: ${cause.message}` };
}
