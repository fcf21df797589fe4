// The chain filtered to one lot and everything it is related to (service page, section 8).
import { askForEach } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import type { Static } from 'typebox';
import { Refusal } from '../errors.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { PUBLIC_WALK, relatedLots } from '../lots/links.ts';
import { findLot, lotLabels } from '../lots/queries.ts';
import { pageOfLotBlocks } from './pages.ts';
import type { LotBlocksSchema } from './schema.ts';

/** @throws Refusal `not_found` when no brand, or not the one asked for, has a lot of this code */
export async function blocksAroundLot(
  reader: LedgerReader,
  query: {
    readonly lotCode: string;
    readonly brand: string | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  },
): Promise<Static<typeof LotBlocksSchema>> {
  const { database } = reader;
  const lot = await findLot(database, { lotCode: query.lotCode, tenantId: query.brand });
  if (lot === undefined) throw new Refusal('not_found', 'No lot of this code is known');
  const { lots, truncated } = await relatedLots({
    database,
    tenantNo: lot.tenantNo,
    lotNo: lot.lotNo,
    direction: 'both',
    ...PUBLIC_WALK,
  });
  const lotNos = lots.map((one) => one.lotNo);
  const rows = await askForEach(database, slicesOf(lotNos), lotLabels);
  const labels = new Map(rows.flat().map((label) => [label.lotNo, label]));
  const page = await pageOfLotBlocks(reader, {
    lotNos,
    before: query.before,
    limit: query.limit,
  });
  return {
    lot_code: lot.lotCode,
    brand: lot.tenantId,
    related_lots: lots.flatMap(({ lotNo, relation, distance }) => {
      const label = labels.get(lotNo);
      if (label === undefined) return [];
      return [{ lot_code: label.lotCode, product_sku: label.productSku, relation, distance }];
    }),
    truncated,
    ...page,
  };
}
