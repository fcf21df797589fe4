// Queries of the dashboard. Each reads through an index and has a limit, so that none grows with what a
// tenant has recorded.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { present } from '@lothub/kit/present';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { LinkBasis } from '../ledger/record/link-basis.ts';
import type { Direction, EventType } from '../ledger/record/event-types.ts';
import { PROVENANCE_NAMES } from '../ledger/record/fields.ts';
import { IS_LISTED_OPEN } from '../lots/state.ts';
import type { Severity } from '../terms.ts';

export interface DashboardTenant {
  readonly tenantNo: number;
  readonly tenantId: string;
  /** Height of its newest block, corrections included. */
  readonly lastHeight: number;
  readonly events: number;
  readonly lots: number;
}

export async function findTenantOfDashboard(
  database: DatabaseReader,
  tenantId: string,
): Promise<DashboardTenant | undefined> {
  return await database.first<DashboardTenant>(sql`
    select tenant_no as "tenantNo", tenant_id as "tenantId", last_height as "lastHeight", events, lots
    from tenants
    where tenant_id = ${tenantId}`);
}

export interface TenantCounts {
  readonly lotsOnHold: number;
  readonly lotsRecalled: number;
  readonly holdBreaches: number;
}

/** Each counted up to `limit`; in an order, because that leads PostgreSQL to an index that ends there. */
export async function countOfTenant(
  database: DatabaseReader,
  tenant: { readonly tenantNo: number; readonly tenantId: string; readonly limit: number },
): Promise<TenantCounts> {
  const { tenantNo, tenantId, limit } = tenant;
  const row = await database.first<TenantCounts>(sql`
    select
      (select count(*) from (
        select distinct -lot_no as newest from lot_holds
        where tenant_no = ${tenantNo} and ${IS_LISTED_OPEN}
        order by -lot_no
        limit ${limit}
      ) as held) as "lotsOnHold",
      (select count(*) from (
        select 1 as one from lots
        where tenant_no = ${tenantNo} and recalled = 1
        order by -lot_no
        limit ${limit}
      ) as recalled_lots) as "lotsRecalled",
      (select count(*) from (
        select 1 as one from audit_entries
        where tenant_id = ${tenantId} and action = 'hold_breach'
        order by -id
        limit ${limit}
      ) as breaches) as "holdBreaches"`);
  return row ?? { lotsOnHold: 0, lotsRecalled: 0, holdBreaches: 0 };
}

export interface SeverityCount {
  readonly severity: Severity;
  readonly count: number;
}

/** Open cases of a tenant by severity, of the newest `limit`. */
export async function openCasesBySeverity(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly limit: number },
): Promise<readonly SeverityCount[]> {
  return await database.all<SeverityCount>(sql`
    select severity, count(*) as count
    from (
      select severity
      from recall_cases
      where tenant_no = ${page.tenantNo} and ended_at is null
      order by -case_id
      limit ${page.limit}
    ) as open_cases
    group by severity
    order by severity`);
}

/**
 * A tenant's events above a height, counted up to `limit`. A stretch of the index of all tenants: were
 * the tenant an equality, PostgreSQL would take the order of the heights alone and walk along the chain
 * of all the others.
 */
export async function countEventsAbove(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly above: number; readonly limit: number },
): Promise<EventCount> {
  const row = await database.first<EventCount>(sql`
    select count(*) as count, min(height) as lowest
    from (
      select height
      from events
      where (tenant_no, height) > (${page.tenantNo}, ${page.above}) and tenant_no <= ${page.tenantNo}
      order by tenant_no desc, height desc
      limit ${page.limit}
    ) as recorded`);
  return present(row, 'the row of a count');
}

export interface EventCount {
  readonly count: number;
  /** Height of the oldest that was counted; null when there are none. */
  readonly lowest: number | null;
}

export interface WindowEvent {
  readonly height: number;
  readonly eventType: EventType;
  readonly occurredAt: string;
  readonly reference: string;
  readonly lineCount: number;
  readonly linkBasis: LinkBasis;
  readonly corrections: number;
  readonly voided: 0 | 1;
}

/** A tenant's events as they count, newest first; a stretch of the same index. */
export async function newestEvents(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly below: number; readonly limit: number },
): Promise<readonly WindowEvent[]> {
  return await database.all<WindowEvent>(sql`
    select height, event_type as "eventType", occurred_at as "occurredAt", reference,
      line_count as "lineCount", link_basis as "linkBasis", correction_count as corrections, voided
    from events
    where (tenant_no, height) < (${page.tenantNo}, ${page.below}) and tenant_no >= ${page.tenantNo}
    order by tenant_no desc, height desc
    limit ${page.limit}`);
}

