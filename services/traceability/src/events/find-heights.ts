// Finds a page of a tenant's events by its filters. It reads through the index that finds the
// fewest events; the other filters are judged for these, in turns.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import type { EventType } from '../ledger/record/event-types.ts';
import { endsOfLots, findLot, findTenant } from '../lots/queries.ts';
import { isInRange, type OccurredRange } from './occurred-range.ts';
import { eventsOfExternalIds } from './external-ids.ts';
import { eventsByOccurrence, filterEvents, heightsOfEvents, heightsOfType } from './queries.ts';
import type { EventFilter, HeightsPage, ListEnd } from './queries.ts';

export interface EventListQuery extends HeightsPage {
  readonly tenantId: string;
  readonly externalId?: string | undefined;
  readonly reference?: string | undefined;
  /** The code of a lot that a line of the event names now. */
  readonly lotCode?: string | undefined;
  readonly eventType?: EventType | undefined;
  readonly occurred?: OccurredRange | undefined;
}

export interface FoundHeights {
  /** The heights in the order of the list. */
  readonly heights: readonly number[];
  /** The event after which the list continues; null at its end. */
  readonly next: number | null;
}

/**
 * Events of a range of moments that are put into the order of the list; with more, another index leads.
 * As many are read in some milliseconds.
 */
export const RANGE_SORTED_MAX = 1_000;
/**
 * Events that are read for one page: some 50 milliseconds. A page that needs more ends early, and
 * the next one continues after the last event that was read.
 */
export const LOOKED_AT_MAX = 10_000;

/** The query that finds events, and the filters that remain to be judged for them. */
interface Lead {
  readonly read: (page: HeightsPage) => Promise<readonly number[]>;
  readonly left: EventFilter;
}

const NOTHING: FoundHeights = { heights: [], next: null };

export async function findHeights(
  database: DatabaseReader,
  query: EventListQuery,
): Promise<FoundHeights> {
  const tenant = await findTenant(database, query.tenantId);
  if (tenant === undefined) return NOTHING;
  const { tenantNo } = tenant;
  const { lotCode, tenantId, externalId, reference, eventType, occurred } = query;
  const lot = lotCode === undefined ? undefined : await findLot(database, { tenantId, lotCode });
  if (lotCode !== undefined && lot === undefined) return NOTHING;
  const filter = { externalId, reference, lotNo: lot?.lotNo, eventType, occurred };
  return await walk(database, await chooseLead(database, tenantNo, filter), query);
}

async function chooseLead(
  database: DatabaseReader,
  tenantNo: number,
  filter: EventFilter,
): Promise<Lead> {
  const { externalId, reference, lotNo, eventType, occurred } = filter;
  if (externalId !== undefined) {
    const rows = await eventsOfExternalIds(database, { tenantNo, externalIds: [externalId] });
    const left = { ...filter, externalId: undefined };
    return { read: pageHeights(rows.map(({ height }) => height)), left };
  }
  if (occurred !== undefined) {
    const limit = RANGE_SORTED_MAX + 1;
    const rows = await eventsByOccurrence(database, { tenantNo, range: occurred, limit });
    if (rows.length < limit) {
      const inside = rows.filter(({ occurredAt }) => isInRange(occurredAt, occurred));
      const left = { ...filter, occurred: undefined };
      return { read: pageHeights(inside.map(({ height }) => height)), left };
    }
  }
  if (reference !== undefined) {
    return {
      read: (page) => heightsOfEvents(database, { ...page, tenantNo, reference }),
      left: { ...filter, reference: undefined },
    };
  }
  if (lotNo !== undefined) {
    return {
      read: (page) => heightsOfLotLines(database, page, lotNo),
      left: { ...filter, lotNo: undefined },
    };
  }
  if (eventType !== undefined) {
    return {
      read: (page) => heightsOfType(database, { ...page, tenantNo, eventType }),
      left: { ...filter, eventType: undefined },
    };
  }
  return { read: (page) => heightsOfEvents(database, { ...page, tenantNo }), left: filter };
}

/** Makes pages of known heights. */
function pageHeights(heights: readonly number[]): Lead['read'] {
  return ({ end, behind, limit }) => {
    const inside = heights.filter((height) =>
      end === 'newest' ? height < behind : height > behind,
    );
    return Promise.resolve(inOrder(inside, end).slice(0, limit));
  };
}

async function heightsOfLotLines(
  database: DatabaseReader,
  page: HeightsPage,
  lotNo: number,
): Promise<readonly number[]> {
  const { end, behind, limit } = page;
  const range =
    end === 'newest'
      ? { above: 0, below: behind }
      : { above: behind, below: Number.MAX_SAFE_INTEGER };
  const lot = { lotNos: [lotNo], blocks: 'carrying' } as const;
  const ends = await endsOfLots(database, { ...lot, ...range, end, limit });
  return inOrder(
    ends.map(({ height }) => height),
    end,
  );
}

function inOrder(heights: readonly number[], end: ListEnd): readonly number[] {
  return heights.toSorted((a, b) => (end === 'newest' ? b - a : a - b));
}

async function walk(
  database: DatabaseReader,
  { read, left }: Lead,
  query: HeightsPage,
): Promise<FoundHeights> {
  const isNarrow = Object.values(left).some((value) => value !== undefined);
  const found: number[] = [];
  let { behind } = query;
  let lookedAt = 0;
  for (;;) {
    // One more than is shown, to see whether there are more.
    const limit = isNarrow ? IN_LIST_MAX : query.limit + 1;
    const heights = await read({ end: query.end, behind, limit });
    found.push(...(isNarrow ? await narrowed(database, heights, left) : heights));
    if (found.length > query.limit) {
      const page = found.slice(0, query.limit);
      return { heights: page, next: page.at(-1) ?? null };
    }
    const last = heights.at(-1);
    if (last === undefined || heights.length < limit) return { heights: found, next: null };
    lookedAt += heights.length;
    if (lookedAt >= LOOKED_AT_MAX) return { heights: found, next: last };
    behind = last;
    await nextTurn();
  }
}

/** Filters events and keeps their order. */
async function narrowed(
  database: DatabaseReader,
  heights: readonly number[],
  filter: EventFilter,
): Promise<readonly number[]> {
  if (heights.length === 0) return [];
  const left = new Set(await filterEvents(database, heights, filter));
  return heights.filter((height) => left.has(height));
}
