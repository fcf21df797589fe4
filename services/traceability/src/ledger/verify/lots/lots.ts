// The last part of a round: compares each lot that the blocks have named with the sums of its lines. Few lots
// at a time, each with all its lines of one moment. A lot with very many lines is added up in pages: what is
// appended in between comes on a later page, and a correction shows.
import { LongLot } from './long-lot.ts';
import { LotQueries, type LotRange, type LotRow, type LotTable, type TextKey } from './queries.ts';
import { LotRowCursor } from './lot-row-cursor.ts';
import { LotSums, compareLot } from './sums.ts';
import type { Findings, LedgerMismatch } from '../mismatch.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';
import type { NumberSet } from '../number-set.ts';

/** Rows of a slice for each lot; most lots have a few lines. */
const LINES_OF_LOT = 4;
/** The start of the numbers of lots and tenants, so that a negative one is not skipped. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

export interface LotsVerificationOptions {
  readonly reader: SnapshotReader;
  /** Numbers of the lots that the blocks have named, of this range at least. */
  readonly seenLots: NumberSet;
  /** The lots to compare: the blocks must have named all of them. */
  readonly lots: LotRange;
  /**
   * `follow`: the texts of all lots are compared afterwards, and so are rows of lots that do not
   * exist.
   */
  readonly texts: 'follow' | 'left';
}

/** @param lastLotNo the greatest number of a lot at the tip, if there is one */
export function allLots(lastLotNo: number | undefined): LotRange {
  return { after: BEFORE_ALL, through: lastLotNo ?? BEFORE_ALL };
}

interface LotsSlice {
  /** Lots and lines to read at most. */
  readonly rowsMax: number;
  /** Height of the last block that was verified. */
  readonly tip: number;
  readonly findings: Findings;
}

export class LotsVerification {
  readonly #reader: SnapshotReader;
  readonly #queries: LotQueries;
  readonly #seenLots: NumberSet;
  readonly #texts: LotsVerificationOptions['texts'];
  #lots: LotRange;
  #long: LongLot | undefined;
  #textsEnd: TextKey = { tenant_no: BEFORE_ALL, lot_no: BEFORE_ALL };

  constructor(options: LotsVerificationOptions) {
    this.#reader = options.reader;
    this.#queries = new LotQueries(options.reader);
    this.#seenLots = options.seenLots;
    this.#lots = options.lots;
    this.#texts = options.texts;
  }

  /**
   * Takes the next slice, of one moment.
   *
   * @throws DatabaseError when rows cannot be read; nothing of the slice has been judged then
   */
  advance(slice: LotsSlice): Promise<'more' | 'complete'> {
    return this.#reader.inSnapshot(() => this.#step(slice));
  }

