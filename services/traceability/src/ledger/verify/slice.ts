// Reads the next slice of a ledger: blocks, and all rows that belong to their heights.
import { CorrectionHistories, type BlockText, type ListedCorrection } from './rows/histories.ts';
import type { StoredBlockRow } from './chain.ts';
import type { VerificationQueries } from './queries.ts';
import type { HeightRange } from './snapshot-reader.ts';
import type { CorrectionRow, EventRow, SliceRows } from './rows/stored-rows.ts';

export interface LedgerSliceRows {
  /** Heights that the slice covers; the chain may end before. */
  readonly range: HeightRange;
  readonly blocks: readonly StoredBlockRow[];
  /** Undefined when only blocks are wanted. */
  readonly rows: SliceRows | undefined;
}

/**
 * Lines that an event is expected to have at least. The rows of events that do not fit are read again with the next
 * slice, so with one line expected most events were read twice. Of events with one line a slice has half as many.
 */
const LINES_OF_EVENT = 2;
/** Maximum weight of one event: the stored number of its lines may be wrong. */
const WEIGHT_OF_EVENT_MAX = 1_000;

/**
 * @param options `rowsMax`: blocks and lines to read at most; no event is divided. `end`: the last height to
 *   read, if not all are to be
 */
export async function readSlice(
  queries: VerificationQueries,
  options: {
    readonly after: number;
    readonly rowsMax: number;
    readonly end?: number;
    readonly scope: 'ledger' | 'blocks';
  },
): Promise<LedgerSliceRows> {
  const { after, rowsMax, scope } = options;
  const blocksMax = scope === 'blocks' ? rowsMax : Math.ceil(rowsMax / LINES_OF_EVENT);
  const longest = { after, through: Math.min(after + blocksMax, options.end ?? Infinity) };
  if (scope === 'blocks') {
    const blocks = await queries.blocks(longest);
    return { range: longest, blocks, rows: undefined };
  }
  // These two come first because they say how much there is to read.
  const nextEvents = await queries.events(longest);
  const nextCorrections = await queries.corrections(longest);
  const through = lastHeightWithin(weighEvents(nextEvents, nextCorrections), longest, rowsMax);
  const range = { after, through };
  const corrections = nextCorrections.filter((row) => row.height <= through);
  const blocks = await queries.blocks(range);
  const rows: SliceRows = {
    events: nextEvents.filter((row) => row.height <= through),
    corrections,
    lines: await queries.lines(range),
    provenances: await queries.provenances(range),
    decisions: await queries.decisions(range),
    auditBlocks: await queries.auditBlocks(range),
    decided: await queries.decided(range),
    erased: await queries.erased(range),
    mentions: await queries.mentions(range),
    importKeys: await queries.importKeys(range),
    ...(await queries.privateRows(range)),
    histories: await readHistories(queries, { range, blocks, corrections }),
  };
  return { range, blocks, rows };
}

/** The corrections of the slice's events, and what the slice's corrections correct. */
async function readHistories(
  queries: VerificationQueries,
  slice: {
    readonly range: HeightRange;
    readonly blocks: readonly StoredBlockRow[];
    readonly corrections: readonly CorrectionRow[];
  },
): Promise<CorrectionHistories> {
  const { range, blocks, corrections } = slice;
  const inSlice = await queries.correctionsOfRange(range);
  const corrected = new Set(corrections.map((row) => row.corrects_height));
  const before = [...corrected].filter((height) => height <= range.after);
  const listed = new Map<number, ListedCorrection[]>();
  for (const row of [...(await queries.readCorrections(before)), ...inSlice]) {
    const ofEvent = listed.get(row.corrects_height);
    if (ofEvent === undefined) listed.set(row.corrects_height, [row]);
    else ofEvent.push(row);
  }
  const targets = new Map<number, BlockText>();
  for (const block of await queries.blockTexts(before)) targets.set(block.height, block);
  for (const { height, blockHash: hash, canonical } of corrected.size > 0 ? blocks : []) {
    if (corrected.has(height)) targets.set(height, { height, hash, canonical });
  }
  return new CorrectionHistories(listed, targets);
}

interface Weight {
  readonly height: number;
  /** Rows to read besides the block. */
  readonly rows: number;
}

/** A correction costs about as much as the lines of the event it corrects. */
function weighEvents(
  events: readonly EventRow[],
  corrections: readonly CorrectionRow[],
): readonly Weight[] {
  const weights = events.map(({ height, line_count: lines, correction_count: corrected }) => ({
    height,
    rows: Math.max(1, lines) + Math.max(0, corrected),
  }));
  if (corrections.length === 0) return weights;
  const ofCorrections = corrections.map(({ height, line_count: lines }) => ({
    height,
    rows: Math.max(1, lines ?? 1),
  }));
  return [...weights, ...ofCorrections].sort((a, b) => a.height - b.height);
}

/**
 * Returns the last height of a slice with at most `rowsMax` rows; a slice has at least one block.
 */
function lastHeightWithin(
  weights: readonly Weight[],
  longest: HeightRange,
  rowsMax: number,
): number {
  let total = 0;
  for (const { height, rows } of weights) {
    total += Math.min(rows, WEIGHT_OF_EVENT_MAX);
    if (total > rowsMax) return Math.max(longest.after + 1, height - 1);
  }
  return longest.through;
}
