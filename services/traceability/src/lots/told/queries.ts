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

/** Those of 1 to IN_LIST_MAX places of a brand that consumers are told of. */
export async function placesAt(
  database: DatabaseReader,
  of: { readonly tenantId: string; readonly locations: readonly string[] },
): Promise<readonly PlaceRow[]> {
  return await database.all<PlaceRow>(sql`
    select ${selectList(PLACES)}
    from places
    where tenant_id = ${of.tenantId} and location in (${inList(of.locations)})`);
}
