// The lots that a decision names by their codes, as a condition on their rows.
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/**
 * Returns a condition on rows `l` of `lots`. @param codes of lots of the brand, 1 to IN_LIST_MAX
 */
export function buildLotsCondition(brand: string, codes: readonly string[]): Sql {
  return sql`
    l.tenant_no = (select tenant_no from tenants where tenant_id = ${brand})
    and l.lot_code in (${inList(codes)})`;
}
