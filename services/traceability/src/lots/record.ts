// Reads the records of lots for the tenant that owns them: their state and mass balances, and for
// one lot its holds and its origins (docs/interface/traceability.md#lots).
import { askForEach, askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { present } from '@lothub/kit/present';
import { buildRecord } from '@lothub/kit/build-record';
import { compareTexts } from '@lothub/kit/text-order';
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import type { LedgerReader } from '../ledger/read.ts';
import { PARTS } from '../ledger/record/event-types.ts';
import { PROVENANCE_NAMES } from '../ledger/record/fields.ts';
import { computeBalance, type Balance } from './balances.ts';
import { readHolds, type LotHolds } from './holds.ts';
import type { BalanceSchema, LotItemSchema, LotRecordSchema } from './lot-schema.ts';
import { placeOfOwnLot } from './own-lot.ts';
import { lotReceivedAs } from './supplier-codes.ts';
import { findLot } from './queries.ts';
import {
  LOTS_PER_COMPOUND,
  accountsOfLots,
  accountsOfSku,
  provenancesOfLot,
  readStandings,
} from './record-queries.ts';
import type { AccountRow, ProvenanceRow, StandingRow } from './record-queries.ts';
import { toLotState } from './state.ts';

/** SKUs and units of a lot that are shown. */
const ACCOUNTS_MAX = 100;
/** Maximum number of lines with origins that are read of a lot. */
const PROVENANCES_MAX = 200;

const NOT_HELD: LotHolds = { holds: [], truncated: false };

export type LotItem = Static<typeof LotItemSchema>;
export type LotRecord = Static<typeof LotRecordSchema>;

/**
 * Returns the record of a tenant's lot, or of the one that came in under a supplier's lot code.
 * @throws Refusal `not_found` when the tenant has no lot of this code; `several_lots`
 */
export async function lotRecord(
  reader: LedgerReader,
  asked: { readonly tenantId: string; readonly lotCode: string },
): Promise<LotRecord> {
  const { database } = reader;
  const { lotNo, firstHeight } = placeOfOwnLot(asked);
  // All queries run at once, and each finds the lot itself: finding the lot first would double the
  // time.
  const [lot, accounts, provenances, blocks] = await reader.together((one) =>
    Promise.all([
      findLot(one.database, asked),
      accountsOfLots(one.database, { lotNos: [lotNo], limit: ACCOUNTS_MAX + 1 }),
      provenancesOfLot(one.database, { lotNo, limit: PROVENANCES_MAX + 1 }),
      one.newest(sql`height = ${firstHeight}`, 1, 0),
    ]),
  );
  if (lot === undefined) {
    const { tenantId } = asked;
    return await lotRecord(reader, { tenantId, lotCode: await lotReceivedAs(database, asked) });
  }
  // A lot that is not on hold has no open hold. Most requests are about such lots.
  const holds = lot.onHold === 1 ? await readHolds(database, lot.lotNo) : NOT_HELD;
  const item = buildItem(lot, await withOwnSku(database, lot, accounts));
  return {
    ...item,
    holds: [...holds.holds],
    provenance: listProvenance(provenances.slice(0, PROVENANCES_MAX)),
    first_block_height: lot.firstHeight,
    first_recorded_at: present(blocks[0], `block ${lot.firstHeight}`).payload.recorded_at,
    truncated: item.truncated || holds.truncated || provenances.length > PROVENANCES_MAX,
  };
}

/** Lots as they are in a list, in the order of `lotNos`. */
export async function lotItems(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly LotItem[]> {
  const [standings, accounts] = await askTogether(database, (one) =>
    Promise.all([readStandings(one, lotNos), readAccounts(one, lotNos)]),
  );
  const items: LotItem[] = [];
  for (const lotNo of lotNos) {
    const standing = standings.get(lotNo);
    if (standing === undefined) continue;
    items.push(
      buildItem(standing, await withOwnSku(database, standing, accounts.get(lotNo) ?? [])),
    );
  }
  return items;
}

async function readAccounts(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<ReadonlyMap<number, readonly AccountRow[]>> {
  const slices = cutSlices(lotNos, LOTS_PER_COMPOUND);
  const rows = await askForEach(database, slices, (one, slice) =>
    accountsOfLots(one, { lotNos: slice, limit: ACCOUNTS_MAX + 1 }),
  );
  return Map.groupBy(rows.flat(), (row) => row.lotNo);
}

/** When a lot has more accounts than are shown, those of its own SKU come first. */
async function withOwnSku(
  database: DatabaseReader,
  { lotNo, productSku }: StandingRow,
  accounts: readonly AccountRow[],
): Promise<readonly AccountRow[]> {
  if (accounts.length <= ACCOUNTS_MAX) return accounts;
  const limit = ACCOUNTS_MAX + 1;
  const own = await accountsOfSku(database, { lotNo, productSku, limit });
  return [...own, ...accounts.filter((account) => account.productSku !== productSku)];
}

/** The balances of a lot in decimals, in the order of its record, with all their digits. */
export async function readBalances(
  database: DatabaseReader,
  lot: StandingRow,
): Promise<Pick<LotBalances, 'balances' | 'truncated'>> {
  const { lotNo } = lot;
  const accounts = await accountsOfLots(database, { lotNos: [lotNo], limit: ACCOUNTS_MAX + 1 });
  return computeBalances(lot, await withOwnSku(database, lot, accounts));
}

interface LotBalances {
  /** The lot's own first. */
  readonly productSkus: readonly string[];
  readonly balances: readonly Balance[];
  /** There are more than are shown. */
  readonly truncated: boolean;
}

function computeBalances(
  standing: Pick<StandingRow, 'productSku'>,
  accounts: readonly AccountRow[],
): LotBalances {
  const shown = accounts.slice(0, ACCOUNTS_MAX).map(computeBalance);
  const skus = new Set(shown.map(({ productSku }) => productSku));
  skus.delete(standing.productSku);
  // The lot's own SKU comes first, even if others come first in the order of texts.
  const productSkus = [standing.productSku, ...[...skus].sort(compareTexts)];
  const rank = new Map(productSkus.map((sku, index) => [sku, index]));
  const getRank = ({ productSku }: Balance): number =>
    present(rank.get(productSku), `the rank of SKU ${productSku}`);
  const quantities = shown.toSorted(
    (a, b) => getRank(a) - getRank(b) || compareTexts(a.unit, b.unit),
  );
  return { productSkus, balances: quantities, truncated: accounts.length > ACCOUNTS_MAX };
}

function buildItem(standing: StandingRow, accounts: readonly AccountRow[]): LotItem {
  const { status, holdStatus } = toLotState(standing);
  const { productSkus, balances, truncated } = computeBalances(standing, accounts);
  return {
    lot_code: standing.lotCode,
    product_sku: standing.productSku,
    product_skus: [...productSkus],
    status,
    hold_status: holdStatus,
    quantities: balances.map(balanceAnswer),
    truncated,
  };
}

export function balanceAnswer(balance: Balance): Static<typeof BalanceSchema> {
  return {
    product_sku: balance.productSku,
    unit: balance.unit,
    ...buildRecord(PARTS, (part) => Number(balance[part])),
    remaining: Number(balance.remaining),
    over_issued: balance.overIssued,
  };
}

/** Lines of one event that say the same are one entry. */
function listProvenance(rows: readonly ProvenanceRow[]): LotRecord['provenance'] {
  const entries = new Map<string, LotRecord['provenance'][number]>();
  for (const row of rows) {
    const values = buildRecord(PROVENANCE_NAMES, (name) => row[name]);
    const entry = { ...values, event_id: row.height };
    entries.set(JSON.stringify(entry), entry);
  }
  return [...entries.values()];
}
