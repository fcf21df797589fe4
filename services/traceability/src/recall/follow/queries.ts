// Queries of following the chain: what blocks change of open cases. Each reads through an index, and is
// bounded by the blocks or lots that are requested.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { valueRows } from '@lothub/kit/rows/value-rows';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { LinkBasis } from '../../ledger/record/link-basis.ts';
import { CUSTOMER, IS_HANDOVER } from '../../ledger/record/delivery.ts';
import type { LotPlace, Side } from '../../lots/queries.ts';
import type { RecallDirection } from '../../terms.ts';
import type { ImpactLine } from '../trace/impact-lines.ts';
import type { LotOfCase } from '../case/lot-queries.ts';
import { CASE_ROW, type RecallCase } from '../case/rows.ts';

export interface FollowingRow {
  /** Through which block the open cases have been widened; null before the first case. */
  readonly followedHeight: number | null;
  /** How often cases were widened; null before the first case. */
  readonly widenings: number | null;
  /** Of the tip. */
  readonly height: number;
  /** 0 while no case is open. */
  readonly lastOpenCase: number;
  /** The block through which the newest open case was searched when it was opened; 0 without one. */
  readonly lastOpenedHeight: number;
  /** The newest case, in any state; 0 before the first. */
  readonly lastCase: number;
}

/** Reads how far the cases were followed, and the height of the tip, both at one moment. */
export async function readFollowing(database: DatabaseReader): Promise<FollowingRow> {
  const row = await database.first<FollowingRow>(sql`
    select p.followed_height as "followedHeight", p.widenings, h.height,
      coalesce((
        select case_id from recall_cases where ended_at is null order by case_id desc limit 1
      ), 0) as "lastOpenCase",
      coalesce((
        select opened_height
        from recall_cases
        where ended_at is null
        order by case_id desc
        limit 1
      ), 0) as "lastOpenedHeight",
      coalesce((select case_id from recall_cases order by case_id desc limit 1), 0) as "lastCase"
    from head h
    left join recall_progress p on p.id = h.id
    where h.id = 1`);
  if (row === undefined) throw new Error('following the chain: the ledger has no head');
  return row;
}

/** Hash of a block that is there. */
export async function findHash(database: DatabaseReader, height: number): Promise<string> {
  const row = await database.first<{ readonly hash: string }>(sql`
    select hash from blocks where height = ${height}`);
  if (row === undefined) throw new Error(`following the chain: block ${height} is not there`);
  return row.hash;
}

export interface CorrectionPlace {
  readonly height: number;
  readonly correctsHeight: number;
}

/** Corrections among some blocks. */
export async function correctionsBetween(
  database: DatabaseReader,
  blocks: { readonly above: number; readonly through: number },
): Promise<readonly CorrectionPlace[]> {
  return await database.all<CorrectionPlace>(sql`
    select height, corrects_height as "correctsHeight"
    from corrections
    where height > ${blocks.above} and height <= ${blocks.through}`);
}

/** An event as far as it may link lots. */
export interface ChangedEvent {
  readonly height: number;
  readonly tenantNo: number;
  readonly linkBasis: LinkBasis;
  readonly reference: string;
  readonly lineCount: number;
}

/** Events among 1 to IN_LIST_MAX blocks. */
export async function eventsAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly ChangedEvent[]> {
  return await database.all<ChangedEvent>(sql`
    select height, tenant_no as "tenantNo", link_basis as "linkBasis", reference,
      line_count as "lineCount"
    from events
    where height in (${inList(heights)})
    order by height`);
}

/**
 * A condition: an open case covers the lot. It searches lot by lot. With `exists`, which can be
 * made a join, PostgreSQL read all lots of all open cases for each step, most of the time of
 * following 1,000 cases.
 */
function isCovered(lotNo: Sql): Sql {
  return sql`(
    select 1
    from recall_lots r
    where r.lot_no = ${lotNo} and r.left_at is null and ${isOpen(sql`r.case_id`)}
    limit 1
  ) is not null`;
}

/** A condition: an open case excludes the lot. It searches as `isCovered` does. */
function isExcluded(lotNo: Sql): Sql {
  return sql`(
    select 1
    from recall_lots_by_hand h
    where h.lot_no = ${lotNo} and h.said = 'excluded' and ${isOpen(sql`h.case_id`)}
    limit 1
  ) is not null`;
}

/** A condition: the case, which exists, is open. */
function isOpen(caseId: Sql): Sql {
  return sql`(select c.ended_at from recall_cases c where c.case_id = ${caseId}) is null`;
}

