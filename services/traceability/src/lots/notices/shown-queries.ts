// Queries on the recall cases that pages and feeds show: those that are open, and those that ended not long ago.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { empty, type Sql } from 'sql-template-tag';
import { CANCELLED } from '../../terms.ts';
import { coveringLot } from './covering-lot.ts';
import { IS_PUBLIC_CASE, OPEN_CASE_ROW, type PublishedCaseRow } from './queries.ts';

const FROM_CASES = sql`
  from recall_cases c
  join tenants t on t.tenant_no = c.tenant_no
  left join brands b on b.tenant_id = t.tenant_id`;

export interface ShownCasesPage {
  /** Cases that were closed before this instant are not shown. */
  readonly closedSince: string;
  /** Only of this brand. */
  readonly tenantId: string | undefined;
  /** Only those that cover a lot of this code, or a supplier's lot of it. */
  readonly lotCode: string | undefined;
  /** Only cases with numbers on this side of one; the nearest come first. */
  readonly side: 'below' | 'above';
  readonly caseId: number;
  readonly limit: number;
}

/** Cases that are open, and those that were closed since an instant; cancelled ones are left out. */
export async function shownCases(
  database: DatabaseReader,
  page: ShownCasesPage,
): Promise<readonly PublishedCaseRow[]> {
  const isBelow = page.side === 'below';
  const onSide = isBelow ? sql`c.case_id < ${page.caseId}` : sql`c.case_id > ${page.caseId}`;
  const order = isBelow ? sql`order by case_id desc` : sql`order by case_id`;
  const ofBrand = page.tenantId === undefined ? empty : sql`and t.tenant_id = ${page.tenantId}`;
  const ofLot = page.lotCode === undefined ? empty : coveringLot(page.lotCode);
  // Each part reads through an index of its own, and no more than the page has room for.
  const part = (condition: Sql) => sql`
    select case_id from (
      select c.case_id
      from recall_cases c
      join tenants t on t.tenant_no = c.tenant_no
      where ${condition} and ${IS_PUBLIC_CASE} and ${onSide} ${ofBrand} ${ofLot}
      ${order}
      limit ${page.limit}
    ) as part`;
  return await database.all<PublishedCaseRow>(sql`
    select ${OPEN_CASE_ROW}, c.ended_at as "endedAt"
    ${FROM_CASES}
    where c.case_id in (
      ${part(sql`c.ended_at is null`)}
      union all
      ${part(sql`c.ended_at >= ${page.closedSince} and c.status <> ${CANCELLED}`)}
    )
    ${order}
    limit ${page.limit}`);
}

/** The public case of this number, also one that ended. */
export async function findPublicCase(
  database: DatabaseReader,
  caseNo: string,
): Promise<PublishedCaseRow | undefined> {
  return await database.first<PublishedCaseRow>(sql`
    select ${OPEN_CASE_ROW}, c.ended_at as "endedAt"
    ${FROM_CASES}
    where c.case_no = ${caseNo} and ${IS_PUBLIC_CASE}`);
}

/** Cases that are open or ended since an instant, cancelled or not, those that changed last first. */
export async function lastChangedCases(
  database: DatabaseReader,
  page: {
    readonly endedSince: string;
    /** Only cases after this one. */
    readonly after: { readonly updatedAt: string; readonly caseId: number } | undefined;
    readonly limit: number;
  },
): Promise<readonly PublishedCaseRow[]> {
  const { endedSince, after, limit } = page;
  const behind =
    after === undefined
      ? empty
      : sql`and (
          c.updated_at < ${after.updatedAt}
          or (c.updated_at = ${after.updatedAt} and c.case_id < ${after.caseId})
        )`;
  const part = (condition: Sql) => sql`
    select case_id from (
      select c.case_id
      from recall_cases c
      where ${condition} and ${IS_PUBLIC_CASE} ${behind}
      order by c.updated_at desc, c.case_id desc
      limit ${limit}
    ) as part`;
  return await database.all<PublishedCaseRow>(sql`
    select ${OPEN_CASE_ROW}, c.ended_at as "endedAt"
    ${FROM_CASES}
    where c.case_id in (
      ${part(sql`c.ended_at is null`)}
      union all
      ${part(sql`c.ended_at >= ${endedSince}`)}
    )
    order by c.updated_at desc, c.case_id desc
    limit ${limit}`);
}

/** Numbers of the newest cases that cover a lot of one of these codes. @param lotCodes 1 to IN_LIST_MAX */
export async function casesCoveringLots(
  database: DatabaseReader,
  page: { readonly lotCodes: readonly string[]; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly caseId: number }>(sql`
    select r.case_id as "caseId"
    from lots l
    join recall_lots r on r.lot_no = l.lot_no and r.left_at is null
    where l.lot_code in (${inList(page.lotCodes)})
    group by r.case_id
    order by r.case_id desc
    limit ${page.limit}`);
  return rows.map(({ caseId }) => caseId);
}
