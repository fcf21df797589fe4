// Queries of the pages about lots that the capabilities do not have. Each query reads through an index and
// has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty } from 'sql-template-tag';
import type { CaseStatus, Severity } from '../../terms.ts';

export interface NamedSku {
  readonly sku: string;
  /** JSON: names by language. */
  readonly names: string;
}

/** Products of a brand that have a name, by SKU. */
export async function namedSkus(
  database: DatabaseReader,
  page: { readonly tenantId: string; readonly after: string; readonly limit: number },
): Promise<readonly NamedSku[]> {
  return await database.all<NamedSku>(sql`
    select sku, names
    from products
    where tenant_id = ${page.tenantId} and sku > ${page.after}
    order by sku
    limit ${page.limit}`);
}

/** Lots of the first events whose reference begins with a text, newest first. */
export async function lotsOfReferences(
  database: DatabaseReader,
  search: {
    readonly tenantNo: number;
    readonly prefix: string;
    /** Smallest text above all with the prefix; undefined when there is none. */
    readonly above: string | undefined;
    readonly events: number;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  const upper = search.above === undefined ? empty : sql`and reference < ${search.above}`;
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select distinct l.lot_no as "lotNo"
    from (
      select height
      from events
      where tenant_no = ${search.tenantNo} and reference >= ${search.prefix} ${upper}
      order by reference, height
      limit ${search.events}
    ) e
    join lines l on l.height = e.height
    order by l.lot_no desc
    limit ${search.limit}`);
  return rows.map(({ lotNo }) => lotNo);
}

export interface CaseOfLot {
  readonly caseNo: string;
  readonly title: string;
  readonly severity: Severity;
  readonly status: CaseStatus;
  readonly openedAt: string;
}

/** Cases of the lot's own brand that cover it, newest first; also those that ended, and those in confidence. */
export async function casesCoveringLot(
  database: DatabaseReader,
  page: { readonly lotNo: number; readonly limit: number },
): Promise<readonly CaseOfLot[]> {
  return await database.all<CaseOfLot>(sql`
    select c.case_no as "caseNo", c.title, c.severity, c.status, c.opened_at as "openedAt"
    from recall_lots r
    join recall_cases c on c.case_id = r.case_id
    where r.lot_no = ${page.lotNo} and r.left_at is null
    order by r.case_id desc
    limit ${page.limit}`);
}
