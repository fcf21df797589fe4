// Queries of decisions for the explorer: by brand, by type or subject. Each walks an index from one end and
// stops at its limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty, type Sql } from 'sql-template-tag';
import { readHeights } from '../ledger/read.ts';

export async function countDecisions(database: DatabaseReader, tenantId: string): Promise<number> {
  const row = await database.first<{ readonly decisions: number }>(sql`
    select count(*) as decisions
    from decisions
    where tenant_id = ${tenantId}`);
  return Number(present(row, 'a count').decisions);
}

/** Heights of the newest decisions of a type, and of those about a subject, such as the number of a case. */
export async function heightsOfDecisions(
  database: DatabaseReader,
  search: {
    readonly type: string;
    readonly subject: string;
    readonly tenantNo: number | undefined;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  const tenant = decidedBy(search.tenantNo);
  return await readHeights(
    database,
    sql`
      select height
      from (
        select height
        from decisions
        where type = ${search.type} ${tenant}
        order by height desc
        limit ${search.limit}
      ) as ends
      union all
      select height
      from (
        select height
        from decisions
        where subject = ${search.subject} and subject <> '' ${tenant}
        order by height desc
        limit ${search.limit}
      ) as ends
      order by height desc
      limit ${search.limit}`,
  );
}

function decidedBy(tenantNo: number | undefined): Sql {
  return tenantNo === undefined
    ? empty
    : sql`and tenant_id = (select tenant_id from tenants where tenant_no = ${tenantNo})`;
}
