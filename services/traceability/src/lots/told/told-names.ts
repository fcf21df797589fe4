// Reads the public details about the products and places of a brand, beside the codes in its
// events.
import { askForEach } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import type { PlaceRow } from '../../ledger/tables/brands.ts';
import { namesOf, picturePath } from './names.ts';
import type { Names } from './names.ts';
import { inLanguages } from './own-words.ts';
import type { InLanguages } from './own-words.ts';
import { placesAt, productsOfSkus } from './queries.ts';

export interface ToldProduct {
  readonly sku: string;
  readonly names: Names;
  readonly gtin: string | null;
  readonly picture_url: string | null;
}

export type ToldPlace = Pick<PlaceRow, 'name' | 'address' | 'gln' | 'time_zone'> & InLanguages;

/** By SKU; a product without details is not in the map. */
export type ToldProducts = ReadonlyMap<string, ToldProduct>;
/** By location, as events write it. */
export type ToldPlaces = ReadonlyMap<string, ToldPlace>;

export async function readToldProducts(
  database: DatabaseReader,
  query: {
    readonly tenantId: string;
    readonly skus: Iterable<string>;
    /** The public address, without a slash at the end. */
    readonly publicUrl: string;
  },
): Promise<ToldProducts> {
  const { tenantId, publicUrl } = query;
  const slices = slicesOf([...new Set(query.skus)]);
  const rows = await askForEach(database, slices, (one, skus) =>
    productsOfSkus(one, { tenantId, skus }),
  );
  return new Map(
    rows.flat().map((row) => {
      const { sku, gtin, picture } = row;
      const url = picture === null ? null : picturePath(picture, publicUrl);
      return [sku, { sku, names: namesOf(row), gtin, picture_url: url }];
    }),
  );
}

export async function readToldPlaces(
  database: DatabaseReader,
  query: { readonly tenantId: string; readonly locations: Iterable<string> },
): Promise<ToldPlaces> {
  const { tenantId } = query;
  const slices = slicesOf([...new Set(query.locations)]);
  const rows = await askForEach(database, slices, (one, locations) =>
    placesAt(one, { tenantId, locations }),
  );
  return new Map(
    rows.flat().map(({ location, name, address, gln, time_zone, brandLanguage, ...row }) => {
      const language = row.language ?? brandLanguage;
      const told = { name, ...inLanguages({ ...row, language }), address, gln, time_zone };
      return [location, told];
    }),
  );
}
