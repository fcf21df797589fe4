// Finds which lots of a supplier's case a brand received. Both are read as they are now, in slices
// between which other requests continue.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import { nextTurn, slicesInTurns } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { firstLotsOfCases, type PublishedCaseRow } from '../../lots/notices/queries.ts';
import { CODES_PER_COMPOUND, codesReceived, receivedUnderCodes } from './queries.ts';
import type { ReceivedRow } from './queries.ts';

/** Own lots that came in under one code, and under all codes of a case. */
const LOTS_PER_CODE_MAX = 2_000;
const RECEIVED_LOTS_MAX = 10_000;

/**
 * Maximum number of lots of cases for one response: some seconds, in slices of a few milliseconds.
 */
const COVERED_LOTS_MAX = 500_000;

/** The number of lots of cases that a response may still read. */
export class CoveredBudget {
  #left = COVERED_LOTS_MAX;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(lots: number): void {
    this.#left -= lots;
  }
}

/** The brand that received. */
export interface Receiver {
  readonly tenantId: string;
  readonly tenantNo: number;
}

export type ReceivedCode = Omit<ReceivedRow, 'lotNo'>;

export interface Received {
  /** By code, name and field. */
  readonly codes: readonly ReceivedCode[];
  /** Own lots that came in under them, each once, ascending. */
  readonly lotNos: readonly number[];
  /** True when a bound was met: there may be more. */
  readonly isCut: boolean;
}

export interface ReceivedOfCase {
  readonly receiver: Receiver;
  readonly recallCase: Pick<PublishedCaseRow, 'caseId' | 'tenantId'>;
  readonly budget: CoveredBudget;
}

/** Whether the brand received any of the lots that the case covers. */
export async function hasReceived(
  database: DatabaseReader,
  asked: ReceivedOfCase,
): Promise<boolean> {
  for await (const codes of codesOfCase(database, asked)) if (codes.length > 0) return true;
  return false;
}

/** Reads what the brand received of the lots that the case covers. */
export async function readReceived(
  database: DatabaseReader,
  asked: ReceivedOfCase,
): Promise<Received> {
  const { receiver, recallCase, budget } = asked;
  const found = new Map<string, ReceivedCode>();
  const lotNos = new Set<number>();
  let isCut = false;
  for await (const received of codesOfCase(database, asked)) {
    for await (const codes of slicesInTurns(received, CODES_PER_COMPOUND)) {
      const limit = LOTS_PER_CODE_MAX + 1;
      const sought = { ...receiver, brand: recallCase.tenantId, codes, limit };
      const rows = await receivedUnderCodes(database, sought);
      const ofCode = Map.groupBy(rows, ({ code, codeField }) => `${codeField} ${code}`);
      isCut ||= [...ofCode.values()].some((some) => some.length === limit);
      for (const { lotNo, ...code } of rows) {
        found.set(JSON.stringify([code.code, code.supplierName, code.codeField]), code);
        if (lotNos.size < RECEIVED_LOTS_MAX) lotNos.add(lotNo);
        else isCut ||= !lotNos.has(lotNo);
      }
    }
  }
  return {
    codes: [...found.values()].sort(byCode),
    lotNos: [...lotNos].sort((a, b) => a - b),
    isCut: isCut || budget.isSpent,
  };
}

function byCode(a: ReceivedCode, b: ReceivedCode): number {
  return (
    compareTexts(a.code, b.code) ||
    compareTexts(a.supplierName, b.supplierName) ||
    compareTexts(a.codeField, b.codeField)
  );
}

/**
 * Codes of the lots that a case covers now, of those under which the brand received something: a slice at a time,
 * as far as the budget goes.
 */
async function* codesOfCase(
  database: DatabaseReader,
  { receiver, recallCase, budget }: ReceivedOfCase,
): AsyncGenerator<readonly string[]> {
  const { caseId, tenantId: brand } = recallCase;
  let above = 0;
  while (!budget.isSpent) {
    const page = { caseIds: [caseId], above, limit: IN_LIST_MAX };
    const lots = await firstLotsOfCases(database, page);
    const last = lots.at(-1);
    if (last === undefined) return;
    budget.spend(lots.length);
    yield await codesReceived(database, {
      ...{ ...receiver, brand },
      lotNos: lots.map(({ lotNo }) => lotNo),
    });
    if (lots.length < IN_LIST_MAX) return;
    above = last.lotNo;
    await nextTurn();
  }
}
