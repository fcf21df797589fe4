// Finds a lot of the brand for previews: the newest lot, or the newest one of a product.
import type { DatabaseReader } from '@lothub/kit/database';
import { findTenant } from '../../lots/queries.ts';
import { readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import type { AboutLot } from '../../web/lot/about-card.ts';
import { findNewestLot } from './queries.ts';

/** The newest lots that are searched for one of a product. */
const LOTS_LOOKED_AT = 2_000;

/** @param sku the product of the lot; without it any product will do */
export async function exampleLot(
  { database, publicUrl }: { readonly database: DatabaseReader; readonly publicUrl: string },
  { tenantId, sku }: { readonly tenantId: string; readonly sku?: string },
): Promise<Omit<AboutLot, 'brand'> | undefined> {
  const tenant = await findTenant(database, tenantId);
  if (tenant === undefined) return undefined;
  const { tenantNo } = tenant;
  const lot = await findNewestLot(database, { tenantNo, sku, limit: LOTS_LOOKED_AT });
  if (lot === undefined) return undefined;
  const profiles = await readProductProfiles(database, { tenantId, skus: [lot.sku], publicUrl });
  const product = profiles.get(lot.sku);
  return { ...lot, names: product?.names, pictureUrl: product?.picture_url ?? null };
}
