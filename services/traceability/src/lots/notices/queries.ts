// Queries on the open recall cases that are public, and on the lots that they cover. None of them
// reads who opened a case, or its recipients.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { BRAND_NAME, type BrandNameRow } from '../profiles/brand-texts.ts';
import { coveringLot } from './covering-lot.ts';
import { isHiddenCase } from '../../ledger/decisions/hidden-cases.ts';
import type { CaseStatus, Severity } from '../../terms.ts';

export interface OpenCaseRow extends BrandNameRow {
  readonly caseId: number;
  readonly caseNo: string;
  readonly tenantNo: number;
  readonly website: string | null;
  readonly recallContact: string | null;
  readonly seedLotCode: string;
  /** Null: a supplier's lot. */
  readonly seedLotNo: number | null;
  /** 0 of a supplier's lot, and of an own one that is excluded. */
  readonly coversSeed: 0 | 1;
  readonly title: string;
  readonly reason: string;
  /** Canonical JSON (`CaseWording`). */
  readonly wording: string | null;
  readonly severity: Severity;
  readonly status: CaseStatus;
  readonly openedAt: string;
  readonly updatedAt: string;
  /** Grows with each change of the case and of the lots that it covers. */
  readonly revision: number;
  /** Corrections of the tenant: nothing else changes the SKU of a lot. */
  readonly corrections: number;
  /** 1 if any product of the brand has a profile. */
  readonly hasProfiles: 0 | 1;
}

/** A column for tenants `t`. */
const HAS_PROFILES = sql`
  case
    when exists (select 1 from products p where p.tenant_id = t.tenant_id) then 1 else 0
  end as "hasProfiles"`;

/** Columns of `OpenCaseRow`, of cases `c` with their tenants `t` and brands `b`. */
export const OPEN_CASE_ROW = sql`
  c.case_id as "caseId", c.case_no as "caseNo", c.tenant_no as "tenantNo",
  t.tenant_id as "tenantId", ${BRAND_NAME}, b.website,
  b.recall_contact as "recallContact", c.seed_lot_code as "seedLotCode",
  c.seed_lot_no as "seedLotNo",
  case when exists (
    select 1
    from recall_lots s
    where s.case_id = c.case_id and s.lot_no = c.seed_lot_no and s.left_at is null
  ) then 1 else 0 end as "coversSeed",
  c.title, c.reason, c.wording, c.severity, c.status,
  c.opened_at as "openedAt", c.updated_at as "updatedAt", c.revision, t.corrections,
  ${HAS_PROFILES}`;

/** The fields of a case's brand that notices use. */
export type BrandOfNotices = Pick<
  OpenCaseRow,
  keyof BrandNameRow | 'website' | 'recallContact' | 'hasProfiles'
>;

/** Undefined when there is no such tenant. */
export async function findBrandOfNotices(
  database: DatabaseReader,
  tenantId: string,
): Promise<BrandOfNotices | undefined> {
  return await database.first<BrandOfNotices>(sql`
    select t.tenant_id as "tenantId", ${BRAND_NAME}, b.website,
      b.recall_contact as "recallContact", ${HAS_PROFILES}
    from tenants t
    left join brands b on b.tenant_id = t.tenant_id
    where t.tenant_id = ${tenantId}`);
}

/**
 * A condition on rows `c` of `recall_cases`: the public may see the case. Everything public uses
 * this: notices, histories, and the blocks of a case that are named beside a lot.
 */
export const IS_PUBLIC_CASE = sql`not ${isHiddenCase('c')}`;

/** Cases that are open, newest first. */
export async function newestOpenCases(
  database: DatabaseReader,
  page: {
    /** Only of this brand. */
    readonly tenantId: string | undefined;
    /** Only those that cover a lot of this code, or a supplier's lot of it. */
    readonly lotCode: string | undefined;
    /** Only cases with smaller numbers. */
    readonly below: number;
    readonly limit: number;
  },
): Promise<readonly OpenCaseRow[]> {
  const ofBrand = page.tenantId === undefined ? empty : sql`and t.tenant_id = ${page.tenantId}`;
  const ofLot = page.lotCode === undefined ? empty : coveringLot(page.lotCode);
  return await database.all<OpenCaseRow>(sql`
    select ${OPEN_CASE_ROW}
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where c.ended_at is null and ${IS_PUBLIC_CASE} and c.case_id < ${page.below} ${ofBrand} ${ofLot}
    order by c.case_id desc
    limit ${page.limit}`);
}

/** Finds the open, public case of this number. */
export async function findOpenCase(
  database: DatabaseReader,
  caseNo: string,
): Promise<OpenCaseRow | undefined> {
  return await findWhere(database, sql`c.case_no = ${caseNo} and ${IS_PUBLIC_CASE}`);
}

/** The open case of this number, also one in confidence: for its brand, not for the public. */
export async function findOpenCaseByNo(
  database: DatabaseReader,
  caseNo: string,
): Promise<OpenCaseRow | undefined> {
  return await findWhere(database, sql`c.case_no = ${caseNo}`);
}

