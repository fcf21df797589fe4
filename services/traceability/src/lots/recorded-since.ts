// Finds what a tenant has recorded since a height, to judge whether an earlier answer is still
// true.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX, inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { LinkBasis } from '../ledger/record/link-basis.ts';
import type { EventType } from '../ledger/record/event-types.ts';
import type { LotPlace, Side } from './queries.ts';

/** Maximum number of events and lines that are read: some milliseconds. */
const EVENTS_MAX = IN_LIST_MAX;
const LINES_MAX = 5_000;

/** The progress of a tenant's part of the chain. */
export interface TenantProgress {
  /** The height of its last block. */
  readonly lastHeight: number;
  /** Corrections that it has recorded. */
  readonly corrections: number;
}

/** Undefined when there is no such tenant. */
export async function findProgress(
  database: DatabaseReader,
  tenantNo: number,
): Promise<TenantProgress | undefined> {
  return await database.first<TenantProgress>(sql`
    select last_height as "lastHeight", corrections
    from tenants
    where tenant_no = ${tenantNo}`);
}

export interface RecordedEvent {
  readonly height: number;
  readonly eventType: EventType;
  readonly reference: string;
}

/** The first events of a tenant above a height, ascending. */
export async function eventsRecordedSince(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly above: number; readonly limit: number },
): Promise<readonly RecordedEvent[]> {
  return await database.all<RecordedEvent>(sql`
    select height, event_type as "eventType", reference
    from events
    where tenant_no = ${page.tenantNo} and height > ${page.above}
    order by height
    limit ${page.limit}`);
}

export interface LotLine extends LotPlace {
  readonly side: Side;
  readonly linkBasis: LinkBasis;
}

/** Lines of the events of 1 to IN_LIST_MAX heights, by height. */
export async function linesOfEvents(
  database: DatabaseReader,
  page: { readonly heights: readonly number[]; readonly limit: number },
): Promise<readonly LotLine[]> {
  return await database.all<LotLine>(sql`
    select lot_no as "lotNo", height, direction as side, link_basis as "linkBasis"
    from lines
    where height in (${inList(page.heights)})
    order by height, line_no
    limit ${page.limit}`);
}

/** A line with fields of its event. */
export type RecordedLine = LotLine & Omit<RecordedEvent, 'height'>;

/**
 * Reads the lines that a tenant recorded above a height; undefined when there are too many to read.
 */
export async function findLinesSince(
  database: DatabaseReader,
  from: { readonly tenantNo: number; readonly above: number },
): Promise<readonly RecordedLine[] | undefined> {
  const events = await eventsRecordedSince(database, { ...from, limit: EVENTS_MAX });
  if (events.length === 0) return [];
  if (events.length === EVENTS_MAX) return undefined;
  const heights = events.map((event) => event.height);
  const lines = await linesOfEvents(database, { heights, limit: LINES_MAX });
  if (lines.length === LINES_MAX) return undefined;
  const eventAt = new Map(events.map((event) => [event.height, event]));
  return lines.flatMap((line) => {
    const event = eventAt.get(line.height);
    return event === undefined ? [] : [{ ...event, ...line }];
  });
}
