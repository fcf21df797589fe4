// The brands that use one lot code, with the open recalls of all of them: what somebody who has only the
// code has to read before asking for the lot of one brand.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { parseNames, type Names } from '../lots/profiles/names.ts';
import { toPublicBrand, type PublicBrand } from '../lots/profiles/brand-texts.ts';
import { productsOfSkus } from '../lots/profiles/queries.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { Notice } from '../lots/notices/schema.ts';
import type { Notices } from '../lots/notices/notices.ts';
import { lotsOfCode, type LotRow } from '../lots/queries.ts';
import { noSuchLot } from '../lots/similar-codes.ts';

/** Brands named of those that use one code. */
const BRANDS_MAX = 100;

export interface Sharer {
  readonly brand: PublicBrand;
  readonly productSku: string;
  /** Undefined when the brand has set none. */
  readonly productNames: Names | undefined;
  /** Open recall notices for its lot. */
  readonly openNotices: number;
}

export interface SharedCode {
  readonly lotCode: string;
  /** In the order in which they recorded the code first. */
  readonly sharers: readonly Sharer[];
  /** True when more brands use the code than are named. */
  readonly hasMore: boolean;
  /** Open notices of all brands for this code, also of those that are not named; newest first. */
  readonly notices: readonly Notice[];
  readonly hasMoreNotices: boolean;
}

async function readNames(
  database: DatabaseReader,
  { tenantId, productSku }: LotRow,
): Promise<{ readonly names: Names | undefined }> {
  const [row] = await productsOfSkus(database, { tenantId, skus: [productSku] });
  return { names: row && parseNames(row) };
}

/**
 * Undefined when one brand alone uses the code.
 * @throws Refusal `not_found` when no brand does
 */
export async function findSharedCode(
  deps: { readonly reader: LedgerReader; readonly notices: Notices },
  lotCode: string,
): Promise<SharedCode | undefined> {
  const lots = await lotsOfCode(deps.reader.database, lotCode, BRANDS_MAX + 1);
  if (lots.length === 0) {
    throw await noSuchLot(deps.reader.database, { lotCode, brand: undefined });
  }
  if (lots.length === 1) return undefined;
  const shown = lots.slice(0, BRANDS_MAX);
  const counts = await deps.notices.count(shown.map((lot) => lot.lotNo));
  const recalls = await deps.notices.ofCode(lotCode);
  const profiles = await askForEach(deps.reader.database, shown, readNames);
  return {
    lotCode,
    sharers: shown.map((lot, index) => ({
      brand: toPublicBrand(lot),
      productSku: lot.productSku,
      productNames: profiles[index]?.names,
      openNotices: counts.get(lot.lotNo) ?? 0,
    })),
    hasMore: lots.length > shown.length,
    notices: recalls.notices,
    hasMoreNotices: recalls.truncated,
  };
}
