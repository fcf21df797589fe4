// Heights of a tenant's own events, by one thing each. Every query walks an index and stops at its limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { empty, type Sql } from 'sql-template-tag';
import { readHeights } from '../ledger/read.ts';
import type { EventType } from '../ledger/record/event-types.ts';
import { toLastText, type OccurredRange } from './occurred-range.ts';

export type ListEnd = 'newest' | 'oldest';

/** Heights in one order, after one of them. */
export interface HeightsPage {
  readonly end: ListEnd;
  /** Newest first, only smaller heights; oldest first, only larger ones. */
  readonly behind: number;
  readonly limit: number;
}

/** Heights of a tenant's events: all, or those with a reference. */
export async function heightsOfEvents(
  database: DatabaseReader,
  page: HeightsPage & { readonly tenantNo: number; readonly reference?: string },
): Promise<readonly number[]> {
  const { tenantNo, reference, end, behind, limit } = page;
  const same = reference === undefined ? empty : sql`and reference = ${reference}`;
  const range =
    end === 'newest'
      ? sql`height < ${behind} order by height desc`
      : sql`height > ${behind} order by height`;
  return await readHeights(
    database,
    sql`
      select height
      from events
      where tenant_no = ${tenantNo} ${same} and ${range}
      limit ${limit}`,
  );
}

/** Heights of a tenant's events of a type. */
export async function heightsOfType(
  database: DatabaseReader,
  page: HeightsPage & { readonly tenantNo: number; readonly eventType: EventType },
): Promise<readonly number[]> {
  const { tenantNo, eventType, end, behind, limit } = page;
  // With an equation PostgreSQL, which takes a rare type for a common one, reads the events of all
  // types; the order by pairs is that of the index. SQLite, whose heights are row numbers, finds no
  // pairs in an index, but finds rows by `is not distinct`.
  const range =
    end === 'newest'
      ? sql`
        height < ${behind}
        and event_type >= ${eventType} and (event_type, height) < (${eventType}, ${behind})
        order by event_type desc, height desc`
      : sql`
        height > ${behind}
        and event_type <= ${eventType} and (event_type, height) > (${eventType}, ${behind})
        order by event_type, height`;
  return await readHeights(
    database,
    sql`
      select height
      from events
      where tenant_no = ${tenantNo} and event_type is not distinct from ${eventType} and ${range}
      limit ${limit}`,
  );
}

/** Whether a block contains an event of the tenant. */
export async function isEventOfTenant(
  database: DatabaseReader,
  event: { readonly tenantId: string; readonly height: number },
): Promise<boolean> {
  const heights = await readHeights(
    database,
    sql`
      select e.height
      from events e
      join tenants t on t.tenant_no = e.tenant_no
      where e.height = ${event.height} and t.tenant_id = ${event.tenantId}`,
  );
  return heights.length > 0;
}

export interface OccurredRow {
  readonly height: number;
  readonly occurredAt: string;
}

/**
 * Finds the first events of a range, by the moment. It may include events outside of the range, in
 * the seconds in which it begins and ends.
 */
export async function eventsByOccurrence(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly range: OccurredRange;
    readonly limit: number;
  },
): Promise<readonly OccurredRow[]> {
  return await database.all<OccurredRow>(sql`
    select height, occurred_at as "occurredAt"
    from events
    where tenant_no = ${page.tenantNo} ${inSeconds(page.range)}
    order by occurred_at
    limit ${page.limit}`);
}

/** The filters of events; an absent field filters nothing. */
export interface EventFilter {
  readonly externalId?: string | undefined;
  readonly reference?: string | undefined;
  readonly lotNo?: number | undefined;
  readonly eventType?: EventType | undefined;
  readonly occurred?: OccurredRange | undefined;
}

/** Finds the events among 1 to IN_LIST_MAX that pass a filter, in any order. */
export async function filterEvents(
  database: DatabaseReader,
  heights: readonly number[],
  filter: EventFilter,
): Promise<readonly number[]> {
  const { externalId, reference, lotNo, eventType, occurred } = filter;
  // The query does not compare the columns themselves: PostgreSQL would read all events that have
  // the value from an index.
  return await readHeights(
    database,
    sql`
      select height
      from events e
      where height in (${inList(heights)})
        ${externalId === undefined ? empty : sql`and external_id || '' = ${externalId}`}
        ${reference === undefined ? empty : sql`and reference || '' = ${reference}`}
        ${eventType === undefined ? empty : sql`and event_type || '' = ${eventType}`}
        ${lotNo === undefined ? empty : sql`and ${namesLot(lotNo)}`}
        ${occurred === undefined ? empty : atMoments(occurred)}`,
  );
}

function namesLot(lotNo: number): Sql {
  return sql`exists (select 1 from lines l where l.lot_no = ${lotNo} and l.height = e.height)`;
}

function inSeconds({ from, to }: OccurredRange): Sql {
  return sql`
    ${from === undefined ? empty : sql`and occurred_at >= ${from}`}
    ${to === undefined ? empty : sql`and occurred_at <= ${toLastText(to)}`}`;
}

function atMoments({ from, to }: OccurredRange): Sql {
  return sql`
    ${from === undefined ? empty : sql`and rtrim(occurred_at, 'Z') >= ${from}`}
    ${to === undefined ? empty : sql`and rtrim(occurred_at, 'Z') <= ${to}`}`;
}
