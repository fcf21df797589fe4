// Steps of recalls whose messages are not made yet, and the watches that each step concerns.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { parseCaseId } from '../../ledger/record/case-no.ts';
import type { WatchedChange } from '../../ledger/watching/notify-watchers.ts';
import type { TargetKind } from '../target.ts';

export interface MessageRow {
  readonly caseNo: string;
  readonly stepNo: number;
  readonly tenantId: string;
  readonly change: WatchedChange;
  readonly notifiesAll: 0 | 1;
  readonly caseStatus: string;
  readonly at: string;
  readonly lookedThrough: string;
}

/** The one that happened first. */
export async function firstMessage(reader: DatabaseReader): Promise<MessageRow | undefined> {
  return await reader.first<MessageRow>(sql`
    select
      case_no as "caseNo",
      step_no as "stepNo",
      tenant_id as "tenantId",
      change as "change",
      tells_all as "notifiesAll",
      case_status as "caseStatus",
      at as "at",
      looked_through as "lookedThrough"
    from watch_messages
    order by at, case_no, step_no
    limit 1`);
}

/** A guard: no other process has advanced. */
export function whileLookedThrough({ caseNo, stepNo, lookedThrough }: MessageRow): Sql {
  return sql`
    select case_no
    from watch_messages
    where case_no = ${caseNo} and step_no = ${stepNo} and looked_through = ${lookedThrough}`;
}

export function noteLookedThrough({ caseNo, stepNo }: MessageRow, watchId: string): Sql {
  return sql`
    update watch_messages
    set looked_through = ${watchId}
    where case_no = ${caseNo} and step_no = ${stepNo}`;
}

export function deleteMessage({ caseNo, stepNo }: MessageRow): Sql {
  return sql`delete from watch_messages where case_no = ${caseNo} and step_no = ${stepNo}`;
}

export interface WatchingRow {
  readonly id: string;
  readonly kind: TargetKind;
  readonly target: string;
}

/** Active watches of the brand, by id. */
export async function watchesBehind(
  reader: DatabaseReader,
  page: { readonly tenantId: string; readonly after: string; readonly limit: number },
): Promise<readonly WatchingRow[]> {
  return await reader.all<WatchingRow>(sql`
    select id as "id", kind as "kind", target as "target"
    from watches
    where tenant_id = ${page.tenantId} and status = 'active' and id > ${page.after}
    order by id
    limit ${page.limit}`);
}

/** What a step is to something that is watched. */
export type Concern =
  /** The case covered it before the step. */
  | 'covered'
  /** It entered the case by the step. */
  | 'entered'
  /** It left the case by the step. */
  | 'left';

export interface LotConcern {
  readonly lotCode: string;
  readonly concern: Concern;
}

/** Finds which of the lots a step concerns. @param lotCodes 1 to IN_LIST_MAX */
export async function concernedLots(
  reader: DatabaseReader,
  { caseNo, tenantId, at }: MessageRow,
  lotCodes: readonly string[],
): Promise<readonly LotConcern[]> {
  return await reader.all<LotConcern>(sql`
    select
      l.lot_code as "lotCode",
      case
        when r.left_at is not null then 'left'
        when r.entered_at = ${at} then 'entered'
        else 'covered'
      end as "concern"
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    join recall_lots r on r.case_id = ${parseCaseId(caseNo)} and r.lot_no = l.lot_no
    where t.tenant_id = ${tenantId}
      and l.lot_code in (${inList(lotCodes)})
      and (r.left_at = ${at} or (r.left_at is null and r.entered_at <= ${at}))`);
}

export interface SkuConcern {
  readonly sku: string;
  readonly concern: Exclude<Concern, 'left'>;
}

/** For each product that lots of the case are recorded with, whether one of them entered by the step. */
export async function concernedSkus(
  reader: DatabaseReader,
  { caseNo, at }: MessageRow,
): Promise<readonly SkuConcern[]> {
  return await reader.all<SkuConcern>(sql`
    select
      q.product_sku as "sku",
      case when max(r.entered_at) = ${at} then 'entered' else 'covered' end as "concern"
    from recall_lots r
    join lot_quantities q on q.lot_no = r.lot_no
    where r.case_id = ${parseCaseId(caseNo)} and r.left_at is null and r.entered_at <= ${at}
    group by q.product_sku`);
}

export interface GtinSku {
  readonly gtin: string;
  readonly sku: string;
}

/** Products of a brand with one of these GTINs. @param gtins 1 to IN_LIST_MAX */
export async function skusOfGtins(
  reader: DatabaseReader,
  query: { readonly tenantId: string; readonly gtins: readonly string[] },
): Promise<readonly GtinSku[]> {
  return await reader.all<GtinSku>(sql`
    select gtin as "gtin", sku as "sku"
    from products
    where tenant_id = ${query.tenantId} and gtin in (${inList(query.gtins)})`);
}