async function findWhere(
  database: DatabaseReader,
  condition: Sql,
): Promise<OpenCaseRow | undefined> {
  return await database.first<OpenCaseRow>(sql`
    select ${OPEN_CASE_ROW}
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where ${condition} and c.ended_at is null`);
}

/** Open cases that cover a lot, newest first. */
export async function openCasesOfLot(
  database: DatabaseReader,
  page: { readonly lotNo: number; readonly limit: number },
): Promise<readonly OpenCaseRow[]> {
  return await database.all<OpenCaseRow>(sql`
    select ${OPEN_CASE_ROW}
    from recall_lots r
    join recall_cases c on c.case_id = r.case_id and c.ended_at is null and ${IS_PUBLIC_CASE}
    join tenants t on t.tenant_no = c.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where r.lot_no = ${page.lotNo} and r.left_at is null
    order by r.case_id desc
    limit ${page.limit}`);
}

export interface PublishedCaseRow extends OpenCaseRow {
  /** Null while the case is open. */
  readonly endedAt: string | null;
}

/** Cases that were published, of the brands to which a brand's suppliers are linked; newest first. */
export async function newestCasesOfSuppliers(
  database: DatabaseReader,
  page: {
    /** The brand that has linked them. */
    readonly receiver: string;
    readonly state: 'open' | 'all';
    /** Only the case of this number. */
    readonly caseNo: string | undefined;
    /** Only cases with smaller numbers. */
    readonly below: number;
    readonly limit: number;
  },
): Promise<readonly PublishedCaseRow[]> {
  const ofState = page.state === 'open' ? sql`and c.ended_at is null` : empty;
  const ofNumber = page.caseNo === undefined ? empty : sql`and c.case_no = ${page.caseNo}`;
  return await database.all<PublishedCaseRow>(sql`
    select ${OPEN_CASE_ROW}, c.ended_at as "endedAt"
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where c.case_id < ${page.below} and ${IS_PUBLIC_CASE} ${ofState} ${ofNumber}
      and exists (
        select 1
        from suppliers s
        where s.tenant_id = ${page.receiver} and s.brand = t.tenant_id
      )
    order by c.case_id desc
    limit ${page.limit}`);
}

export interface OpenCaseCount {
  readonly lotNo: number;
  readonly cases: number;
}

/**
 * Counts the open cases that cover each of 1 to IN_LIST_MAX lots; lots that none covers are absent.
 */
export async function openCaseCounts(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly OpenCaseCount[]> {
  return await database.all<OpenCaseCount>(sql`
    select r.lot_no as "lotNo", count(*) as cases
    from recall_lots r
    join recall_cases c on c.case_id = r.case_id and c.ended_at is null and ${IS_PUBLIC_CASE}
    where r.lot_no in (${inList(lotNos)}) and r.left_at is null
    group by r.lot_no`);
}

/** Cases whose lots are read in one query: each is a part of a compound. */
export const CASES_PER_COMPOUND = 32;
/** No case has this number; it fills a compound up to a length that is often used. */
const NO_CASE = -1;

export interface CoveredLotRow {
  readonly caseId: number;
  readonly lotNo: number;
  readonly lotCode: string;
}

/**
 * Reads the first `limit` lots that each of 1 to CASES_PER_COMPOUND cases covers now, in the order
 * in which they were recorded.
 */
export async function firstLotsOfCases(
  database: DatabaseReader,
  page: {
    readonly caseIds: readonly number[];
    /** Only lots with greater numbers. */
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly CoveredLotRow[]> {
  const length = 2 ** Math.ceil(Math.log2(page.caseIds.length));
  const padding = new Array<number>(length - page.caseIds.length).fill(NO_CASE);
  const parts = [...page.caseIds, ...padding].map(
    (caseId) => sql`
      select case_id, lot_no from (
        select case_id, lot_no
        from recall_lots
        where case_id = ${caseId} and lot_no > ${page.above} and left_at is null
        order by lot_no
        limit ${page.limit}
      ) as first_lots`,
  );
  return await database.all<CoveredLotRow>(sql`
    select r.case_id as "caseId", r.lot_no as "lotNo", l.lot_code as "lotCode"
    from (${join(parts, ' union all ')}) as r
    join lots l on l.lot_no = r.lot_no
    order by r.case_id, r.lot_no`);
}

export interface CoveredSku {
  readonly productSku: string;
  readonly lots: number;
}

/** Counts the lots that a case covers now, by the SKU of the lot. */
export async function skusOfCase(
  database: DatabaseReader,
  caseId: number,
): Promise<readonly CoveredSku[]> {
  return await database.all<CoveredSku>(sql`
    select l.product_sku as "productSku", count(*) as lots
    from recall_lots r
    join lots l on l.lot_no = r.lot_no
    where r.case_id = ${caseId} and r.left_at is null
    group by l.product_sku
    order by l.product_sku`);
}
