// Finds what a person wants to watch, and its name.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Names } from '../lots/profiles/names.ts';
import { findLot } from '../lots/queries.ts';
import { findBrandOfNotices } from '../lots/notices/queries.ts';
import { toPublicBrand, type PublicBrand } from '../lots/profiles/brand-texts.ts';
import { readProductProfiles } from '../lots/profiles/read-profiles.ts';
import { resolve } from '../digital-link/resolve.ts';
import { Refusal } from '../errors.ts';
import { lotPath } from '../lots/lot-path.ts';
import { productPath } from '../digital-link/linkset.ts';
import type { Target } from './target.ts';

/** What the forms of the pages say. */
export interface AskedTarget {
  readonly brand: string;
  /** The lot, if the request is from its page. */
  readonly lotCode: string | undefined;
  /** The GTIN with 14 digits, if the request is from the page of a product. */
  readonly gtin: string | undefined;
  /** What the page of a lot offers: the lot itself, or any lot of its product. */
  readonly what: 'lot' | 'product';
}

export interface TargetDeps {
  readonly database: DatabaseReader;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

/**
 * Lists the products that the brand says have a GTIN now.
 * @param gtin 14 digits
 */
export async function skusOfGtin(
  deps: TargetDeps,
  { tenantId: brandId, gtin }: { readonly tenantId: string; readonly gtin: string },
): Promise<readonly string[]> {
  const { claims } = await resolve(deps, { link: { gtin }, brandId });
  return claims.map(({ sku }) => sku);
}

/** @throws Refusal `not_found` */
export async function findTarget(deps: TargetDeps, asked: AskedTarget): Promise<Target> {
  const { database } = deps;
  const { brand: tenantId, lotCode, gtin, what } = asked;
  if (lotCode !== undefined) {
    const lot = await findLot(database, { tenantId, lotCode });
    if (lot === undefined) throw new Refusal('not_found', 'The brand has no lot of this code');
    return what === 'lot'
      ? { tenantId, kind: 'lot', target: lotCode }
      : { tenantId, kind: 'sku', target: lot.productSku };
  }
  if (gtin === undefined || (await skusOfGtin(deps, { tenantId, gtin })).length === 0) {
    throw new Refusal('not_found', 'The brand has no product of this GTIN');
  }
  return { tenantId, kind: 'gtin', target: gtin };
}

/** What people call what they watch. */
export interface NamedTarget extends Target {
  readonly brand: PublicBrand;
  /** The names of a product; undefined when its brand publishes none. */
  readonly names: Names | undefined;
  /** The page with its recalls. */
  readonly path: string;
}

/** @returns undefined when the brand is gone, as after an older copy was put back */
export async function nameTarget(
  deps: TargetDeps,
  { tenantId, kind, target }: Target,
): Promise<NamedTarget | undefined> {
  const { database, publicUrl } = deps;
  const brand = await findBrandOfNotices(database, tenantId);
  if (brand === undefined) return undefined;
  const skus = await readSkus(deps, { tenantId, kind, target });
  const profiles = await readProductProfiles(database, { tenantId, skus, publicUrl });
  const product = profiles.get(skus[0] ?? '');
  return {
    ...{ tenantId, kind, target },
    brand: toPublicBrand(brand),
    names: product?.names,
    path: buildPath({ tenantId, kind, target }),
  };
}

/** Lists the SKUs of a product; none for a lot. */
export async function readSkus(
  deps: TargetDeps,
  { tenantId, kind, target }: Target,
): Promise<readonly string[]> {
  if (kind === 'gtin') return await skusOfGtin(deps, { tenantId, gtin: target });
  return kind === 'sku' ? [target] : [];
}

/** A SKU has no page of its own: the page lists the recalls of the brand that name it. */
function buildPath({ tenantId, kind, target }: Target): string {
  switch (kind) {
    case 'lot':
      return lotPath(target, tenantId);
    case 'gtin':
      return productPath(target, { brandId: tenantId });
    case 'sku':
      return `/recalls?${new URLSearchParams({ brand: tenantId, q: target }).toString()}`;
  }
}
