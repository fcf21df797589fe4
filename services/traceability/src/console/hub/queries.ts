// Brands of the ledger, for its operators.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/**
 * Tenants that have written something, in the order of their ids.
 * @param after only tenants after this one; an empty text is before all
 */
export async function tenantsAfter(
  database: DatabaseReader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await database.all<{ readonly tenant_id: string }>(sql`
    select tenant_id
    from tenants
    where tenant_id > ${after}
    order by tenant_id
    limit ${limit}`);
  return rows.map(({ tenant_id: id }) => id);
}