export interface WindowLine {
  readonly height: number;
  readonly lineNo: number;
  readonly lotNo: number;
  readonly direction: Direction;
  /** Decimal text. */
  readonly quantity: string;
  readonly unit: string;
  /** 1: supplier, facility and the supplier's lot code are all given. */
  readonly hasProvenance: 0 | 1;
  /** 1: a customer is kept of the line, as it was sent. */
  readonly hasCustomer: 0 | 1;
}

/** Everything is said of where the lot of a line came from. */
const HAS_PROVENANCE = raw(PROVENANCE_NAMES.map((name) => `p.${name} is not null`).join(' and '));

/** All lines of 1 to IN_LIST_MAX events. */
export async function linesOfEvents(
  database: DatabaseReader,
  page: { readonly heights: readonly number[]; readonly limit: number },
): Promise<readonly WindowLine[]> {
  return await database.all<WindowLine>(sql`
    select l.height, l.line_no as "lineNo", l.lot_no as "lotNo", l.direction, l.quantity, l.unit,
      case
        when ${HAS_PROVENANCE}
        then 1 else 0
      end as "hasProvenance",
      case when c.customer_ref is not null then 1 else 0 end as "hasCustomer"
    from lines l
    left join provenances p on p.height = l.height and p.line_no = l.line_no
    left join private_lines c on c.height = l.height and c.line_no = l.line_no
    where l.height in (${inList(page.heights)})
    order by l.height, l.line_no
    limit ${page.limit}`);
}

export interface WindowLot {
  readonly lotNo: number;
  /** Accounts out of which more went than came in. */
  readonly overIssued: number;
}

/** Lots of a tenant, newest first. */
export async function newestLotsOfTenant(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly below: number; readonly limit: number },
): Promise<readonly WindowLot[]> {
  // Through the texts, of which every lot has one: they are in the order of a tenant's lots.
  return await database.all<WindowLot>(sql`
    select t.lot_no as "lotNo", l.over_issued as "overIssued"
    from lot_texts t
    join lots l on l.lot_no = t.lot_no
    where t.tenant_no = ${page.tenantNo} and t.lot_no < ${page.below}
    order by t.lot_no desc
    limit ${page.limit}`);
}

/** References that are looked for in one query: each is a part of a compound, which SQLite limits. */
export const REFERENCES_PER_COMPOUND = 32;
/** No tenant has this number; it fills a compound up to a length that is often used. */
const NO_TENANT = -1;

export interface OneSidedRow {
  readonly reference: string;
  readonly height: number;
  readonly eventType: EventType;
}

/**
 * For each of 1 to REFERENCES_PER_COMPOUND references, the newest `limit` events that link by it,
 * unordered.
 */
export async function oneSidedEvents(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly references: readonly string[];
    readonly limit: number;
  },
): Promise<readonly OneSidedRow[]> {
  const { tenantNo, references, limit } = page;
  const length = 2 ** Math.ceil(Math.log2(references.length));
  const parts = Array.from({ length }, (_, index): Sql => {
    const reference = references[index];
    return sql`
      select reference, height, event_type as "eventType" from (
        select reference, height, event_type
        from events
        where tenant_no = ${reference === undefined ? NO_TENANT : tenantNo}
          and reference = ${reference ?? ''} and link_basis = 2
        order by height desc
        limit ${limit}
      ) as newest`;
  });
  return await database.all<OneSidedRow>(join(parts, ' union all '));
}

/** Whether anything private of the tenant was ever erased. */
export async function hasErased(database: DatabaseReader, tenantId: string): Promise<boolean> {
  const row = await database.first<{ readonly id: number }>(sql`
    select id
    from audit_entries
    where tenant_id = ${tenantId} and action = 'erase_customer'
    order by -id
    limit 1`);
  return row !== undefined;
}

export interface DrillRow {
  readonly drillId: number;
  readonly lotCode: string;
  readonly drilledAt: string;
  readonly elapsedUs: number;
}

/** The drill that was made last. */
export async function findLastDrill(
  database: DatabaseReader,
  tenantNo: number,
): Promise<DrillRow | undefined> {
  return await database.first<DrillRow>(sql`
    select drill_id as "drillId", lot_code as "lotCode", drilled_at as "drilledAt",
      elapsed_us as "elapsedUs"
    from recall_drills
    where tenant_no = ${tenantNo}
    order by -drill_id
    limit 1`);
}
