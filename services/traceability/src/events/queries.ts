// The tenant's own events: newest first, and which external ids it has used.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX, inList, slicesOf } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

interface HeightRow {
  readonly height: number;
}

/** Heights of a tenant's newest events below `before`. */
export async function newestEventHeights(
  database: DatabaseReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await database.all<HeightRow>(sql`
    select e.height
    from tenants t
    join events e on e.tenant_no = t.tenant_no
    where t.tenant_id = ${page.tenantId} and e.height < ${page.before}
    order by e.height desc
    limit ${page.limit}`);
  return rows.map((row) => row.height);
}

/** Which of these external ids a tenant's events have. */
export async function usedExternalIds(
  database: DatabaseReader,
  of: { readonly tenantId: string; readonly externalIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const slice of slicesOf(of.externalIds, IN_LIST_MAX)) {
    const rows = await database.all<{ readonly external_id: string }>(sql`
      select e.external_id
      from tenants t
      join events e on e.tenant_no = t.tenant_no
      where t.tenant_id = ${of.tenantId} and e.external_id in (${inList(slice)})`);
    for (const row of rows) used.add(row.external_id);
  }
  return used;
}
