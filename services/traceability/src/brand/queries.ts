// Queries on what consumers are told of a brand, its products and places, each with the block that says it.
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty } from 'sql-template-tag';
import { BRANDS, PLACES, PRODUCTS } from '../ledger/tables/brands.ts';
import type { BrandRow, PlaceRow, ProductRow } from '../ledger/tables/brands.ts';

/** Null of a row that no block says yet. */
interface OfBlock {
  readonly hash: string | null;
}
export type FoundBrand = BrandRow & OfBlock;
export type FoundProduct = ProductRow & OfBlock;
export type FoundPlace = PlaceRow & OfBlock;

/** The next rows behind a key, ascending. */
export interface ToldPage {
  readonly tenantId: string;
  readonly after: string | undefined;
  readonly limit: number;
}

export async function findBrand(
  database: DatabaseReader,
  tenantId: string,
): Promise<FoundBrand | undefined> {
  return await database.first<FoundBrand>(sql`
    select ${selectList(BRANDS, 'b')}, k.hash
    from brands b
    left join blocks k on k.height = b.height
    where b.tenant_id = ${tenantId}`);
}

export async function findProduct(
  database: DatabaseReader,
  { tenantId, sku }: { readonly tenantId: string; readonly sku: string },
): Promise<FoundProduct | undefined> {
  return await database.first<FoundProduct>(sql`
    select ${selectList(PRODUCTS, 'p')}, k.hash
    from products p
    left join blocks k on k.height = p.height
    where p.tenant_id = ${tenantId} and p.sku = ${sku}`);
}

export async function findPlace(
  database: DatabaseReader,
  { tenantId, location }: { readonly tenantId: string; readonly location: string },
): Promise<FoundPlace | undefined> {
  return await database.first<FoundPlace>(sql`
    select ${selectList(PLACES, 'p')}, k.hash
    from places p
    left join blocks k on k.height = p.height
    where p.tenant_id = ${tenantId} and p.location = ${location}`);
}

export async function productsBehind(
  database: DatabaseReader,
  { tenantId, after, limit }: ToldPage,
): Promise<readonly FoundProduct[]> {
  const behind = after === undefined ? empty : sql`and p.sku > ${after}`;
  return await database.all<FoundProduct>(sql`
    select ${selectList(PRODUCTS, 'p')}, k.hash
    from products p
    left join blocks k on k.height = p.height
    where p.tenant_id = ${tenantId} ${behind}
    order by p.sku
    limit ${limit}`);
}

export async function placesBehind(
  database: DatabaseReader,
  { tenantId, after, limit }: ToldPage,
): Promise<readonly FoundPlace[]> {
  const behind = after === undefined ? empty : sql`and p.location > ${after}`;
  return await database.all<FoundPlace>(sql`
    select ${selectList(PLACES, 'p')}, k.hash
    from places p
    left join blocks k on k.height = p.height
    where p.tenant_id = ${tenantId} ${behind}
    order by p.location
    limit ${limit}`);
}

export async function countProducts(database: DatabaseReader, tenantId: string): Promise<number> {
  const row = await database.first<{ readonly count: number }>(sql`
    select count(*) as count
    from products
    where tenant_id = ${tenantId}`);
  return row?.count ?? 0;
}

export async function countPlaces(database: DatabaseReader, tenantId: string): Promise<number> {
  const row = await database.first<{ readonly count: number }>(sql`
    select count(*) as count
    from places
    where tenant_id = ${tenantId}`);
  return row?.count ?? 0;
}

export async function findPicture(
  database: DatabaseReader,
  sha256: string,
): Promise<Uint8Array | undefined> {
  const row = await database.first<{ readonly bytes: Uint8Array }>(sql`
    select bytes
    from pictures
    where sha256 = ${sha256}`);
  return row?.bytes;
}
