// Which lots of which brands a Digital Link means. A GTIN is a claim of a brand and is not verified. Several brands may
// claim the same one, and one brand may claim it for several SKUs.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { parseNames, picturePath, type Names } from '../lots/profiles/names.ts';
import { toPublicBrand, type PublicBrand } from '../lots/profiles/brand-texts.ts';
import { writtenForms } from '../lots/profiles/gs1.ts';
import { lotsOfCode } from '../lots/queries.ts';
import { similarCodes } from '../lots/similar-codes.ts';
import { claimsOfGtin, lotsOfClaimants, type ClaimRow } from './queries.ts';

import type { DigitalLink } from './uri.ts';

/** Products, and lots of one code, that are named for one GTIN. */
export const CLAIMS_MAX = 100;

export interface Claim {
  readonly brand: PublicBrand;
  readonly sku: string;
  readonly names: Names;
  readonly pictureUrl: string | null;
}

export interface LinkedLot {
  readonly brandId: string;
  readonly productSku: string;
}

export interface Resolution {
  readonly link: DigitalLink;
  /** Only of this brand, when one was named. */
  readonly brandId: string | undefined;
  readonly claims: readonly Claim[];
  /** True when more products have the GTIN than are named. */
  readonly hasMoreClaims: boolean;
  /**
   * Lots of the code that brands with this claim have: those recorded with a product of the GTIN, and when there
   * are none the others. Empty of a link without a lot.
   */
  readonly lots: readonly LinkedLot[];
  /** For a code that no claimant has: whether any brand has it. */
  readonly isCodeKnown: boolean;
  /** For an unknown code: known codes with almost the same spelling. */
  readonly similar: readonly string[];
}

export async function resolve(
  deps: {
    readonly database: DatabaseReader;
    /** Without a slash at the end. */
    readonly publicUrl: string;
  },
  asked: { readonly link: DigitalLink; readonly brandId: string | undefined },
): Promise<Resolution> {
  const { link, brandId } = asked;
  const { lotCode } = link;
  const query = { gtins: writtenForms(link.gtin), tenantId: brandId, limit: CLAIMS_MAX + 1 };
  const [rows, found] = await askTogether(deps.database, (one) =>
    Promise.all([
      claimsOfGtin(one, query),
      lotCode === undefined ? [] : lotsOfClaimants(one, { ...query, lotCode }),
    ]),
  );
  const exact = found.filter((lot) => lot.isOfGtin === 1);
  const lots = (exact.length > 0 ? exact : found).slice(0, CLAIMS_MAX);
  const sameCode =
    lotCode === undefined || lots.length > 0 ? [] : await lotsOfCode(deps.database, lotCode, 1);
  const isCodeKnown = sameCode.length > 0;
  const isUnknown = lotCode !== undefined && lots.length === 0 && !isCodeKnown;
  return {
    link,
    brandId,
    claims: rows.slice(0, CLAIMS_MAX).map((row) => claimIn(row, deps.publicUrl)),
    hasMoreClaims: rows.length > CLAIMS_MAX,
    lots: lots.map(({ tenantId, productSku }) => ({ brandId: tenantId, productSku })),
    isCodeKnown,
    similar: isUnknown ? await similarCodes(deps.database, { lotCode, brand: brandId }) : [],
  };
}

function claimIn(row: ClaimRow, publicUrl: string): Claim {
  const { sku, names, picture } = row;
  return {
    brand: toPublicBrand(row),
    sku,
    names: parseNames({ names }),
    pictureUrl: picture === null ? null : picturePath(picture, publicUrl),
  };
}

/** Where the link leads. */
export type Destination =
  /** To the lot of one brand. */
  | { readonly kind: 'lot'; readonly lotCode: string; readonly brandId: string }
  /** To a lot code that no claimant has, and others do: its page asks which brand, if it has to. */
  | { readonly kind: 'code'; readonly lotCode: string }
  /** Redirects to the page of the product, where people choose the brand or enter the lot. */
  | { readonly kind: 'product'; readonly lotCode: string | undefined }
  /** Nothing is known of the GTIN, or of the lot. */
  | { readonly kind: 'unknown' };

export function chooseDestination(resolution: Resolution): Destination {
  const { link, claims, lots, isCodeKnown } = resolution;
  const { lotCode } = link;
  if (lotCode === undefined) {
    return claims.length === 0 ? { kind: 'unknown' } : { kind: 'product', lotCode };
  }
  const [first] = lots;
  if (first !== undefined) {
    return lots.length === 1
      ? { kind: 'lot', lotCode, brandId: first.brandId }
      : { kind: 'product', lotCode };
  }
  // A brand that claims the GTIN has no such lot: what another brand calls so is another product.
  return claims.length === 0 && isCodeKnown ? { kind: 'code', lotCode } : { kind: 'unknown' };
}
