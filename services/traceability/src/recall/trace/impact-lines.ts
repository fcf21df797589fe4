// Reads the lines of lots with their events, in the order of the blocks. For any number of lots,
// each part of the tables is read once, from its beginning to its end. Lot by lot, the same lines
// would be read from all over the database again and again, which takes three times as long.
import { askForEach, askInOrder, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns } from '@lothub/kit/in-turns';
import {
  LINES_OF_EVENT,
  PLACES_PER_QUERY,
  impactEvents,
  linePlacesOfLots,
  linesAt,
  linesOfEvents,
} from './impact-queries.ts';
import type { ImpactEventRow, ImpactLineRow, LotLinePlace } from './impact-queries.ts';

/** Places of one query, in the index alone: two milliseconds, and more than one event can have. */
const PLACES_PER_PAGE = 4_000;
/** Lots of one query for places: of ordinary lots their places fit a page. */
const LOTS_PER_QUERY = 256;
/** Events of one page, and wanted lines, give or take an event: three milliseconds. */
const EVENTS_PER_PAGE = 256;
const LINES_PER_PAGE = 1_000;
/** Heights whose places are sorted at a time. */
const HEIGHTS_PER_SORT = 4_096;
/**
 * All lines of an event are read, not only the wanted ones, if there are at most this many times as
 * many.
 */
const LINES_PER_WANTED = 8;
/** Lines of whole events in one query, give or take an event. */
const LINES_PER_QUERY = 1_000;

/** A line with fields of its event. */
export interface ImpactLine extends ImpactLineRow {
  /** Null when the event did not happen. */
  readonly eventType: ImpactEventRow['eventType'];
  readonly occurredAt: string;
  readonly reference: string;
  /** Corrections of the event. */
  readonly corrections: number;
  /** 0: private values were never sent or are erased. */
  readonly isOpen: 0 | 1;
}

export interface LinesPage {
  /** Events that name one of the lots. */
  readonly events: readonly ImpactEventRow[];
  /** Their wanted lines of the lots, by height and line. */
  readonly lines: readonly ImpactLine[];
  /** True when the lots have more lines than the limit. */
  readonly isCut: boolean;
}

export interface SoughtLines {
  readonly lotNos: readonly number[];
  /** Maximum number of places that are read, give or take a page. */
  readonly linesMax: number;
  /** Whose lines are wanted. */
  readonly wanted: (event: ImpactEventRow) => boolean;
}

/** Pages of events and lines, ascending by height, with turns for others in between. */
export async function* pagesOfLines(
  database: DatabaseReader,
  sought: SoughtLines,
): AsyncGenerator<LinesPage> {
  const { events, isCut } = await readPlaces(database, sought);
  const pages = askInOrder(database, cutPages(events), (reader, page) =>
    readPage(reader, page, sought.wanted),
  );
  for await (const page of pages) yield { ...page, isCut };
}

/** The lines of one event that name one of the lots. */
interface EventPlaces {
  readonly height: number;
  readonly lineNos: readonly number[];
}

/** Ascending by height. */
async function readPlaces(
  database: DatabaseReader,
  sought: SoughtLines,
): Promise<{ readonly events: readonly EventPlaces[]; readonly isCut: boolean }> {
  const parts = new Map<number, number[]>();
  let read = 0;
  for await (const page of inTurns(pagesOfPlaces(database, sought.lotNos))) {
    for (const place of page) {
      const part = Math.floor(place / (LINES_OF_EVENT * HEIGHTS_PER_SORT));
      const known = parts.get(part);
      if (known === undefined) parts.set(part, [place]);
      else known.push(place);
    }
    read += page.length;
    if (read > sought.linesMax) break;
  }
  const events: { readonly height: number; readonly lineNos: number[] }[] = [];
  for await (const part of inTurns([...parts.keys()].sort((a, b) => a - b))) {
    for (const place of Float64Array.from(parts.get(part) ?? []).sort()) {
      const height = Math.floor(place / LINES_OF_EVENT);
      const lineNo = place - height * LINES_OF_EVENT;
      const last = events.at(-1);
      if (last?.height === height) last.lineNos.push(lineNo);
      else events.push({ height, lineNos: [lineNo] });
    }
  }
  return { events, isCut: read > sought.linesMax };
}

