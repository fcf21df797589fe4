// The query of the form of one event.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

/** Finds the product of a brand with one of these GTINs, which are spellings of one number. */
export async function findSkuOfGtin(
  database: Pick<DatabaseReader, 'first'>,
  asked: { readonly tenantId: string; readonly gtins: readonly string[] },
): Promise<string | undefined> {
  const found = await database.first<{ readonly sku: string }>(sql`
    select sku
    from products
    where gtin in (${inList(asked.gtins)}) and tenant_id = ${asked.tenantId}
    order by sku
    limit 1`);
  return found?.sku;
}
