// What is known of a code as it is scanned: of a lot, whether there is one, of which product, and whether it is on
// hold; of a GTIN, which product of the brand has it.
import type { DatabaseReader } from '@lothub/kit/database';
import { writtenForms } from '../../lots/profiles/gs1.ts';
import { findLot } from '../../lots/queries.ts';
import { toLotState } from '../../lots/state.ts';
import { findSkuOfGtin } from './queries.ts';
import { readScan } from './scan.ts';

export type CodeField = 'lot_code' | 'product_sku';

export interface CheckedCode {
  /** What the field holds once the scan is read. */
  readonly lotCode: string | undefined;
  readonly productSku: string | undefined;
  /** A GTIN that no product of the brand has. */
  readonly unknownGtin: string | undefined;
  readonly lot: 'known' | 'on_hold' | 'unknown' | undefined;
}

export async function checkCode(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly field: CodeField; readonly code: string },
): Promise<CheckedCode> {
  const { tenantId, field } = asked;
  const scan = readScan(asked.code);
  const code = asked.code.trim();
  const lotCode = scan === undefined ? (field === 'lot_code' ? code : undefined) : scan.lotCode;
  const lot = lotCode === undefined ? undefined : await findLot(database, { lotCode, tenantId });
  const ofGtin =
    scan?.gtin === undefined
      ? undefined
      : await findSkuOfGtin(database, { tenantId, gtins: writtenForms(scan.gtin) });
  const typed = scan === undefined && field === 'product_sku' ? code : undefined;
  const productSku = typed ?? ofGtin ?? lot?.productSku;
  return {
    ...{ lotCode, productSku },
    unknownGtin: scan?.gtin !== undefined && ofGtin === undefined ? scan.gtin : undefined,
    lot: lotCode === undefined ? undefined : lot === undefined ? 'unknown' : judgeLot(lot),
  };
}

function judgeLot(lot: Parameters<typeof toLotState>[0]): 'known' | 'on_hold' {
  return toLotState(lot).holdStatus === 'released' ? 'known' : 'on_hold';
}
