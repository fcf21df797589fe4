// What the label of a lot says: the address that its QR code leads to, what its DataMatrix holds, and what people read
// beside it.
import type { DatabaseReader } from '@lothub/kit/database';
import { digitalLinkPath, listElements, qualifierFault } from '../digital-link/uri.ts';
import type { DigitalLink } from '../digital-link/uri.ts';
import { FieldsRefusal, Refusal } from '../errors.ts';
import { lotPath } from '../lots/lot-path.ts';
import { getOwnLot } from '../lots/own-lot.ts';
import { accountsOfSku } from '../lots/record-queries.ts';
import { readGtin } from '../lots/profiles/gs1.ts';
import { parseNames, type Names } from '../lots/profiles/names.ts';
import { productsOfSkus } from '../lots/profiles/queries.ts';
import type { Content, Symbology } from './symbol.ts';

export interface LabelSubject {
  readonly tenantId: string;
  readonly brandName: string;
  readonly lotCode: string;
  readonly sku: string;
  /** Undefined when the brand has set none. */
  readonly names: Names | undefined;
  /** 14 digits; undefined when the brand claims none for the SKU. */
  readonly gtin: string | undefined;
}

/**
 * @param asked.sku of a lot with several; without it the one that the lot has in lists
 * @throws Refusal `not_found`; FieldsRefusal when the lot was never recorded with the SKU
 */
export async function getLabelSubject(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly lotCode: string; readonly sku: string | undefined },
): Promise<LabelSubject> {
  const lot = await getOwnLot(database, asked);
  const { lotNo, tenantId, brandName, lotCode } = lot;
  const { sku = lot.productSku } = asked;
  if (sku !== lot.productSku) {
    const accounts = await accountsOfSku(database, { lotNo, productSku: sku, limit: 1 });
    if (accounts.length === 0) {
      throw FieldsRefusal.of(
        ['query', 'sku'],
        'The lot was not recorded with this SKU',
        'value_error',
      );
    }
  }
  const [product] = await productsOfSkus(database, { tenantId, skus: [sku] });
  const gtin = product?.gtin ?? undefined;
  const padded = gtin === undefined ? undefined : readGtin(gtin);
  return {
    tenantId,
    brandName,
    lotCode,
    sku,
    names: product && parseNames(product),
    gtin: typeof padded === 'string' ? padded : undefined,
  };
}

/** What a symbol holds, and what people read of it. */
export interface Label {
  readonly content: Content;
  /** Such as `(01) 09506000134352`; of a label without a GTIN the lot code alone. */
  readonly lines: readonly string[];
}

/**
 * @throws Refusal `rule_broken` when GS1 has no symbol for the lot: without a GTIN, or with a lot code or serial number
 * that GS1 does not allow
 */
export function buildLabel(
  subject: LabelSubject,
  asked: {
    readonly symbology: Symbology;
    readonly serial: string | undefined;
    /** Without a slash at the end. */
    readonly publicUrl: string;
  },
): Label {
  const { symbology, serial, publicUrl } = asked;
  const link = buildLink(subject, serial);
  if ('fault' in link) {
    if (symbology === 'datamatrix') {
      throw new Refusal(
        'rule_broken',
        `A GS1 DataMatrix cannot be made of this lot. ${link.fault}`,
      );
    }
    if (serial !== undefined) {
      throw new Refusal(
        'rule_broken',
        `A label with a serial number cannot be made of this lot. ${link.fault}`,
      );
    }
    const text = publicUrl + lotPath(subject.lotCode, subject.tenantId);
    return { content: { symbology, text }, lines: [subject.lotCode] };
  }
  const elements = listElements(link);
  const lines = elements.map(([identifier, value]) => `(${identifier}) ${value}`);
  return symbology === 'qr'
    ? { content: { symbology, text: publicUrl + digitalLinkPath(link) }, lines }
    : { content: { symbology, elements }, lines };
}

function buildLink(
  { gtin, lotCode, sku }: LabelSubject,
  serial: string | undefined,
): DigitalLink | { readonly fault: string } {
  if (gtin === undefined) {
    return { fault: `The product ${sku} has no GTIN: set it with PUT /v1/products/{sku}` };
  }
  const lotFault = qualifierFault('10', lotCode) ?? stepFault(lotCode);
  if (lotFault !== undefined) return { fault: lotFault };
  if (serial === undefined) return { gtin, lotCode };
  const fault = qualifierFault('21', serial) ?? stepFault(serial);
  if (fault !== undefined) throw FieldsRefusal.of(['query', 'serial'], fault, 'value_error');
  return { gtin, lotCode, serial };
}

/** Browsers take these two for steps in a path, however they are written. */
function stepFault(value: string): string | undefined {
  return value === '.' || value === '..' ? 'No address can end with dots alone' : undefined;
}
