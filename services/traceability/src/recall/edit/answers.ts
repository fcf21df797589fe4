// The lots that were added to a case or excluded from it by hand, page by page.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { findLot } from '../../lots/queries.ts';
import type { RecallCase } from '../case/rows.ts';
import { countByHand, namedLotsByHand, type ByHand } from './queries.ts';
import type { LotsByHand } from './schema.ts';

export async function pageOfLotsByHand(
  database: DatabaseReader,
  asked: {
    readonly tenantId: string;
    readonly recallCase: RecallCase;
    readonly said: ByHand;
    /** A lot code of the page before. */
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<LotsByHand> {
  const { tenantId, recallCase, said, after, limit } = asked;
  const { caseId, caseNo } = recallCase;
  const behind =
    after === undefined ? undefined : await findLot(database, { tenantId, lotCode: after });
  const above = behind?.lotNo ?? 0;
  const [rows, counts] = await askTogether(database, (one) =>
    Promise.all([
      namedLotsByHand(one, { caseId, said, above, limit: limit + 1 }),
      countByHand(one, caseId),
    ]),
  );
  const { rows: shown, last } = cutPage(rows, limit);
  return {
    case_no: caseNo,
    lots: shown.map((row) => ({
      lot_code: row.lotCode,
      product_sku: row.productSku,
      since: row.saidAt,
      block_height: row.blockHeight,
      block_hash: row.blockHash,
    })),
    total: counts[said],
    next: last?.lotCode ?? null,
  };
}
