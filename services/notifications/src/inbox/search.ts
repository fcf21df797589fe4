// Choosing notifications of one or several groups, in the order of the feed: by severity, unread and
// text, out of a bounded number that are looked at.
import type { DatabaseReader } from '@lothub/kit/database';
import { Pace, inTurns, nextTurn } from '@lothub/kit/in-turns';
import type { Severity } from '../store/post.ts';
import type { Direction, Part, StandingRow } from './inbox-queries.ts';
import { isAllRead } from './notification.ts';
import { itemsMarkedUnread, placesOfItems, placesOfOpen } from './item-queries.ts';
import { placesMarkedUnread, findPlaces, readTextsById } from './search-queries.ts';
import type { PlaceRow, TextRow } from './search-queries.ts';
import { textMatcher } from './text-match.ts';

/** Notifications that one page searches; `next` continues after them. */
export const LOOKED_AT_MAX = 4_000;
/** Characters of titles and bodies that one page looks through: about 15 ms. */
export const CHARACTERS_MAX = 1_000_000;
/** Looked at together, without a turn for others. */
const SLICE_ROWS = 200;
/** First read of each of several groups: most of them have little near the place where a page begins. */
const SLICE_ROWS_FIRST = 20;
/** Slices of groups that are read without a turn for others. */
const READS_PER_TURN = 16;

/** What is chosen. */
export interface Choice {
  readonly severity?: Severity | undefined;
  readonly unread?: boolean | undefined;
  /** Only the newest notification of each item. */
  readonly grouped?: boolean | undefined;
  /** Only critical ones that wait to be acknowledged. */
  readonly ack?: 'open' | undefined;
  /** In title or body, whatever the case. */
  readonly q?: string | undefined;
}

/** The part of one group that a search looks through. */
export interface Lane extends Pick<Part, 'groupId' | 'from' | 'to'> {
  readonly standing: Pick<StandingRow, 'readUpTo'>;
  /** No notification of the part comes before this id in the order of the page. */
  readonly nearestId: number;
}

export interface Search {
  readonly accountId: string;
  readonly lanes: readonly Lane[];
  readonly direction: Direction;
  readonly choice: Choice;
  /** How many are looked for. */
  readonly limit: number;
}

export interface Place extends PlaceRow {
  readonly readUpTo: number;
}

export interface Found {
  /** In the order of the page. */
  readonly places: readonly Place[];
  /** The last one looked at, when the search ended because it had looked at as many as it may. */
  readonly stoppedAt: Place | undefined;
}

/** Finds the first notifications that are chosen, up to `limit` of them. */
export async function search(reader: DatabaseReader, options: Search): Promise<Found> {
  const { choice, limit } = options;
  const hasText = choice.q === undefined ? undefined : textMatcher(choice.q);
  const places: Place[] = [];
  let looked = 0;
  let characters = 0;
  for await (const slice of inTurns(placesInOrder(reader, options))) {
    const candidates =
      choice.unread === true ? slice.filter((one) => !isAllRead(one, one.readUpTo)) : slice;
    const texts = hasText === undefined ? undefined : await readTexts(reader, candidates);
    for (const place of candidates) {
      const text = texts?.get(place.id);
      characters += text === undefined ? 0 : text.title.length + (text.body?.length ?? 0);
      // Without its text it was deleted since its place was read.
      const isWanted = hasText === undefined || (text !== undefined && hasText(text));
      if (isWanted) places.push(place);
      if (places.length === limit) return { places, stoppedAt: undefined };
    }
    looked += slice.length;
    if (looked >= LOOKED_AT_MAX || characters >= CHARACTERS_MAX) {
      return { places, stoppedAt: slice.at(-1) };
    }
  }
  return { places, stoppedAt: undefined };
}

async function readTexts(
  reader: DatabaseReader,
  places: readonly Place[],
): Promise<ReadonlyMap<number, TextRow>> {
  if (places.length === 0) return new Map();
  const ids = places.map(({ id }) => id);
  return new Map((await readTextsById(reader, ids)).map((row) => [row.id, row]));
}

