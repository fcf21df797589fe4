// The tenant's own events, newest first.
import type { DatabaseReader } from '@lothub/kit/database';
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
