// Queries on what consumers read about products and places, by the codes that events have.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { PLACES, PRODUCTS, type PlaceRow, type ProductRow } from '../../ledger/tables/brands.ts';

/** Details for consumers of 1 to IN_LIST_MAX products of a brand; products without details are missing. */
export async function productsOfSkus(
  database: DatabaseReader,
  query: { readonly tenantId: string; readonly skus: readonly string[] },
): Promise<readonly ProductRow[]> {
  return await database.all<ProductRow>(sql`
    select ${selectList(PRODUCTS)}
    from products
    where tenant_id = ${query.tenantId} and sku in (${inList(query.skus)})`);
}

export interface PlaceOfBrand extends PlaceRow {
  /** The language of the brand, which counts if the place has none of its own. */
  readonly brandLanguage: string | null;
}

/** Details for consumers of 1 to IN_LIST_MAX places of a brand; places without details are missing. */
export async function placesAt(
  database: DatabaseReader,
  query: { readonly tenantId: string; readonly locations: readonly string[] },
): Promise<readonly PlaceOfBrand[]> {
  return await database.all<PlaceOfBrand>(sql`
    select ${selectList(PLACES, 'p')}, b.language as "brandLanguage"
    from places p
    left join brands b on b.tenant_id = p.tenant_id
    where p.tenant_id = ${query.tenantId} and p.location in (${inList(query.locations)})`);
}
