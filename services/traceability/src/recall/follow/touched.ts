// Finds what some blocks change of the open cases: lots that their events link to lots of a case,
// deliveries of the supplier's lot of a case, buyers of lots of a case, and corrections.
import { askForEach, askInOrder, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns, pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { LINKS_BY_EVENT, LINKS_BY_REFERENCE } from '../../ledger/record/link-basis.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { eventsOfReferences } from '../../lots/genealogy/queries.ts';
import type { WalkDirection } from '../../terms.ts';
import {
  correctionsBetween,
  coveredDeliveries,
  coveredLines,
  deliveriesAmong,
  excludedLines,
  eventsAt,
  lotsMentionedAt,
  lotsOnSides,
  readOneSidedEvents,
  soldLinesAt,
  suppliersAt,
} from './queries.ts';
import { readCovered, readExcluding } from './cases-of-lots.ts';
import type { CaseWay, ChangedEvent, CoveredLot } from './queries.ts';
import { concernedBy } from '../case/recipients.ts';
import { readSales } from '../trace/sales.ts';
import { listDirections } from '../trace/scope.ts';
import type { NewNotification } from '../case/scope-writes.ts';

/** Maximum number of lines that one query reads, unless one event has more: about a millisecond. */
const LINES_PER_QUERY = 1_000;
/** One-sided events of shared references in one page. */
const ONE_SIDED_PER_PAGE = 1_000;

/** The changes that blocks make to one open case, for its lots at `revision`. */
export interface TouchedCase {
  readonly caseId: number;
  readonly revision: number;
  /**
   * Whether its scope is searched again: a correction concerns a lot of it, so links may be gone;
   * or a lot that it excludes is linked to others, which may belong to the case.
   */
  isFoundAnew: boolean;
  /** Lots one hop away from lots of the case, with their distance; they may be in it for another way. */
  readonly beyond: Readonly<Record<WalkDirection, Map<number, number>>>;
  /** Lots that came in under the supplier's lot code it is about. */
  readonly received: Set<number>;
  /** The recipients of its lots by these blocks; the case may have some of them already. */
  readonly concerned: NewNotification[];
}

/** Lots that an event of these blocks links, or all one-sided events of a reference. */
interface TouchedLink {
  readonly in: Set<number>;
  readonly out: Set<number>;
}

/** Open cases that blocks above one height, and through another one, change. */
export async function findTouchedCases(
  reader: LedgerReader,
  blocks: { readonly above: number; readonly through: number },
): Promise<readonly TouchedCase[]> {
  const { database } = reader;
  const corrections = await correctionsBetween(database, blocks);
  const heights = new Set(corrections.map(({ correctsHeight }) => correctsHeight));
  for (let height = blocks.above + 1; height <= blocks.through; height += 1) heights.add(height);
  const events = await readEvents(database, [...heights]);
  const links = await linksByReference(database, events);
  const places = (await askBySlice(database, events, coveredLines)).flat();
  const mentioned = await askForEach(
    database,
    cutSlices(corrections.map(({ height }) => height)),
    lotsMentionedAt,
  );
  const correctedLots = new Set(mentioned.flat().map(({ lotNo }) => lotNo));
  const excluded = (await askBySlice(database, events, excludedLines)).flat();
  const touchedHeights = new Set([...places, ...excluded].map(({ height }) => height));
  const touchedEvents = events.filter(({ height }) => touchedHeights.has(height));
  links.push(...(await linksByEvent(database, touchedEvents)));
  const lotNos = new Set([...places.map(({ lotNo }) => lotNo), ...correctedLots]);
  for (const link of links) for (const lotNo of [...link.in, ...link.out]) lotNos.add(lotNo);
  const table = new TouchedTable(await readCovered(database, [...lotNos]));
  const linked = new Set([...correctedLots, ...links.flatMap((one) => [...one.in, ...one.out])]);

  for (const lotNo of correctedLots) table.correct(lotNo);
  for (const row of await readExcluding(database, [...linked])) table.findAnew(row);
  for await (const link of inTurns(links)) {
    table.link('downstream', { near: link.in, far: link.out });
    table.link('upstream', { near: link.out, far: link.in });
  }
  const delivering = (await askBySlice(database, events, deliveriesAmong)).flat();
  const deliveries = new Set(delivering.map(({ height }) => height));
  for (const row of (await askForEach(database, cutSlices(deliveries), coveredDeliveries)).flat()) {
    table.of(row).received.add(row.lotNo);
  }
  for (const [lotNo, concerned] of await concernedAt(reader, touchedEvents)) {
    for (const row of table.listCases(lotNo)) table.of(row).concerned.push(...concerned);
  }
  return table.touched();
}

async function readEvents(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly ChangedEvent[]> {
  return (await askForEach(database, cutSlices(heights), eventsAt)).flat();
}

/** Reads the lines of events in slices of events, so that no result is long. */
function askBySlice<Row>(
  database: DatabaseReader,
  events: readonly Pick<ChangedEvent, 'height' | 'lineCount'>[],
  ask: (reader: DatabaseReader, heights: readonly number[]) => Promise<readonly Row[]>,
): Promise<readonly (readonly Row[])[]> {
  return askForEach(database, slicesByLines(events), ask);
}

function* slicesByLines(
  events: readonly Pick<ChangedEvent, 'height' | 'lineCount'>[],
): Generator<readonly number[]> {
  let heights: number[] = [];
  let lines = 0;
  for (const { height, lineCount } of events) {
    if (heights.length > 0 && lines + lineCount > LINES_PER_QUERY) {
      yield* cutSlices(heights);
      [heights, lines] = [[], 0];
    }
    heights.push(height);
    lines += lineCount;
  }
  yield* cutSlices(heights);
}

async function linksByEvent(
  database: DatabaseReader,
  touched: readonly ChangedEvent[],
): Promise<readonly TouchedLink[]> {
  const linking = touched.filter(({ linkBasis }) => linkBasis === LINKS_BY_EVENT);
  const links = new Map<number, TouchedLink>();
  for (const row of (await askBySlice(database, linking, lotsOnSides)).flat()) {
    links.getOrInsertComputed(row.height, newLink)[row.side].add(row.lotNo);
  }
  return [...links.values()];
}

/** Includes earlier events of the same reference, because either side may be recorded first. */
async function linksByReference(
  database: DatabaseReader,
  events: readonly ChangedEvent[],
): Promise<TouchedLink[]> {
  const references = new Map<number, Set<string>>();
  for (const { tenantNo, linkBasis, reference } of events) {
    if (linkBasis !== LINKS_BY_REFERENCE) continue;
    references.getOrInsertComputed(tenantNo, () => new Set<string>()).add(reference);
  }
  const links: TouchedLink[] = [];
  for (const [tenantNo, ofTenant] of references) {
    for await (const slice of slicesInTurns(ofTenant)) {
      links.push(...(await linksOfReferences(database, { tenantNo, references: slice })));
    }
  }
  // One side alone leads nowhere.
  return links.filter((link) => link.in.size > 0 && link.out.size > 0);
}

/**
 * Reads all links at once if their events fit a page: a query for each reference took half the time
 * of following.
 */
async function linksOfReferences(
  database: DatabaseReader,
  query: { readonly tenantNo: number; readonly references: readonly string[] },
): Promise<readonly TouchedLink[]> {
  const limit = ONE_SIDED_PER_PAGE;
  const events = await readOneSidedEvents(database, { ...query, limit });
  if (events.length === limit) return await linksOneByOne(database, query);
  const referenceOf = new Map(events.map(({ height, reference }) => [height, reference]));
  const links = new Map<string, TouchedLink>();
  for (const row of (await askBySlice(database, events, lotsOnSides)).flat()) {
    const reference = present(referenceOf.get(row.height), 'the reference of an event');
    links.getOrInsertComputed(reference, newLink)[row.side].add(row.lotNo);
  }
  return [...links.values()];
}

async function linksOneByOne(
  database: DatabaseReader,
  query: { readonly tenantNo: number; readonly references: readonly string[] },
): Promise<readonly TouchedLink[]> {
  const { tenantNo } = query;
  const links: TouchedLink[] = [];
  for (const reference of query.references) {
    const link = newLink();
    for await (const slice of oneSidedEvents(database, { tenantNo, reference })) {
      for (const row of slice) link[row.side].add(row.lotNo);
    }
    links.push(link);
  }
  return links;
}

/** Pages of the lots of all one-sided events of a reference. */
async function* oneSidedEvents(
  database: DatabaseReader,
  query: { readonly tenantNo: number; readonly reference: string },
): AsyncGenerator<Awaited<ReturnType<typeof lotsOnSides>>> {
  const { tenantNo, reference } = query;
  const references = [reference];
  const pages = pagesInTurns({
    start: { height: 0 },
    limit: ONE_SIDED_PER_PAGE,
    read: ({ height: above }, limit) =>
      eventsOfReferences(database, { tenantNo, references, above, limit }),
  });
  for await (const page of pages) {
    const events = await readEvents(
      database,
      page.map(({ height }) => height),
    );
    yield* askInOrder(database, slicesByLines(events), lotsOnSides);
  }
}

/** The buyers and the suppliers of each lot, in events about a lot of a case. */
async function concernedAt(
  reader: LedgerReader,
  touched: readonly ChangedEvent[],
): Promise<ReadonlyMap<number, readonly NewNotification[]>> {
  const { database } = reader;
  const byLot = new Map<number, NewNotification[]>();
  const add = (lotNo: number, concerned: readonly NewNotification[]): void => {
    byLot.getOrInsertComputed(lotNo, () => []).push(...concerned);
  };
  for await (const lines of askInOrder(database, slicesByLines(touched), soldLinesAt)) {
    for (const [index, sale] of (await readSales(reader, lines)).entries()) {
      const line = lines[index];
      if (line === undefined) continue;
      const { customerRef, channel } = sale;
      const concerned = { customerRefs: [customerRef], channels: [channel], supplierNames: [] };
      add(line.lotNo, concernedBy(concerned));
    }
  }
  for (const row of (await askBySlice(database, touched, suppliersAt)).flat()) {
    const supplierNames = [row.supplierName];
    add(row.lotNo, concernedBy({ customerRefs: [], channels: [], supplierNames }));
  }
  return byLot;
}

/** A case that nothing changes yet. */
export function newTouched({
  caseId,
  revision,
}: Pick<TouchedCase, 'caseId' | 'revision'>): TouchedCase {
  return {
    caseId,
    revision,
    isFoundAnew: false,
    beyond: { upstream: new Map(), downstream: new Map() },
    received: new Set(),
    concerned: [],
  };
}

class TouchedTable {
  readonly #cases = new Map<number, TouchedCase>();
  readonly #covered = new Map<number, CoveredLot[]>();

  constructor(covered: readonly CoveredLot[]) {
    for (const row of covered) this.#covered.getOrInsertComputed(row.lotNo, () => []).push(row);
  }

  listCases(lotNo: number): readonly CoveredLot[] {
    return this.#covered.get(lotNo) ?? [];
  }

  of(one: CaseWay): TouchedCase {
    return this.#cases.getOrInsertComputed(one.caseId, () => newTouched(one));
  }

  correct(lotNo: number): void {
    for (const row of this.listCases(lotNo)) this.findAnew(row);
  }

  findAnew(one: CaseWay): void {
    this.of(one).isFoundAnew = true;
  }

  link(
    direction: WalkDirection,
    { near, far }: { readonly near: Iterable<number>; readonly far: Iterable<number> },
  ): void {
    const nearest = new Map<number, CoveredLot>();
    for (const lotNo of near) {
      for (const row of this.listCases(lotNo)) {
        if (!leads(row, direction)) continue;
        const known = nearest.get(row.caseId);
        if (known === undefined || known.distance > row.distance) nearest.set(row.caseId, row);
      }
    }
    if (nearest.size === 0) return;
    for (const lotNo of far) {
      const covering = this.listCases(lotNo).filter((row) => isOnWay(row, direction));
      const covered = new Set(covering.map((row) => row.caseId));
      for (const row of nearest.values()) {
        if (covered.has(row.caseId)) continue;
        const beyond = this.of(row).beyond[direction];
        const distance = row.distance + 1;
        beyond.set(lotNo, Math.min(distance, beyond.get(lotNo) ?? distance));
      }
    }
  }

  touched(): readonly TouchedCase[] {
    return [...this.#cases.values()].filter(
      ({ isFoundAnew, beyond, received, concerned }) =>
        isFoundAnew ||
        received.size + concerned.length + beyond.upstream.size + beyond.downstream.size > 0,
    );
  }
}

/** Whether the neighbours of a case's lot in this direction are in the case as well. */
function leads(row: CoveredLot, direction: WalkDirection): boolean {
  return directionsOfCase(row).includes(direction) && isOnWay(row, direction);
}

/** The directions in which lots beyond a lot of a case are in the case as well. */
export function directionsOfCase({ direction, seedLotNo }: CaseWay): readonly WalkDirection[] {
  return listDirections({ direction, seedKind: seedLotNo === null ? 'supplier' : 'own' });
}

/** Whether a lot of a case was reached in this direction; the seed is in both. */
export function isOnWay(
  { relation, bothWays }: Pick<CoveredLot, 'relation' | 'bothWays'>,
  direction: WalkDirection,
): boolean {
  return relation === 'self' || relation === direction || bothWays === 1;
}

function newLink(): TouchedLink {
  return { in: new Set(), out: new Set() };
}
