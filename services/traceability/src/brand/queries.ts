// Queries on what consumers read about a brand, its products and places, each with the block that says it.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql, { empty, raw } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
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

type ToldTable = typeof BRANDS | typeof PRODUCTS | typeof PLACES;

/** Rows `t` of a table, each with the hash of its block. */
function toldRows(table: ToldTable): Sql {
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
    ${toldRows(BRANDS)}
    where t.tenant_id = ${tenantId}`);
}

export async function findProduct(
  database: DatabaseReader,
  { tenantId, sku }: { readonly tenantId: string; readonly sku: string },
): Promise<FoundProduct | undefined> {
  return await database.first<FoundProduct>(sql`
    ${toldRows(PRODUCTS)}
    where t.tenant_id = ${tenantId} and t.sku = ${sku}`);
}

export async function findPlace(
  database: DatabaseReader,
  { tenantId, location }: { readonly tenantId: string; readonly location: string },
): Promise<FoundPlace | undefined> {
  return await database.first<FoundPlace>(sql`
    ${toldRows(PLACES)}
    where t.tenant_id = ${tenantId} and t.location = ${location}`);
}

export async function productsBehind(
  database: DatabaseReader,
  page: ToldPage,
): Promise<readonly FoundProduct[]> {
  return await database.all<FoundProduct>(toldPage(PRODUCTS, 'sku', page));
}

export async function placesBehind(
  database: DatabaseReader,
  page: ToldPage,
): Promise<readonly FoundPlace[]> {
  return await database.all<FoundPlace>(toldPage(PLACES, 'location', page));
}

function toldPage(table: ToldTable, key: string, { tenantId, after, limit }: ToldPage): Sql {
  const column = raw(`t.${key}`);
  return sql`
    ${toldRows(table)}
    where t.tenant_id = ${tenantId} ${after === undefined ? empty : sql`and ${column} > ${after}`}
    order by ${column}
    limit ${limit}`;
}

/** How many products of a brand have details for consumers. */
export async function countProducts(database: DatabaseReader, tenantId: string): Promise<number> {
  return await countTold(database, PRODUCTS, tenantId);
}

/** How many places of a brand have details for consumers. */
export async function countPlaces(database: DatabaseReader, tenantId: string): Promise<number> {
  return await countTold(database, PLACES, tenantId);
}

async function countTold(
  database: DatabaseReader,
  table: ToldTable,
  tenantId: string,
): Promise<number> {
  const row = await database.first<{ readonly told: number }>(sql`
    select count(*) as told
    from ${raw(table.name)}
    where tenant_id = ${tenantId}`);
  return present(row, 'the row of a count').told;
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
