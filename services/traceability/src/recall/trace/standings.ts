// Reads the present state of the lots of an impact, and where their amounts are.
import { askInOrder, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import type { Standing } from '../../ledger/record/quantities.ts';
import { inTurns } from '@lothub/kit/in-turns';
import { computeBalance, type Balance } from '../../lots/balances.ts';
import type { AccountRow } from '../../lots/record-queries.ts';
import { toLotState } from '../../lots/state.ts';
import type { HoldStatus, LotStatus } from '../../terms.ts';
import { accountsPage, impactLots } from './impact-queries.ts';

/** SKUs and units that are listed, of all lots together. */
export const ACCOUNTS_MAX = 500_000;
/** Accounts of one query: some milliseconds with SQLite. */
const ACCOUNTS_PER_PAGE = 500;

export interface LotStanding {
  readonly lotCode: string;
  readonly productSku: string;
  /** The status that is shown: `recalled` wins. */
  readonly status: LotStatus;
  readonly holdStatus: HoldStatus;
  /** The status by its quantities: a recalled lot may be disposed as well. */
  readonly quantityStatus: Standing['status'];
  /** By SKU and unit, `productSku` first. */
  readonly quantities: readonly Balance[];
}

export interface LotStandings {
  /** By the number of the lot. */
  readonly ofLots: ReadonlyMap<number, LotStanding>;
  /** True when a bound was met: quantities of some lots are missing. */
  readonly isCut: boolean;
}

export async function readLotStandings(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<LotStandings> {
  const accounts = await readAccounts(database, lotNos);
  const ofLots = new Map<number, LotStanding>();
  for await (const rows of inTurns(askInOrder(database, cutSlices(lotNos), impactLots))) {
    for (const row of rows) {
      const { lotNo, lotCode, productSku, quantityStatus } = row;
      const quantities = ownSkuFirst(productSku, accounts.ofLots.get(lotNo) ?? []);
      ofLots.set(lotNo, { lotCode, productSku, quantityStatus, quantities, ...toLotState(row) });
    }
  }
  return { ofLots, isCut: accounts.isCut };
}

/** @param balances by SKU and unit */
export function ownSkuFirst(productSku: string, balances: readonly Balance[]): readonly Balance[] {
  if (balances[0] === undefined || balances[0].productSku === balances.at(-1)?.productSku) {
    return balances;
  }
  return [
    ...balances.filter((balance) => balance.productSku === productSku),
    ...balances.filter((balance) => balance.productSku !== productSku),
  ];
}

async function readAccounts(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<{ readonly ofLots: ReadonlyMap<number, readonly Balance[]>; readonly isCut: boolean }> {
  const ofLots = new Map<number, Balance[]>();
  let read = 0;
  for await (const page of inTurns(pagesOfAccounts(database, lotNos))) {
    for (const row of page) {
      const known = ofLots.get(row.lotNo);
      if (known === undefined) ofLots.set(row.lotNo, [computeBalance(row)]);
      else known.push(computeBalance(row));
    }
    read += page.length;
    if (read > ACCOUNTS_MAX) return { ofLots, isCut: true };
  }
  return { ofLots, isCut: false };
}

/** Reads pages of accounts by SKU and unit; those of one lot are together. */
async function* pagesOfAccounts(
  database: DatabaseReader,
  lotNos: readonly number[],
): AsyncGenerator<readonly AccountRow[]> {
  const start = { productSku: '', unit: '' };
  const limit = ACCOUNTS_PER_PAGE;
  for (const slice of cutSlices(lotNos)) {
    const open = [{ lotNos: [...slice].sort((a, b) => a - b), after: start }];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const page = await accountsPage(database, { ...part, limit });
      yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < limit) continue;
      const rest = part.lotNos.filter((lotNo) => lotNo > last.lotNo);
      if (rest.length > 0) open.push({ lotNos: rest, after: start });
      // The rest of the lot in which the page ended comes first.
      open.push({ lotNos: [last.lotNo], after: last });
    }
  }
}
