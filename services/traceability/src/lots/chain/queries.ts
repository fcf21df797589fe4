// Queries of the chain of a lot: when events occurred, and which lots came in under a supplier's lot
// code. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

export interface EventMoment {
  readonly height: number;
  /** The time that counts now. */
  readonly occurredAt: string;
}

/** The events among the blocks of 1 to IN_LIST_MAX heights, and when they occurred; unordered. */
export async function momentsOfEvents(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly EventMoment[]> {
  return await database.all<EventMoment>(sql`
    select height, occurred_at as "occurredAt"
    from events
    where height in (${inList(heights)})`);
}

/** The first lots of a tenant that came in under a supplier's lot code. */
export async function lotsOfSupplierCode(
  database: DatabaseReader,
  search: {
    readonly tenantNo: number;
    readonly supplierLotCode: string;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select distinct lot_no as "lotNo"
    from provenances
    where tenant_no = ${search.tenantNo} and supplier_lot_code = ${search.supplierLotCode}
    order by lot_no
    limit ${search.limit}`);
  return rows.map((row) => row.lotNo);
}
