// Queries on what consumers read about a brand, its products and places, each with the block that says it.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
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
export interface ProfilePage {
  readonly tenantId: string;
  readonly after: string | undefined;
  readonly limit: number;
}

type ProfileTable = typeof BRANDS | typeof PRODUCTS | typeof PLACES;

/** Rows `t` of a table, each with the hash of its block. */
function selectProfiles(table: ProfileTable): Sql {
  return sql`
    select ${selectList(table, 't')}, k.hash
    from ${raw(table.name)} t
    left join blocks k on k.height = t.height`;
}

export async function findBrand(
  database: DatabaseReader,
  tenantId: string,
): Promise<FoundBrand | undefined> {
  return await database.first<FoundBrand>(sql`
    ${selectProfiles(BRANDS)}
    where t.tenant_id = ${tenantId}`);
}

export async function findProduct(
  database: DatabaseReader,
  { tenantId, sku }: { readonly tenantId: string; readonly sku: string },
): Promise<FoundProduct | undefined> {
  return await database.first<FoundProduct>(sql`
    ${selectProfiles(PRODUCTS)}
    where t.tenant_id = ${tenantId} and t.sku = ${sku}`);
}

export async function findPlace(
  database: DatabaseReader,
  { tenantId, location }: { readonly tenantId: string; readonly location: string },
): Promise<FoundPlace | undefined> {
  return await database.first<FoundPlace>(sql`
    ${selectProfiles(PLACES)}
    where t.tenant_id = ${tenantId} and t.location = ${location}`);
}

export async function productsBehind(
  database: DatabaseReader,
  page: ProfilePage,
): Promise<readonly FoundProduct[]> {
  return await database.all<FoundProduct>(selectProfilePage(PRODUCTS, 'sku', page));
}

export async function placesBehind(
  database: DatabaseReader,
  page: ProfilePage,
): Promise<readonly FoundPlace[]> {
  return await database.all<FoundPlace>(selectProfilePage(PLACES, 'location', page));
}

function selectProfilePage(
  table: ProfileTable,
  key: string,
  { tenantId, after, limit }: ProfilePage,
): Sql {
  const column = raw(`t.${key}`);
  return sql`
    ${selectProfiles(table)}
    where t.tenant_id = ${tenantId} ${after === undefined ? empty : sql`and ${column} > ${after}`}
    order by ${column}
    limit ${limit}`;
}

/** How many products of a brand have details for consumers. */
export async function countProducts(database: DatabaseReader, tenantId: string): Promise<number> {
  return await countProfiles(database, PRODUCTS, tenantId);
}

/** How many places of a brand have details for consumers. */
export async function countPlaces(database: DatabaseReader, tenantId: string): Promise<number> {
  return await countProfiles(database, PLACES, tenantId);
}

async function countProfiles(
  database: DatabaseReader,
  table: ProfileTable,
  tenantId: string,
): Promise<number> {
  const row = await database.first<{ readonly total: number }>(sql`
    select count(*) as total
    from ${raw(table.name)}
    where tenant_id = ${tenantId}`);
  return present(row, 'the row of a count').total;
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
