// Queries of the pages about profiles: decisions on one subject, who made them, and the codes of the newest
// events and lots. Each walks an index from one end and stops at its limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { readHeights } from '../../ledger/read.ts';
import sql, { empty } from 'sql-template-tag';

/** Heights of the newest decisions on a subject below one, newest first. */
export async function heightsOfSubject(
  database: DatabaseReader,
  page: {
    readonly tenantId: string;
    readonly subject: string;
    readonly below: number;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  return await readHeights(
    database,
    sql`
      select height
      from decisions
      where tenant_id = ${page.tenantId} and type = 'brand' and subject = ${page.subject}
        and height < ${page.below}
      order by height desc
      limit ${page.limit}`,
  );
}

export interface Changer {
  readonly height: number;
  readonly actor: string;
}

/** The actors of the decisions in 1 to IN_LIST_MAX blocks about one subject, from the audit. */
export async function changersOfBlocks(
  database: DatabaseReader,
  query: {
    readonly tenantId: string;
    readonly entityId: string;
    readonly heights: readonly number[];
  },
): Promise<readonly Changer[]> {
  return await database.all<Changer>(sql`
    select block_height as height, actor
    from audit_entries
    where tenant_id = ${query.tenantId} and entity_id = ${query.entityId}
      and block_height in (${inList(query.heights)})
    order by block_height`);
}

/** SKUs of a tenant's newest lots, each once. @param newest `limit`: lots that are read */
export async function skusOfNewestLots(
  database: DatabaseReader,
  newest: { readonly tenantNo: number; readonly limit: number },
): Promise<readonly string[]> {
  // Reads the search texts: every lot has one, and they are in the order of a tenant's lots.
  const rows = await database.all<{ readonly sku: string }>(sql`
    select distinct sku
    from (
      select l.product_sku as sku
      from lot_texts t
      join lots l on l.lot_no = t.lot_no
      where t.tenant_no = ${newest.tenantNo}
      order by t.lot_no desc
      limit ${newest.limit}
    ) as newest
    order by sku`);
  return rows.map(({ sku }) => sku);
}

/** Suppliers of a tenant's newest receipts, each once. @param newest `limit`: receipts that are read */
export async function suppliersOfNewestReceipts(
  database: DatabaseReader,
  newest: { readonly tenantNo: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await database.all<{ readonly name: string }>(sql`
    select distinct p.supplier_name as name
    from (
      select height
      from events
      where tenant_no = ${newest.tenantNo} and event_type = 'RECEIVE'
      order by height desc
      limit ${newest.limit}
    ) as newest
    join provenances p on p.height = newest.height
    where p.supplier_name is not null
    order by name`);
  return rows.map(({ name }) => name);
}

/** The ones among 1 to IN_LIST_MAX names of suppliers that are linked to a brand. */
export async function linkedNames(
  database: DatabaseReader,
  query: { readonly tenantId: string; readonly names: readonly string[] },
): Promise<readonly string[]> {
  const rows = await database.all<{ readonly name: string }>(sql`
    select name
    from suppliers
    where tenant_id = ${query.tenantId} and name in (${inList(query.names)})`);
  return rows.map(({ name }) => name);
}

/** The newest lot of a tenant, or of one of its products. @param newest `limit`: lots that are read */
export async function findNewestLot(
  database: DatabaseReader,
  newest: {
    readonly tenantNo: number;
    readonly sku: string | undefined;
    readonly limit: number;
  },
): Promise<{ readonly lotCode: string; readonly sku: string } | undefined> {
  return await database.first<{ readonly lotCode: string; readonly sku: string }>(sql`
    select "lotCode", sku
    from (
      select t.lot_no, l.lot_code as "lotCode", l.product_sku as sku
      from lot_texts t
      join lots l on l.lot_no = t.lot_no
      where t.tenant_no = ${newest.tenantNo}
      order by t.lot_no desc
      limit ${newest.limit}
    ) as newest
    ${newest.sku === undefined ? empty : sql`where sku = ${newest.sku}`}
    order by lot_no desc
    limit 1`);
}

/** The newest events of a tenant with the number of their lines. */
export async function readNewestEvents(
  database: DatabaseReader,
  newest: { readonly tenantNo: number; readonly limit: number },
): Promise<readonly { readonly height: number; readonly lineCount: number }[]> {
  return await database.all<{ readonly height: number; readonly lineCount: number }>(sql`
    select height, line_count as "lineCount"
    from events
    where tenant_no = ${newest.tenantNo}
    order by height desc
    limit ${newest.limit}`);
}
