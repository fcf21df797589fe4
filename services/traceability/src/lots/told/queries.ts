// Queries on what consumers are told of products and places, by the codes that events have.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { PLACES, PRODUCTS } from '../../ledger/tables/brands.ts';
import type { PlaceRow, ProductRow } from '../../ledger/tables/brands.ts';

/** Those of 1 to IN_LIST_MAX products of a brand that consumers are told of. */
export async function productsOfSkus(
  database: DatabaseReader,
  of: { readonly tenantId: string; readonly skus: readonly string[] },
): Promise<readonly ProductRow[]> {
  return await database.all<ProductRow>(sql`
    select ${selectList(PRODUCTS)}
    from products
    where tenant_id = ${of.tenantId} and sku in (${inList(of.skus)})`);
}

export interface PlaceOfBrand extends PlaceRow {
  /** That of the brand, which counts where the place has none of its own. */
  readonly brandLanguage: string | null;
}

/** Those of 1 to IN_LIST_MAX places of a brand that consumers are told of. */
export async function placesAt(
  database: DatabaseReader,
  of: { readonly tenantId: string; readonly locations: readonly string[] },
): Promise<readonly PlaceOfBrand[]> {
  return await database.all<PlaceOfBrand>(sql`
    select ${selectList(PLACES, 'p')}, b.language as "brandLanguage"
    from places p
    left join brands b on b.tenant_id = p.tenant_id
    where p.tenant_id = ${of.tenantId} and p.location in (${inList(of.locations)})`);
}