/** Finds the lots among 1 to ROWS_MAX that an open case covers. */
export function coveredAmong(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly LotNumber[]> {
  return lotsAmong(database, lotNos, isCovered);
}

/** Finds the lots among 1 to ROWS_MAX that an open case excludes. */
export function excludedAmong(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly LotNumber[]> {
  return lotsAmong(database, lotNos, isExcluded);
}

interface LotNumber {
  readonly lotNo: number;
}

async function lotsAmong(
  database: DatabaseReader,
  lotNos: readonly number[],
  condition: (lotNo: Sql) => Sql,
): Promise<readonly LotNumber[]> {
  return await database.all<LotNumber>(sql`
    select cast(v.column1 as bigint) as "lotNo"
    from (${valueRows(lotNos.map((lotNo) => [lotNo]))}) v
    where ${condition(sql`cast(v.column1 as bigint)`)}`);
}

/** An event that links lots by its reference. */
export type OneSidedEvent = Pick<ChangedEvent, 'height' | 'reference' | 'lineCount'>;

/**
 * One-sided events of 1 to IN_LIST_MAX references of a tenant, in no order: for an order PostgreSQL went through
 * all of the tenant's.
 */
export async function readOneSidedEvents(
  database: DatabaseReader,
  query: {
    readonly tenantNo: number;
    readonly references: readonly string[];
    readonly limit: number;
  },
): Promise<readonly OneSidedEvent[]> {
  return await database.all<OneSidedEvent>(sql`
    select height, reference, line_count as "lineCount"
    from events
    where tenant_no = ${query.tenantNo} and reference in (${inList(query.references)})
      and link_basis = 2
    limit ${query.limit}`);
}

/** Lines of 1 to IN_LIST_MAX events whose lot an open case covers. */
export async function coveredLines(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly (LotPlace & { readonly lineNo: number })[]> {
  return await database.all<LotPlace & { readonly lineNo: number }>(sql`
    select l.height, l.line_no as "lineNo", l.lot_no as "lotNo"
    from lines l
    where l.height in (${inList(heights)}) and ${isCovered(sql`l.lot_no`)}`);
}

/**
 * Finds the lines of 1 to IN_LIST_MAX events whose lot an open case excludes. It is a separate
 * query: with both conditions in one query PostgreSQL may read all lots of all cases.
 */
export async function excludedLines(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly LotPlace[]> {
  return await database.all<LotPlace>(sql`
    select l.height, l.lot_no as "lotNo"
    from lines l
    where l.height in (${inList(heights)}) and ${isExcluded(sql`l.lot_no`)}`);
}

/** Lots that 1 to IN_LIST_MAX blocks mention. */
export async function lotsMentionedAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly LotPlace[]> {
  return await database.all<LotPlace>(sql`
    select lot_no as "lotNo", height
    from lot_mentions
    where height in (${inList(heights)})`);
}

/** An open case, as far as it says which way its scope goes. */
export interface CaseWay {
  readonly caseId: number;
  readonly revision: number;
  readonly direction: RecallDirection;
  /** Null: a supplier's lot is the seed. */
  readonly seedLotNo: number | null;
}

/** A lot of an open case. */
export interface CoveredLot extends CaseWay, LotOfCase {}

/** Reads which open cases cover 1 to IN_LIST_MAX lots, by lot and case. */
export async function casesOfLots(
  database: DatabaseReader,
  page: {
    readonly lotNos: readonly number[];
    readonly after: Pick<CoveredLot, 'lotNo' | 'caseId'>;
    readonly limit: number;
  },
): Promise<readonly CoveredLot[]> {
  const { lotNo, caseId } = page.after;
  return await database.all<CoveredLot>(sql`
    select r.lot_no as "lotNo", r.case_id as "caseId", r.relation, r.distance,
      r.both_ways as "bothWays", c.revision, c.direction, c.seed_lot_no as "seedLotNo"
    from recall_lots r
    join recall_cases c on c.case_id = r.case_id
    where r.lot_no in (${inList(page.lotNos)}) and (r.lot_no, r.case_id) > (${lotNo}, ${caseId})
      and r.left_at is null and c.ended_at is null
    order by r.lot_no, r.case_id
    limit ${page.limit}`);
}

/** An open case that excludes a lot. */
export interface ExcludedLot extends CaseWay {
  readonly lotNo: number;
}

/** Reads which open cases exclude 1 to IN_LIST_MAX lots, by lot and case. */
export async function casesExcludingLots(
  database: DatabaseReader,
  page: {
    readonly lotNos: readonly number[];
    readonly after: Pick<ExcludedLot, 'lotNo' | 'caseId'>;
    readonly limit: number;
  },
): Promise<readonly ExcludedLot[]> {
  const { lotNo, caseId } = page.after;
  return await database.all<ExcludedLot>(sql`
    select h.lot_no as "lotNo", h.case_id as "caseId", c.revision, c.direction,
      c.seed_lot_no as "seedLotNo"
    from recall_lots_by_hand h
    join recall_cases c on c.case_id = h.case_id
    where h.lot_no in (${inList(page.lotNos)}) and (h.lot_no, h.case_id) > (${lotNo}, ${caseId})
      and h.said = 'excluded' and c.ended_at is null
    order by h.lot_no, h.case_id
    limit ${page.limit}`);
}

/** A lot that came in under the lot code of a supplier for which a case is open. */
export interface CoveredDelivery extends CaseWay {
  readonly lotNo: number;
}

/**
 * Finds the events among 1 to IN_LIST_MAX that deliver a lot on whose code a case was opened, in
 * any state.
 */
export async function deliveriesAmong(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly { readonly height: number }[]> {
  return await database.all<{ readonly height: number }>(sql`
    select p.height
    from provenances p
    where p.height in (${inList(heights)}) and p.supplier_lot_code is not null
      and (
        select 1
        from recall_cases c
        where c.tenant_no = p.tenant_no and c.seed_lot_code = p.supplier_lot_code
          and c.seed_lot_no is null
        limit 1
      ) is not null`);
}

/** Deliveries of 1 to IN_LIST_MAX events that an open case on a supplier's lot covers. */
export async function coveredDeliveries(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly CoveredDelivery[]> {
  return await database.all<CoveredDelivery>(sql`
    select p.lot_no as "lotNo", c.case_id as "caseId", c.revision, c.direction,
      c.seed_lot_no as "seedLotNo"
    from provenances p
    join recall_cases c
      on c.tenant_no = p.tenant_no and c.seed_lot_code = p.supplier_lot_code
    where p.height in (${inList(heights)}) and p.supplier_lot_code is not null
      and c.seed_lot_no is null and c.ended_at is null
      and (c.seed_supplier_name is null or p.supplier_name is null
        or c.seed_supplier_name = p.supplier_name)`);
}

/** Lots on both sides of 1 to IN_LIST_MAX events. */
export async function lotsOnSides(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly (LotPlace & { readonly side: Side })[]> {
  return await database.all<LotPlace & { readonly side: Side }>(sql`
    select height, lot_no as "lotNo", direction as side
    from lines
    where height in (${inList(heights)})`);
}

/** A line to a customer that counts, with the original recipient. */
export type SoldLineRow = Pick<
  ImpactLine,
  'lotNo' | 'height' | 'lineNo' | 'corrections' | 'customerRef' | 'channel' | 'isOpen'
>;

/** Lines to customers among 1 to IN_LIST_MAX events. The heights thrice, or PostgreSQL reads all lines. */
export async function soldLinesAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly SoldLineRow[]> {
  const list = inList(heights);
  return await database.all<SoldLineRow>(sql`
    select l.lot_no as "lotNo", l.height, l.line_no as "lineNo", e.correction_count as corrections,
      ${CUSTOMER} as "customerRef", p.channel,
      case when p.height is null then 0 else 1 end as "isOpen"
    from events e
    join lines l on l.height = e.height and l.height in (${list})
    left join private_lines p on p.height = l.height and p.line_no = l.line_no
      and p.height in (${list})
    where e.height in (${list}) and e.voided = 0 and ${IS_HANDOVER}`);
}

/** Reads which suppliers delivered which lots with 1 to IN_LIST_MAX RECEIVE events. */
export async function suppliersAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly { readonly lotNo: number; readonly supplierName: string | null }[]> {
  return await database.all<{ readonly lotNo: number; readonly supplierName: string | null }>(sql`
    select lot_no as "lotNo", supplier_name as "supplierName"
    from provenances
    where height in (${inList(heights)}) and is_leaf = 1`);
}

/** An open case as it is widened. */
export interface FollowedCase extends RecallCase {
  readonly tenantId: string;
}

/** undefined when the case has ended. */
export async function findFollowedCase(
  database: DatabaseReader,
  caseId: number,
): Promise<FollowedCase | undefined> {
  return await database.first<FollowedCase>(sql`
    select ${CASE_ROW}, t.tenant_id as "tenantId"
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.case_id = ${caseId} and c.ended_at is null`);
}

export interface OpenCase {
  readonly caseId: number;
  /** Height of the block of its opening. */
  readonly openedBlock: number;
}

/** The open case with the next number; undefined after the last one. */
export async function findOpenCaseAfter(
  database: DatabaseReader,
  after: number,
): Promise<OpenCase | undefined> {
  return await database.first<OpenCase>(sql`
    select c.case_id as "caseId", coalesce((
      select block_height from recall_moves m where m.case_id = c.case_id and m.move_no = 1
    ), -1) as "openedBlock"
    from recall_cases c
    where c.ended_at is null and c.case_id > ${after}
    order by c.case_id
    limit 1`);
}