/** A lane while it is read. */
interface Reading {
  readonly lane: Lane;
  readonly slices: AsyncGenerator<readonly PlaceRow[]>;
  rows: readonly PlaceRow[];
  at: number;
  /** Id of its next row, or one that does not come after it. */
  nextId: number;
}

/** Places that could be meant, of all lanes together, slice by slice. */
async function* placesInOrder(
  reader: DatabaseReader,
  options: Search,
): AsyncGenerator<readonly Place[]> {
  const { lanes, direction, choice, limit } = options;
  const sliceRows = choice.q === undefined ? Math.min(limit, SLICE_ROWS) : SLICE_ROWS;
  const readings = new Set<Reading>();
  for (const lane of lanes) {
    const slices = slicesOfLane(reader, options, lane);
    readings.add({ lane, slices, rows: [], at: 0, nextId: lane.nearestId });
  }
  let slice: Place[] = [];
  const pace = new Pace(READS_PER_TURN);
  for (;;) {
    const nearest = pickNearest(readings, direction);
    if (nearest === undefined) break;
    const row = nearest.rows[nearest.at];
    if (row !== undefined) {
      slice.push({ ...row, readUpTo: nearest.lane.standing.readUpTo });
      nearest.at += 1;
      nearest.nextId = nearest.rows[nearest.at]?.id ?? row.id;
      if (slice.length < sliceRows) continue;
      yield slice;
      slice = [];
      continue;
    }
    const read = await nearest.slices.next();
    const first = read.done === true ? undefined : read.value[0];
    if (read.done === true) readings.delete(nearest);
    else nearest.rows = read.value;
    nearest.at = 0;
    nearest.nextId = first?.id ?? nearest.nextId;
    if (pace.isOver()) await nextTurn();
  }
  if (slice.length > 0) yield slice;
}

function pickNearest(readings: Iterable<Reading>, direction: Direction): Reading | undefined {
  let nearest: Reading | undefined;
  for (const one of readings) {
    if (nearest === undefined) nearest = one;
    else if (direction === 'older' ? one.nextId > nearest.nextId : one.nextId < nearest.nextId) {
      nearest = one;
    }
  }
  return nearest;
}

type ReadPlaces = typeof findPlaces;

/** What reads places, and those of them that were marked as unread. */
function placesReaders({ grouped, ack }: Choice): {
  readonly all: ReadPlaces;
  readonly markedUnread: ReadPlaces;
} {
  // There are few of them: those that are read are left out as any others.
  if (ack !== undefined) return { all: placesOfOpen, markedUnread: placesOfOpen };
  return grouped === true
    ? { all: placesOfItems, markedUnread: itemsMarkedUnread }
    : { all: findPlaces, markedUnread: placesMarkedUnread };
}

/** Places of a group that could be meant, in the order of the page. */
async function* slicesOfLane(
  reader: DatabaseReader,
  { accountId, direction, choice, lanes }: Search,
  { groupId, standing, from: laneFrom, to: laneTo }: Lane,
): AsyncGenerator<readonly PlaceRow[]> {
  const { readUpTo } = standing;
  const { severity } = choice;
  const { all: places, markedUnread } = placesReaders(choice);
  // Below read_up_to only marks are unread: they are found by themselves, however many are between.
  const above = { from: Math.max(laneFrom, readUpTo + 1), to: laneTo, read: places };
  const below = { from: laneFrom, to: Math.min(laneTo, readUpTo), read: markedUnread };
  const all = { from: laneFrom, to: laneTo, read: places };
  const inTwo = direction === 'older' ? [above, below] : [below, above];
  let limit = lanes.length === 1 ? SLICE_ROWS : SLICE_ROWS_FIRST;
  for (const { read, ...range } of choice.unread === true ? inTwo : [all]) {
    let { from, to } = range;
    while (from <= to) {
      const rows = await read(reader, accountId, {
        groupId,
        severity,
        direction,
        from,
        to,
        limit,
      });
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) break;
      if (direction === 'older') to = last.seq - 1;
      else from = last.seq + 1;
      limit = SLICE_ROWS;
    }
  }
}
