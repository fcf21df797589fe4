// Reads the lots of open cases for notices, once for each state of a case, however many lots it
// covers: a public list of notices is requested more often than cases change.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { CASES_PER_COMPOUND, firstLotsOfCases, skusOfCase, type OpenCaseRow } from './queries.ts';

/** Lot codes that a notice in a list names; the notice itself pages through all. */
export const NOTICE_LOTS_MAX = 100;
/** SKUs that a notice names. */
const NOTICE_SKUS_MAX = 100;
/** Cases of which it is remembered; some tens of kilobytes each at most. */
const REMEMBERED_MAX = 2_000;

export interface LotsOfCase {
  /** The codes that were recorded first. */
  readonly codes: readonly string[];
  readonly total: number;
  readonly skus: readonly string[];
  readonly skusTotal: number;
}

/** The same of lots that no case covers yet. */
export function lotsOfPlan(
  lots: readonly {
    readonly lotNo: number;
    readonly lotCode: string;
    readonly productSku: string;
  }[],
): LotsOfCase {
  const recorded = lots.toSorted((a, b) => a.lotNo - b.lotNo);
  const skus = [...new Set(lots.map(({ productSku }) => productSku))].sort(compareTexts);
  return {
    codes: recorded.slice(0, NOTICE_LOTS_MAX).map(({ lotCode }) => lotCode),
    total: lots.length,
    skus: skus.slice(0, NOTICE_SKUS_MAX),
    skusTotal: skus.length,
  };
}

/** A case, and in which state it was read. */
type CaseState = Pick<OpenCaseRow, 'caseId' | 'revision' | 'corrections'>;

interface Remembered extends CaseState {
  readonly lots: LotsOfCase;
}

export class CoveredLots {
  readonly #database: DatabaseReader;
  /**
   * The oldest first. An entry is valid while the case and the corrections of its tenant are
   * unchanged. The caller has just read both, so changes of other processes count at once.
   */
  readonly #remembered = new Map<number, Remembered>();

  constructor(database: DatabaseReader) {
    this.#database = database;
  }

  /** By the number of the case. */
  async of(cases: readonly CaseState[]): Promise<ReadonlyMap<number, LotsOfCase>> {
    const found = new Map<number, LotsOfCase>();
    const unknown: CaseState[] = [];
    for (const one of cases) {
      const known = this.#remembered.get(one.caseId);
      const holds = known?.revision === one.revision && known.corrections === one.corrections;
      if (known !== undefined && holds) found.set(one.caseId, known.lots);
      else unknown.push(one);
    }
    for await (const slice of slicesInTurns(unknown, CASES_PER_COMPOUND)) {
      const read = await this.#read(slice.map(({ caseId }) => caseId));
      for (const one of slice) {
        const lots = read.get(one.caseId);
        if (lots === undefined) continue;
        found.set(one.caseId, lots);
        this.#remember(one, lots);
      }
    }
    return found;
  }

  #remember({ caseId, revision, corrections }: CaseState, lots: LotsOfCase): void {
    this.#remembered.delete(caseId);
    this.#remembered.set(caseId, { caseId, revision, corrections, lots });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED_MAX && oldest !== undefined) {
      this.#remembered.delete(oldest);
    }
  }

  async #read(caseIds: readonly number[]): Promise<ReadonlyMap<number, LotsOfCase>> {
    const [lots, skus] = await askTogether(this.#database, (one) =>
      Promise.all([
        firstLotsOfCases(one, { caseIds, above: 0, limit: NOTICE_LOTS_MAX }),
        Promise.all(caseIds.map((caseId) => skusOfCase(one, caseId))),
      ]),
    );
    const codesOf = Map.groupBy(lots, (lot) => lot.caseId);
    return new Map(
      caseIds.map((caseId, index) => {
        const ofCase = skus[index] ?? [];
        return [
          caseId,
          {
            codes: (codesOf.get(caseId) ?? []).map((lot) => lot.lotCode),
            total: ofCase.reduce((total, sku) => total + sku.lots, 0),
            skus: ofCase.slice(0, NOTICE_SKUS_MAX).map((sku) => sku.productSku),
            skusTotal: ofCase.length,
          },
        ];
      }),
    );
  }
}