/** Pages of the places of lots, those of one event on one page. */
async function* pagesOfPlaces(
  database: DatabaseReader,
  lotNos: readonly number[],
): AsyncGenerator<readonly number[]> {
  const limit = PLACES_PER_PAGE;
  for (const slice of cutSlices(lotNos, LOTS_PER_QUERY)) {
    const open = [{ lotNos: [...slice].sort((a, b) => a - b), above: 0 }];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const rows = await linePlacesOfLots(database, { ...part, limit });
      const places = rows.map((row) => row.places.split(',').map(Number));
      const found = places.flat();
      const last = rows.at(-1);
      if (last === undefined || found.length < limit) {
        yield found;
        continue;
      }
      // The event in which the page ended may continue after it: it is read again with the next one.
      const ofLast = places.pop() ?? [];
      const lastHeight = Math.floor(Math.max(...ofLast) / LINES_OF_EVENT);
      const before = ofLast.filter((place) => place < lastHeight * LINES_OF_EVENT);
      yield [...places.flat(), ...before];
      const rest = part.lotNos.filter((lotNo) => lotNo > last.lotNo);
      if (rest.length > 0) open.push({ lotNos: rest, above: 0 });
      open.push({ lotNos: [last.lotNo], above: lastHeight - 1 });
    }
  }
}

/** Cuts events into pages by their wanted lines: they may have one each, or hundreds. */
function* cutPages(events: readonly EventPlaces[]): Generator<readonly EventPlaces[]> {
  let page: EventPlaces[] = [];
  let lines = 0;
  for (const event of events) {
    page.push(event);
    lines += event.lineNos.length;
    if (page.length < EVENTS_PER_PAGE && lines < LINES_PER_PAGE) continue;
    yield page;
    page = [];
    lines = 0;
  }
  if (page.length > 0) yield page;
}

async function readPage(
  database: DatabaseReader,
  places: readonly EventPlaces[],
  wanted: SoughtLines['wanted'],
): Promise<Omit<LinesPage, 'isCut'>> {
  const rows = await impactEvents(
    database,
    places.map(({ height }) => height),
  );
  const events = new Map(rows.map((row) => [row.height, row]));
  /** Events that are read as a whole, as many as one query may read. */
  const whole: number[][] = [];
  const single: Pick<LotLinePlace, 'height' | 'lineNo'>[] = [];
  const asked = new Set<number>();
  let linesLeft = 0;
  for (const { height, lineNos } of places) {
    const event = events.get(height);
    if (event === undefined || !wanted(event)) continue;
    if (event.lines > LINES_PER_WANTED * lineNos.length) {
      for (const lineNo of lineNos) single.push({ height, lineNo });
      continue;
    }
    for (const lineNo of lineNos) asked.add(height * LINES_OF_EVENT + lineNo);
    const last = whole.at(-1);
    if (last === undefined || linesLeft <= 0) {
      whole.push([height]);
      linesLeft = LINES_PER_QUERY;
    } else last.push(height);
    linesLeft -= event.lines;
  }
  const ofEvents = await askForEach(database, whole, linesOfEvents);
  const atPlaces = await askForEach(database, cutSlices(single, PLACES_PER_QUERY), linesAt);
  const lines = [
    ...ofEvents.flat().filter(({ height, lineNo }) => asked.has(height * LINES_OF_EVENT + lineNo)),
    ...atPlaces.flat(),
  ].flatMap((row): readonly ImpactLine[] => {
    const event = events.get(row.height);
    return event === undefined ? [] : [impactLine(row, event)];
  });
  return { events: rows, lines: lines.sort(byPlace) };
}

function impactLine(row: ImpactLineRow, event: ImpactEventRow): ImpactLine {
  const { customerRef, channel } = row;
  // Member by member: to spread a row takes ten times as long.
  return {
    lotNo: row.lotNo,
    height: row.height,
    lineNo: row.lineNo,
    productSku: row.productSku,
    direction: row.direction,
    quantity: row.quantity,
    unit: row.unit,
    isDelivery: row.isDelivery,
    customerRef,
    channel,
    eventType: event.eventType,
    occurredAt: event.occurredAt,
    reference: event.reference,
    corrections: event.corrections,
    // There are private values only where a customer or a channel was sent.
    isOpen: customerRef === null && channel === null ? 0 : 1,
  };
}

export function byPlace(
  a: Pick<LotLinePlace, 'height' | 'lineNo'>,
  b: Pick<LotLinePlace, 'height' | 'lineNo'>,
): number {
  return a.height - b.height || a.lineNo - b.lineNo;
}
