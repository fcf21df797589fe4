// A lot that is added up in pages because it has very many lines. Between two pages blocks may be
// appended: their lines come last. Only a correction changes lines that were read, and each one is
// listed for the lots it concerns (`lot_mentions`), at a greater height than any before.
import { LotSums } from './sums.ts';
import type { MovementRow, SupplierNames } from './queries.ts';
import type { Findings } from '../mismatch.ts';

/**
 * Maximum number of starts of a lot that is corrected again and again while it is summed; then it
 * is left to the next round.
 */
const BEGINNINGS_MAX = 10;

const BEFORE_ALL = { height: -1, lineNo: -1 } as const;

export class LongLot {
  readonly lotNo: number;
  #sums = new LotSums();
  #place: { readonly height: number; readonly lineNo: number } = BEFORE_ALL;
  #lastMention: number | undefined;
  #beginnings = 0;

  constructor(lotNo: number) {
    this.lotNo = lotNo;
  }

  /** Sums of the lines added so far. */
  get sums(): LotSums {
    return this.#sums;
  }

  /** The last line that was added. */
  get place(): { readonly height: number; readonly lineNo: number } {
    return this.#place;
  }

  /** Call it before each page. Starts again when the lot was corrected since the last one. */
  begin(lastMention: number | undefined): 'goes_on' | 'too_often' {
    if (this.#beginnings > 0 && lastMention === this.#lastMention) return 'goes_on';
    this.#lastMention = lastMention;
    this.#sums = new LotSums();
    this.#place = BEFORE_ALL;
    this.#beginnings += 1;
    return this.#beginnings > BEGINNINGS_MAX ? 'too_often' : 'goes_on';
  }

  add(lines: readonly (MovementRow & SupplierNames)[], findings: Findings): void {
    for (const line of lines) {
      this.#sums.add(line, findings);
      this.#sums.addSuppliers(line);
    }
    const last = lines.at(-1);
    if (last !== undefined) this.#place = { height: last.height, lineNo: last.line_no };
  }
}
