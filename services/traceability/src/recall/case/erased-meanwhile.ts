// The guard of an opening, and customers who are erased while the recipients of the new case are searched: no
// block commits to them. Cases that are open already need none of this: an erasure raises their revision, and
// they are planned again.
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesInTurns } from '@lothub/kit/in-turns';
import { cutRowSlices, valueRows } from '@lothub/kit/rows/value-rows';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { ERASING } from '../../ledger/audit.ts';
import { CUSTOMER } from '../../ledger/record/delivery.ts';

/**
 * A guard that returns a row if no case has a greater number, and the tenant has erased no customer
 * since the recipients of the case were searched.
 */
export function isOpeningFit(opening: {
  readonly caseId: number;
  /** The newest one then. */
  readonly erasure: { readonly tenantId: string; readonly entryId: number };
}): Sql {
  const { caseId, erasure } = opening;
  return sql`
    select id
    from head
    where id = 1
      and not exists (select 1 from recall_cases where case_id > ${caseId})
      and not exists (
        select 1
        from audit_entries
        where tenant_id = ${erasure.tenantId} and action = ${ERASING}
          and -id < ${-erasure.entryId}
      )`;
}

/** Finds the names that are still customers of the tenant. */
export async function customersAmong(
  database: DatabaseReader,
  query: { readonly tenantNo: number; readonly customerRefs: readonly string[] },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const slice of slicesInTurns(query.customerRefs)) {
    for (const rows of cutRowSlices(slice.map((customerRef) => [customerRef]))) {
      const customers = await database.all<{ readonly customerRef: string }>(sql`
        select v.column1 as "customerRef"
        from (${valueRows(rows)}) v
        -- SQLite reads the tables of a cross join in their order: as a join it went through all events.
        where exists (
          select 1
          from private_lines p
          cross join events e
          where e.height = p.height and ${CUSTOMER} = v.column1 and e.tenant_no = ${query.tenantNo}
        )
        or exists (
          select 1
          from private_changes p
          cross join corrections c
          where c.height = p.height and p.to_text = v.column1
            -- In the words of the index, which holds no text that is longer; no customer is.
            and length(p.to_text) <= 200
            and c.tenant_no = ${query.tenantNo}
        )`);
      for (const { customerRef } of customers) found.add(customerRef);
    }
  }
  return found;
}
