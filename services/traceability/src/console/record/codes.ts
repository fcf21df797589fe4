// Looks up a scanned code. For a lot: whether it exists, its product, and whether it is on hold. For a GTIN:
// the product of the brand that has it.
import type { DatabaseReader } from '@lothub/kit/database';
import { writtenForms } from '../../lots/profiles/gs1.ts';
import { findLot } from '../../lots/queries.ts';
import { toLotState } from '../../lots/state.ts';
import { findSkuOfGtin } from './queries.ts';
import { readScan } from './scan.ts';

export type CodeField = 'lot_code' | 'product_sku';

export interface CheckedCode {
  /** The value of the field after the scan was read. */
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
