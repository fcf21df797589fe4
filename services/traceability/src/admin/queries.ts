// Queries of the operator's overview. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { IS_LISTED_OPEN } from '../lots/state.ts';

export interface TenantOverviewRow {
  readonly tenantId: string;
  readonly brandName: string | null;
  readonly events: number;
  readonly corrections: number;
  readonly transactions: number;
  readonly lots: number;
  /** These three are counted up to a limit. */
  readonly lotsOnHold: number;
  readonly lotsRecalled: number;
  readonly openRecalls: number;
  readonly lastEventHeight: number | null;
}

/** Tenants in the order of their ids. */
export async function tenantsAfter(
  database: DatabaseReader,
  page: {
    /** Only tenants after this one; an empty text is before all. */
    readonly after: string;
    /** Only this tenant, when it is given. */
    readonly tenantId: string | undefined;
    readonly limit: number;
    readonly countLimit: number;
  },
): Promise<readonly TenantOverviewRow[]> {
  const { after, tenantId, limit, countLimit } = page;
  const which =
    tenantId === undefined
      ? sql`t.tenant_id > ${after}`
      : sql`t.tenant_id = ${tenantId} and t.tenant_id > ${after}`;
  return await database.all<TenantOverviewRow>(sql`
    select t.tenant_id as "tenantId", b.name as "brandName", t.events, t.corrections, t.transactions,
      t.lots,
      (select count(*) from (
        select distinct -h.lot_no as newest from lot_holds h
        where h.tenant_no = t.tenant_no and ${IS_LISTED_OPEN}
        order by -h.lot_no
        limit ${countLimit}
      ) as held) as "lotsOnHold",
      (select count(*) from (
        select 1 as one from lots l
        where l.tenant_no = t.tenant_no and l.recalled = 1
        order by -l.lot_no
        limit ${countLimit}
      ) as recalled_lots) as "lotsRecalled",
      (select count(*) from (
        select 1 as one from recall_cases c
        where c.tenant_no = t.tenant_no and c.ended_at is null
        order by -c.case_id
        limit ${countLimit}
      ) as open_cases) as "openRecalls",
      (select e.height from events e
        where (e.tenant_no, e.height) < (t.tenant_no + 1, 0) and e.tenant_no >= t.tenant_no
        order by e.tenant_no desc, e.height desc
        limit 1) as "lastEventHeight"
    from (
      select tenant_no, tenant_id, events, corrections, transactions, lots
      from tenants t
      where ${which}
      order by tenant_id
      limit ${limit}
    ) as t
    left join brands b on b.tenant_id = t.tenant_id
    order by t.tenant_id`);
}

export interface ThroughputRow {
  readonly tenantId: string;
  readonly brandName: string | null;
  readonly events: number;
  /** Above a height, counted up to a limit. */
  readonly recentEvents: number;
  readonly lastEventHeight: number | null;
}

/** Reads tenants in the order of their ids, with their events above a height. */
export async function throughputAfter(
  database: DatabaseReader,
  page: {
    readonly after: string;
    readonly limit: number;
    readonly above: number;
    readonly countLimit: number;
  },
): Promise<readonly ThroughputRow[]> {
  const { after, limit, above, countLimit } = page;
  return await database.all<ThroughputRow>(sql`
    select t.tenant_id as "tenantId", b.name as "brandName", t.events,
      (select count(*) from (
        select 1 as one from events e
        where (e.tenant_no, e.height) > (t.tenant_no, ${above}) and e.tenant_no <= t.tenant_no
        order by e.tenant_no, e.height
        limit ${countLimit}
      ) as recorded) as "recentEvents",
      (select e.height from events e
        where (e.tenant_no, e.height) < (t.tenant_no + 1, 0) and e.tenant_no >= t.tenant_no
        order by e.tenant_no desc, e.height desc
        limit 1) as "lastEventHeight"
    from (
      select tenant_no, tenant_id, events
      from tenants
      where tenant_id > ${after}
      order by tenant_id
      limit ${limit}
    ) as t
    left join brands b on b.tenant_id = t.tenant_id
    order by t.tenant_id`);
}

export interface AlarmRow {
  readonly height: number;
  readonly code: string;
  readonly message: string;
  readonly foundAt: string;
}

/** Findings that no operator has cleared, the lowest first. */
export async function openAlarms(
  database: DatabaseReader,
  limit: number,
): Promise<readonly AlarmRow[]> {
  return await database.all<AlarmRow>(sql`
    select height, code, message, found_at as "foundAt"
    from chain_alarms
    where cleared_at is null
    order by height, id
    limit ${limit}`);
}
