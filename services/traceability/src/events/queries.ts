// The tenant's own events, newest first, with what only the tenant may see of them.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { join } from 'sql-template-tag';

interface HeightRow {
  readonly height: number;
}

/** Heights of a tenant's newest events below `before`. */
export async function newestEventHeights(
  database: DatabaseReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await database.all<HeightRow>(sql`
    select events.height from events
    join tenants on tenants.tenant_no = events.tenant_no
    where tenants.tenant_id = ${page.tenantId} and events.height < ${page.before}
    order by events.height desc limit ${page.limit}`);
  return rows.map((row) => row.height);
}

export interface PrivateLineRow {
  readonly height: number;
  readonly line_no: number;
  readonly customer_ref: string | null;
  readonly channel: string | null;
}

export interface PrivateNotesRow {
  readonly height: number;
  readonly notes: string;
}

export async function privateLinesOf(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly PrivateLineRow[]> {
  if (heights.length === 0) return [];
  return await database.all<PrivateLineRow>(sql`
    select height, line_no, customer_ref, channel from private_lines
    where height in (${join([...heights])})`);
}

export async function privateNotesOf(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly PrivateNotesRow[]> {
  if (heights.length === 0) return [];
  return await database.all<PrivateNotesRow>(sql`
    select height, notes from private_notes where height in (${join([...heights])})`);
}
