// Finds a tenant's lot by its code. It never reveals whether another tenant has the code.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { findLot, type LotRow } from './queries.ts';
import { noSuchLot } from './similar-codes.ts';

/** @throws Refusal `not_found` when the tenant has no lot of this code */
export async function getOwnLot(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly lotCode: string },
): Promise<LotRow> {
  const lot = await findLot(database, asked);
  if (lot === undefined) throw await noSuchLot(database, asked);
  return lot;
}

/** SQL for the number and first height of the lot, for a query on rows of the lot. */
export function placeOfOwnLot(lot: { readonly lotCode: string; readonly tenantId: string }): {
  readonly lotNo: Sql;
  readonly firstHeight: Sql;
} {
  const from = sql`
    from tenants own_t
    join lots own_l on own_l.tenant_no = own_t.tenant_no
    where own_t.tenant_id = ${lot.tenantId} and own_l.lot_code = ${lot.lotCode}`;
  return {
    lotNo: sql`(select own_l.lot_no ${from})`,
    firstHeight: sql`(select own_l.first_height ${from})`,
  };
}
