// Further queries of the pages of imports.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/** Counts the waiting files of a brand, up to `limit`. */
export async function filesWaiting(
  database: Pick<DatabaseReader, 'first'>,
  asked: { readonly tenantId: string; readonly since: string; readonly limit: number },
): Promise<number> {
  const found = await database.first<{ readonly count: number }>(sql`
    select count(*) as count
    from (
      select 1
      from imports
      where tenant_id = ${asked.tenantId}
        and created_at >= ${asked.since}
        and folder_id is not null
        and state <> 'imported'
      limit ${asked.limit}
    ) as waiting`);
  return found?.count ?? 0;
}

/** The first places of the events of a brand; a field suggests them. */
export async function placesOfEvents(
  database: Pick<DatabaseReader, 'all'>,
  tenantId: string,
): Promise<readonly string[]> {
  const rows = await database.all<{ readonly location: string }>(sql`
    select location
    from places
    where tenant_id = ${tenantId}
    order by location
    limit 20`);
  return rows.map(({ location }) => location);
}
