// What the pages of imports read beside what is listed.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/** How many files of a brand wait, at most `limit`. */
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

/** The first places that the brand has named: a field proposes one. */
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
