// Reads the public details about the products and places of a brand, beside the codes in its
// events.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import type { PlaceRow } from '../../ledger/tables/brands.ts';
import { parseNames, picturePath, type Names } from './names.ts';
import { inLanguages, type InLanguages } from './brand-texts.ts';
import { placesAt, productsOfSkus } from './queries.ts';

export interface ProductProfile {
  readonly sku: string;
  readonly names: Names;
  readonly gtin: string | null;
  readonly picture_url: string | null;
}

export type PlaceProfile = Pick<PlaceRow, 'name' | 'address' | 'gln' | 'time_zone'> & InLanguages;

/** By SKU; a product without details is not in the map. */
export type ProductProfiles = ReadonlyMap<string, ProductProfile>;
/** By location, as events write it. */
export type PlaceProfiles = ReadonlyMap<string, PlaceProfile>;

export async function readProductProfiles(
  database: DatabaseReader,
  query: {
    readonly tenantId: string;
    readonly skus: Iterable<string>;
    /** The public address, without a slash at the end. */
    readonly publicUrl: string;
  },
): Promise<ProductProfiles> {
  const { tenantId, publicUrl } = query;
  const slices = cutSlices([...new Set(query.skus)]);
  const rows = await askForEach(database, slices, (one, skus) =>
    productsOfSkus(one, { tenantId, skus }),
  );
  return new Map(
    rows.flat().map((row) => {
      const { sku, gtin, picture } = row;
      const url = picture === null ? null : picturePath(picture, publicUrl);
      return [sku, { sku, names: parseNames(row), gtin, picture_url: url }];
    }),
  );
}

export async function readPlaceProfiles(
  database: DatabaseReader,
  query: { readonly tenantId: string; readonly locations: Iterable<string> },
): Promise<PlaceProfiles> {
  const { tenantId } = query;
  const slices = cutSlices([...new Set(query.locations)]);
  const rows = await askForEach(database, slices, (one, locations) =>
    placesAt(one, { tenantId, locations }),
  );
  return new Map(
    rows.flat().map(({ location, name, address, gln, time_zone, brandLanguage, ...row }) => {
      const language = row.language ?? brandLanguage;
      const profile = { name, ...inLanguages({ ...row, language }), address, gln, time_zone };
      return [location, profile];
    }),
  );
}
