// The genealogy of lots: which lots lead to which, walked level by level (service page, section 5).
// An event is one node with its in-lots and out-lots, never the product of the two.
import { setImmediate } from 'node:timers/promises';
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import { LINKS_BY_REFERENCE } from '../ledger/link-basis.ts';
import {
  eventsOfReferences,
  linkEventsOfLots,
  lotsOfEvents,
  referencesOfEvents,
} from './queries.ts';
import type { LinkEvent, ReferenceEvent, Side } from './queries.ts';

/** Rows of one page of events: some milliseconds of one query, so that others get their turn. */
const EVENTS_PER_PAGE = 5_000;
/** Events whose lots are read in one query; with 1,000 lines each that is 200,000 rows at worst. */
const EVENTS_PER_QUERY = 200;

/** How far a walk goes that anybody may ask for: some tens of milliseconds at worst. */
export const PUBLIC_WALK = { lotsMax: 1_000, eventsMax: 10_000 } as const;

export type Relation = 'self' | 'upstream' | 'downstream';

export interface RelatedLot {
  readonly lotNo: number;
  readonly relation: Relation;
  /** Hops from the lot that was asked for. */
  readonly distance: number;
}

export interface RelatedLots {
  /** The lot itself first, then by distance. */
  readonly lots: readonly RelatedLot[];
  /** True when a bound was met: there may be more related lots than these. */
  readonly truncated: boolean;
}

export interface RelatedLotsOptions {
  readonly database: DatabaseReader;
  /** Links never leave a tenant. */
  readonly tenantNo: number;
  readonly lotNo: number;
  readonly direction: 'upstream' | 'downstream' | 'both';
  /** Related lots found in each direction before the walk stops. */
  readonly lotsMax: number;
  /** Linking events looked at in each direction before the walk stops, give or take a page. */
  readonly eventsMax: number;
}

/**
 * Ancestors, descendants, or both (not siblings), and the lot itself. Cycles are legal; a lot that
 * is ancestor and descendant counts where it is nearer, and upstream when both are the same.
 */
export async function relatedLots(options: RelatedLotsOptions): Promise<RelatedLots> {
  const upstream = options.direction === 'downstream' ? undefined : await walk(options, 'out');
  const downstream = options.direction === 'upstream' ? undefined : await walk(options, 'in');
  const lots = new Map<number, RelatedLot>([
    [options.lotNo, { lotNo: options.lotNo, relation: 'self', distance: 0 }],
  ]);
  for (const [lotNo, distance] of upstream?.distances ?? []) {
    lots.set(lotNo, { lotNo, relation: 'upstream', distance });
  }
  for (const [lotNo, distance] of downstream?.distances ?? []) {
    const known = lots.get(lotNo);
    if (known !== undefined && known.distance <= distance) continue;
    lots.set(lotNo, { lotNo, relation: 'downstream', distance });
  }
  return {
    lots: [...lots.values()].sort((a, b) => a.distance - b.distance),
    truncated: upstream?.truncated === true || downstream?.truncated === true,
  };
}

interface Walk {
  /** Hops of each lot found; without the lot the walk began at. */
  readonly distances: ReadonlyMap<number, number>;
  readonly truncated: boolean;
}

/**
 * Breadth first from the events in which a lot stands on `side` to the lots on the other side. Every
 * event and every reference is opened once, whatever number of lots leads to it.
 */
async function walk(options: RelatedLotsOptions, side: Side): Promise<Walk> {
  const { database, lotsMax, eventsMax } = options;
  const distances = new Map<number, number>();
  const opened: Opened = { heights: new Set(), references: new Set() };
  let eventCount = 0;
  let frontier: readonly number[] = [options.lotNo];
  for (let distance = 1; frontier.length > 0; distance += 1) {
    const next: number[] = [];
    for await (const heights of linkingEvents({ ...options, frontier, side, opened })) {
      for (const slice of slicesOf(heights, EVENTS_PER_QUERY)) {
        for (const lotNo of await lotsOfEvents(database, slice, side === 'in' ? 'out' : 'in')) {
          if (lotNo === options.lotNo || distances.has(lotNo)) continue;
          if (distances.size >= lotsMax) return { distances, truncated: true };
          distances.set(lotNo, distance);
          next.push(lotNo);
        }
      }
      eventCount += heights.length;
      if (eventCount > eventsMax) return { distances, truncated: true };
      await setImmediate();
    }
    frontier = next;
  }
  return { distances, truncated: false };
}

/** What a walk has been through in its direction. */
interface Opened {
  readonly heights: Set<number>;
  readonly references: Set<string>;
}

/** Pages of events on whose other side the next level stands; no event comes twice. */
async function* linkingEvents(options: {
  readonly database: DatabaseReader;
  readonly tenantNo: number;
  readonly frontier: readonly number[];
  readonly side: Side;
  readonly opened: Opened;
}): AsyncGenerator<readonly number[]> {
  const { database, tenantNo, side, opened } = options;
  for (const lotNos of slicesOf(options.frontier)) {
    const pages = pagesOf(lotNos, {
      keyOf: (row: LinkEvent) => row.lotNo,
      read: (keys, above) =>
        linkEventsOfLots(database, { lotNos: keys, side, above, limit: EVENTS_PER_PAGE }),
    });
    for await (const rows of pages) {
      const byEvent: number[] = [];
      const byReference: number[] = [];
      for (const { height, linkBasis } of rows) {
        if (opened.heights.has(height)) continue;
        opened.heights.add(height);
        (linkBasis === LINKS_BY_REFERENCE ? byReference : byEvent).push(height);
      }
      yield byEvent;
      for (const heights of slicesOf(byReference)) {
        yield* eventsBehind(await referencesOfEvents(database, heights), {
          database,
          tenantNo,
          opened,
        });
      }
    }
  }
}

/** Pages of the one-sided events behind references that have not been opened yet, of both sides. */
async function* eventsBehind(
  references: readonly string[],
  options: {
    readonly database: DatabaseReader;
    readonly tenantNo: number;
    readonly opened: Opened;
  },
): AsyncGenerator<readonly number[]> {
  const { database, tenantNo, opened } = options;
  const fresh = references.filter((reference) => !opened.references.has(reference));
  if (fresh.length === 0) return;
  for (const reference of fresh) opened.references.add(reference);
  const pages = pagesOf(fresh, {
    keyOf: (row: ReferenceEvent) => row.reference,
    read: (keys, above) =>
      eventsOfReferences(database, {
        tenantNo,
        references: keys,
        above,
        limit: EVENTS_PER_PAGE,
      }),
  });
  for await (const rows of pages) yield rows.map((row) => row.height);
}

/**
 * Reads rows of many keys, ordered by key and height, page by page. A key that fills a page goes on
 * alone from its last height, so no page is read twice however many rows one key has.
 */
async function* pagesOf<Key, Row extends { readonly height: number }>(
  keys: readonly Key[],
  options: {
    readonly keyOf: (row: Row) => Key;
    readonly read: (keys: readonly Key[], above: number) => Promise<readonly Row[]>;
  },
): AsyncGenerator<readonly Row[]> {
  const open = [{ keys, above: 0 }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const rows = await options.read(part.keys, part.above);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EVENTS_PER_PAGE) continue;
    const begun = new Set(rows.map(options.keyOf));
    const rest = part.keys.filter((key) => !begun.has(key));
    if (rest.length > 0) open.push({ keys: rest, above: 0 });
    open.push({ keys: [options.keyOf(last)], above: last.height });
  }
}