  async #step(slice: LotsSlice): Promise<'more' | 'complete'> {
    if (this.#long !== undefined) {
      await this.#addLong(this.#long, slice);
      return 'more';
    }
    if (this.#lots.after >= this.#lots.through) {
      return this.#texts === 'left' ? 'complete' : await this.#compareTexts(slice);
    }
    await this.#compareLots(slice);
    return 'more';
  }

  async #compareLots(slice: LotsSlice): Promise<void> {
    const { rowsMax, findings } = slice;
    const { after, through } = this.#lots;
    const lotsMax = Math.ceil(rowsMax / LINES_OF_LOT);
    const lots = await this.#queries.lots(this.#lots, lotsMax);
    const lastLot = lots.length < lotsMax ? undefined : lots.at(-1);
    const pageEnd = lastLot?.lot_no ?? through;
    const lines = await this.#queries.movements({ after, through: pageEnd }, rowsMax);
    // The lot of the last line may have more lines.
    const cut = lines.length < rowsMax ? undefined : lines.at(-1)?.lot_no;
    const end = cut === undefined ? pageEnd : cut - 1;
    if (cut !== undefined && end <= after) {
      this.#long = new LongLot(cut);
      return;
    }
    const read = { after, through: end };
    // Each account has a line, so a limit of one row more shows whether there are too many.
    const quantities = new LotRowCursor(await this.#queries.quantities(read, lines.length + 1));
    const suppliers = new LotRowCursor(await this.#queries.suppliers(read, lines.length + 1));
    const marks = await this.#readMarks(read);
    const movements = new LotRowCursor(lines);
    for (const lot of lots) {
      if (lot.lot_no > end) break;
      const { lot_no: lotNo } = lot;
      const stored = quantities.takeAll(lotNo);
      if (!this.#isNamed(lot, slice)) continue;
      const sums = new LotSums();
      for (const line of movements.takeAll(lotNo)) sums.add(line, findings);
      for (const row of suppliers.takeAll(lotNo)) sums.addSuppliers(row);
      compareLot(lot, { sums, quantities: stored, findings, ...findMarks(lot, marks) });
    }
    if (quantities.isAnyLeft) findings.add(extraRows('lot_quantities', slice.tip));
    this.#goOnAfter(end);
  }

  async #readMarks(lots: LotRange): Promise<Marks> {
    return {
      held: await this.#queries.heldLots(lots),
      recalled: await this.#queries.recalledLots(lots),
    };
  }

  /** Takes one page of lines; with the last one the row of the lot and its quantities are read. */
  async #addLong(long: LongLot, slice: LotsSlice): Promise<void> {
    const { rowsMax, findings } = slice;
    const { lotNo } = long;
    if (long.begin(await this.#queries.lastMention(lotNo)) === 'too_often') {
      return this.#endLong(lotNo);
    }
    const lines = await this.#queries.readMovements(lotNo, long.place, rowsMax);
    if (lines.length >= rowsMax) return long.add(lines, findings);
    const only = { after: lotNo - 1, through: lotNo };
    const [lot] = await this.#queries.lots(only, 1);
    const accountsMax = long.sums.tally.accounts.length + lines.length;
    const quantities = await this.#queries.quantities(only, accountsMax + 1);
    const marks = await this.#readMarks(only);
    long.add(lines, findings);
    if (lot !== undefined && this.#isNamed(lot, slice)) {
      compareLot(lot, { sums: long.sums, quantities, findings, ...findMarks(lot, marks) });
    }
    this.#endLong(lotNo);
  }

  #endLong(lotNo: number): void {
    this.#long = undefined;
    this.#goOnAfter(lotNo);
  }

  /** The texts of lots that exist have been compared with them; there must be no others. */
  async #compareTexts({ rowsMax, tip, findings }: LotsSlice): Promise<'more' | 'complete'> {
    const texts = await this.#queries.texts(this.#textsEnd, rowsMax);
    const last = texts.at(-1);
    const isEnd = last === undefined || texts.length < rowsMax;
    const beyond = isEnd ? await this.#queries.rowsBeyond(BEFORE_ALL) : [];
    for (const text of texts) {
      if (text.listed_no === null) findings.add(extraRows('lot_texts', tip));
    }
    for (const { place } of beyond) findings.add(extraRows(place, tip));
    if (isEnd) return 'complete';
    this.#textsEnd = last;
    return 'more';
  }

  /** Lots up to the last one at the tip must all have been seen; later ones have greater numbers. */
  #isNamed(lot: LotRow, { tip, findings }: LotsSlice): boolean {
    if (this.#seenLots.has(lot.lot_no)) return true;
    findings.add({
      height: Math.min(Math.max(0, lot.first_height), Math.max(0, tip)),
      code: 'lot_row_extra',
      message: 'a lot is listed that no block names',
    });
    return false;
  }

  #goOnAfter(lotNo: number): void {
    this.#lots = { ...this.#lots, after: lotNo };
  }
}

/** Numbers of lots that bear a mark which other tables say. */
interface Marks {
  readonly held: ReadonlySet<number>;
  readonly recalled: ReadonlySet<number>;
}

function findMarks({ lot_no: lotNo }: LotRow, { held, recalled }: Marks) {
  return { isHeld: held.has(lotNo), isRecalled: recalled.has(lotNo) };
}

const EXTRA_CODES = {
  lot_quantities: 'quantity_row_extra',
  lot_texts: 'text_row_extra',
} as const satisfies Readonly<Record<LotTable, LedgerMismatch['code']>>;

function extraRows(place: LotTable, tip: number): LedgerMismatch {
  return {
    height: Math.max(0, tip),
    code: EXTRA_CODES[place],
    message: `${place} holds rows of lots that do not exist`,
  };
}
