// Queries of the console that the capabilities do not have.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

/**
 * Names of brands, by tenant; brands without a name are not in the map.
 * @param tenantIds those of one person, or of one page
 */
export async function namesOfBrands(
  database: DatabaseReader,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await database.all<{ readonly tenant_id: string; readonly name: string }>(sql`
    select tenant_id, name
    from brands
    where tenant_id in (${inList(tenantIds)})
      and name is not null`);
  return new Map(rows.map(({ tenant_id: id, name }) => [id, name]));
}

/** Finds a brand that has written something or has set its name; undefined: the hub has none of this id. */
export async function findBrand(
  database: DatabaseReader,
  tenantId: string,
): Promise<{ readonly name: string | undefined } | undefined> {
  const row = await database.first<{ readonly name: string | null }>(sql`
    select max(name) as name
    from (
      select name from brands where tenant_id = ${tenantId}
      union all
      select null as name from tenants where tenant_id = ${tenantId}
    ) as found
    having count(*) > 0`);
  return row === undefined ? undefined : { name: row.name ?? undefined };
}
