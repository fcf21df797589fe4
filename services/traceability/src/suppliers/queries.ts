// Queries on the links of suppliers' names to brands. Each reads through an index.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty } from 'sql-template-tag';

export interface SupplierLink {
  readonly name: string;
  /** Tenant id. */
  readonly brand: string;
  readonly brandName: string;
  readonly linkedAt: string;
}

const LINK = sql`
  select s.name, s.brand, coalesce(b.name, s.brand) as "brandName", s.linked_at as "linkedAt"
  from suppliers s
  left join brands b on b.tenant_id = s.brand`;

export async function findLink(
  database: DatabaseReader,
  { tenantId, name }: { readonly tenantId: string; readonly name: string },
): Promise<SupplierLink | undefined> {
  return await database.first<SupplierLink>(sql`
    ${LINK}
    where s.tenant_id = ${tenantId} and s.name = ${name}`);
}

/** The next links behind a name, by name. */
export async function linksBehind(
  database: DatabaseReader,
  page: { readonly tenantId: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly SupplierLink[]> {
  const { tenantId, after, limit } = page;
  return await database.all<SupplierLink>(sql`
    ${LINK}
    where s.tenant_id = ${tenantId} ${after === undefined ? empty : sql`and s.name > ${after}`}
    order by s.name
    limit ${limit}`);
}

export async function countLinks(database: DatabaseReader, tenantId: string): Promise<number> {
  const row = await database.first<{ readonly links: number }>(sql`
    select count(*) as links
    from suppliers
    where tenant_id = ${tenantId}`);
  return present(row, 'the row of a count').links;
}

/** Whether the brand has recorded events or published anything for consumers. */
export async function isBrand(database: DatabaseReader, tenantId: string): Promise<boolean> {
  const row = await database.first<{ readonly found: number }>(sql`
    select 1 as found from tenants where tenant_id = ${tenantId}
    union all
    select 1 as found from brands where tenant_id = ${tenantId}`);
  return row !== undefined;
}
