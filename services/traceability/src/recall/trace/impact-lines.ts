// Reads the lines of lots with their events, in the order of the blocks. For any number of lots,
// each part of the tables is read once, from its beginning to its end. Lot by lot, the same lines
// would be read from all over the database again and again, which takes three times as long.
import { askForEach, askInOrder, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns } from '@lothub/kit/in-turns';
import {
  PLACES_PER_QUERY,
  impactEvents,
  linePlacesOfLots,
  linesAt,
  linesOfEvents,
} from './impact-queries.ts';
import type { ImpactEventRow, ImpactLineRow, LotLinePlace } from './impact-queries.ts';

/** Places of one query, in the index alone: about a millisecond, and more than one event can have. */
const PLACES_PER_PAGE = 1_200;
/** Events of one query: a millisecond or two with their lines. */
const EVENTS_PER_QUERY = 128;
/** More lines than an event can have, so that a place is one number: height * 1,024 + line. */
const LINES_OF_EVENT = 1_024;
/** Heights whose places are sorted at a time. */
const HEIGHTS_PER_SORT = 4_096;
/**
 * All lines of an event are read, not only the wanted ones, if there are at most this many times as
 * many.
 */
const LINES_PER_WANTED = 8;
/** Lines of whole events in one query, give or take an event. */
const LINES_PER_QUERY = 500;

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
  const slices = cutSlices(events, EVENTS_PER_QUERY);
  const pages = askInOrder(database, slices, (reader, slice) =>
    readPage(reader, slice, sought.wanted),
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
    for (const { height, lineNo } of page) {
      const part = Math.floor(height / HEIGHTS_PER_SORT);
      const place = height * LINES_OF_EVENT + lineNo;
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
): AsyncGenerator<readonly LotLinePlace[]> {
  const limit = PLACES_PER_PAGE;
  for (const slice of cutSlices(lotNos)) {
    const open = [{ lotNos: [...slice].sort((a, b) => a - b), above: 0 }];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const page = await linePlacesOfLots(database, { ...part, limit });
      const last = page.at(-1);
      if (last === undefined || page.length < limit) {
        yield page;
        continue;
      }
      // The event in which the page ended may continue after it: it is read again with the next one.
      yield page.filter(({ lotNo, height }) => lotNo !== last.lotNo || height !== last.height);
      const rest = part.lotNos.filter((lotNo) => lotNo > last.lotNo);
      if (rest.length > 0) open.push({ lotNos: rest, above: 0 });
      open.push({ lotNos: [last.lotNo], above: last.height - 1 });
    }
  }
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
