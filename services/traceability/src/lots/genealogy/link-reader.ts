// Reads the links of lots in one direction, a page at a time: every event and every reference is
// read once, however many lots lead to it.
import { askForEach, askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, IN_LIST_MAX } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import { LINKS_BY_REFERENCE } from '../../ledger/record/link-basis.ts';
import { getFacts } from '../../ledger/record/event-types.ts';
import type { WalkDirection } from '../../terms.ts';
import { eventsOfReferences, linkEventsOfLots, lotsOfEvents } from './queries.ts';
import type { LinkEvent, OneSidedEvent } from './queries.ts';
import { addNear, openingOfEvent, openingOfReference } from './link.ts';
import type { Link, OpenLink, Opening } from './link.ts';
import type { LotPlace, Side } from '../queries.ts';

/** The sizes of one query. */
export interface PageSizes {
  /** Lots of one query, up to IN_LIST_MAX. */
  readonly lots: number;
  /** Rows answered; more than an event can have lines. */
  readonly rows: number;
  /** Lines of lots that one query reads, only in the index; more than an event can have. */
  readonly lines: number;
  /** Events whose lots are requested at once. */
  readonly events: number;
}

/** About a millisecond of one query, and three at worst: 64 events may have 64,000 lines. */
export const PAGE_SIZES: PageSizes = { lots: IN_LIST_MAX, rows: 1_200, lines: 20_000, events: 64 };

/** Slices of events whose lots are requested together: a limit of reads that may be unnecessary. */
const SLICES_TOGETHER = 4;

/** The queries that links are read by; another source may answer of another state of the chain. */
export interface LinkSource {
  readonly linkEventsOfLots: typeof linkEventsOfLots;
  readonly eventsOfReferences: typeof eventsOfReferences;
  readonly lotsOfEvents: typeof lotsOfEvents;
}

/** The links that count now. */
export const STORED_LINKS: LinkSource = { linkEventsOfLots, eventsOfReferences, lotsOfEvents };

export interface LinkReaderOptions {
  readonly database: DatabaseReader;
  /** All links are of one tenant. */
  readonly tenantNo: number;
  readonly direction: WalkDirection;
  /** Maximum number of linking events that are read, give or take a page. */
  readonly eventsMax: number;
  /** Maximum number of lines of lots and events that are read, give or take a page. */
  readonly linesMax: number;
  /**
   * Whether `links` returns the found links afterwards; a caller that needs only the lots saves the
   * memory.
   */
  readonly links: 'kept' | 'dropped';
  /** PAGE_SIZES when not given. */
  readonly pages?: PageSizes;
  /** STORED_LINKS when not given. */
  readonly source?: LinkSource;
}

export class LinkReader {
  readonly #options: LinkReaderOptions;
  readonly #pages: PageSizes;
  readonly #source: LinkSource;
  readonly #nearSide: Side;
  readonly #farSide: Side;
  /** Undefined: the link is not kept. */
  readonly #ofEvent = new Map<number, OpenLink | undefined>();
  readonly #ofReference = new Map<string, OpenLink | undefined>();
  #events = 0;
  #lines = 0;

  constructor(options: LinkReaderOptions) {
    this.#options = options;
    this.#pages = options.pages ?? PAGE_SIZES;
    this.#source = options.source ?? STORED_LINKS;
    [this.#nearSide, this.#farSide] =
      options.direction === 'upstream' ? ['out', 'in'] : ['in', 'out'];
  }

  /** True when a bound was met: the last request was not read to its end. */
  get isSpent(): boolean {
    return this.#events > this.#options.eventsMax || this.#lines > this.#options.linesMax;
  }

  /** Every link found, in the order in which they were; none when they are dropped. */
  *links(): Generator<Link> {
    for (const link of this.#ofEvent.values()) if (link !== undefined) yield link;
    for (const link of this.#ofReference.values()) if (link !== undefined) yield link;
  }

  /** Every reference that was opened because an event links by it. */
  references(): Iterable<string> {
    return this.#ofReference.keys();
  }

  /**
   * Pages of the lots one hop away from these; a lot may come several times. Ends early when a bound
   * is met.
   * @param lotNos 1 to IN_LIST_MAX lots, none of which was requested before
   */
  async *lotsBeyond(lotNos: readonly number[]): AsyncGenerator<readonly number[]> {
    for await (const rows of this.#pagesOfLots(lotNos)) {
      const byReference: LinkEvent[] = [];
      const opened = new Map<number, Opening>();
      for (const row of rows) {
        if (row.linkBasis === LINKS_BY_REFERENCE) {
          byReference.push(row);
          continue;
        }
        if (!this.#ofEvent.has(row.height)) {
          const opening = openingOfEvent(row.height);
          opened.set(row.height, opening);
          this.#ofEvent.set(row.height, this.#kept(opening.link));
        }
        addNear(this.#ofEvent.get(row.height), row);
      }
      this.#events += opened.size;
      const ahead = await this.#readAhead(opened, byReference);
      yield* this.#farLots(opened, ahead.farLots);
      if (this.isSpent) return;
      for (const { link } of opened.values()) link.isRead = true;
      if (byReference.length > 0) yield* this.#lotsBehindReferences(byReference, ahead.references);
      if (this.isSpent) return;
    }
  }

  /**
   * Reads the first pages for `#farLots` and `#lotsBehindReferences` together, because neither
   * depends on the other.
   */
  async #readAhead(
    opened: ReadonlyMap<number, Opening>,
    byReference: readonly LinkEvent[],
  ): Promise<{
    readonly farLots: readonly (readonly LotPlace[])[];
    readonly references: readonly OneSidedEvent[] | undefined;
  }> {
    const slices = this.#slicesOfEvents(opened).slice(0, SLICES_TOGETHER);
    const [references] = cutSlices(this.#newReferences(byReference));
    if (slices.length === 0 && references === undefined) return { farLots: [], references };
    return await askTogether(this.#options.database, async (reader) => {
      const [farLots, events] = await Promise.all([
        Promise.all(slices.map((slice) => this.#readFarLots(reader, slice))),
        references && this.#readOneSided(reader, { references, above: 0 }),
      ]);
      return { farLots, references: events };
    });
  }

  #slicesOfEvents(openings: ReadonlyMap<number, Opening>): readonly (readonly number[])[] {
    const ascending = [...openings.keys()].sort((a, b) => a - b);
    return [...cutSlices(ascending, this.#pages.events)];
  }

  #newReferences(rows: readonly LinkEvent[]): readonly string[] {
    const references = new Set<string>();
    for (const { reference } of rows) {
      if (reference !== null && !this.#ofReference.has(reference)) references.add(reference);
    }
    return [...references];
  }

  #readFarLots(reader: DatabaseReader, heights: readonly number[]): Promise<readonly LotPlace[]> {
    return this.#source.lotsOfEvents(reader, {
      heights,
      side: this.#farSide,
      limit: this.#pages.rows,
    });
  }

  #readOneSided(
    reader: DatabaseReader,
    page: { readonly references: readonly string[]; readonly above: number },
  ): Promise<readonly OneSidedEvent[]> {
    const { tenantNo } = this.#options;
    return this.#source.eventsOfReferences(reader, { tenantNo, ...page, limit: this.#pages.rows });
  }

  /** Pages of the events that link these lots, by lot and height. A row may come twice. */
  async *#pagesOfLots(lotNos: readonly number[]): AsyncGenerator<readonly LinkEvent[]> {
    const { database } = this.#options;
    const { rows: limit, lines: linesMax } = this.#pages;
    const open = [{ lotNos: [...lotNos].sort((a, b) => a - b), above: 0 }];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const side = this.#nearSide;
      const page = await this.#source.linkEventsOfLots(database, {
        ...part,
        linesMax,
        side,
        limit,
      });
      const rows = page.events;
      const end = rows.length < limit ? page.end : rows.at(-1);
      this.#lines += rows.length < limit && end !== undefined ? linesMax : rows.length;
      await nextTurn();
      yield rows;
      if (end === undefined) continue;
      const rest = part.lotNos.filter((lotNo) => lotNo > end.lotNo);
      if (rest.length > 0) open.push({ lotNos: rest, above: 0 });
      // The event in whose lines the page ended is read once more: its linking line may be after
      // the end.
      open.push({ lotNos: [end.lotNo], above: end.height - 1 });
    }
  }

  /**
   * Pages of the lots on the far side of events; `openings` has the link that each belongs to. Ends early
   * when the bound of lines is met.
   * @param ahead first pages of the first slices, when they have been read
   */
  async *#farLots(
    openings: ReadonlyMap<number, Opening>,
    ahead: readonly (readonly LotPlace[])[] = [],
  ): AsyncGenerator<readonly number[]> {
    const { database } = this.#options;
    const slices = this.#slicesOfEvents(openings);
    let pages = [...ahead];
    for (const [index, slice] of slices.entries()) {
      if (this.#lines > this.#options.linesMax) return;
      if (pages.length === 0) {
        const some = slices.slice(index, index + SLICES_TOGETHER);
        pages = [
          ...(await askForEach(database, some, (reader, one) => this.#readFarLots(reader, one))),
        ];
      }
      let heights = slice;
      let first = pages.shift();
      while (heights.length > 0) {
        const rows = first ?? (await this.#readFarLots(database, heights));
        first = undefined;
        this.#lines += rows.length;
        // The last event of a full page may continue after it: it is read again with the next one.
        const cutAt = rows.length < this.#pages.rows ? Infinity : (rows.at(-1)?.height ?? Infinity);
        const found: number[] = [];
        const seenInEvent = new Set<number>();
        let event = 0;
        for (const { height, lotNo } of rows) {
          if (height >= cutAt) break;
          const opening = openings.get(height);
          if (opening === undefined) continue;
          if (height !== event) seenInEvent.clear();
          event = height;
          const seen = opening.seen ?? seenInEvent;
          if (seen.has(lotNo)) continue;
          seen.add(lotNo);
          opening.link.far.push(lotNo);
          if (opening.link.basis === 'reference') opening.link.farHeights.push(height);
          found.push(lotNo);
        }
        yield found;
        await nextTurn();
        heights = heights.filter((height) => height >= cutAt);
      }
    }
  }

  /** @param ahead the first page of the first slice of new references, when it has been read */
  async *#lotsBehindReferences(
    rows: readonly LinkEvent[],
    ahead: readonly OneSidedEvent[] | undefined,
  ): AsyncGenerator<readonly number[]> {
    const opened = new Map<string, Opening>();
    for (const row of rows) {
      const { reference } = row;
      if (reference === null) continue;
      if (!this.#ofReference.has(reference)) {
        const opening = openingOfReference();
        opened.set(reference, opening);
        this.#ofReference.set(reference, this.#kept(opening.link));
      }
      addNear(this.#ofReference.get(reference), row);
    }
    let first = ahead;
    for (const references of cutSlices([...opened.keys()])) {
      const pages = this.#pagesOfReferences(references, first);
      first = undefined;
      for await (const page of pages) {
        this.#events += page.length;
        const openings = new Map<number, Opening>();
        for (const event of page) {
          const opening = opened.get(event.reference);
          if (opening !== undefined && chooseSide(event) === this.#farSide)
            openings.set(event.height, opening);
        }
        yield* this.#farLots(openings);
        if (this.isSpent) return;
      }
    }
    for (const { link } of opened.values()) link.isRead = true;
  }

  /**
   * Reads pages of the one-sided events of references, of each reference by height. A reference
   * that fills a page is continued alone from its last height, so no page is read twice however
   * many events it has.
   */
  async *#pagesOfReferences(
    references: readonly string[],
    ahead: readonly OneSidedEvent[] | undefined,
  ): AsyncGenerator<readonly OneSidedEvent[]> {
    const limit = this.#pages.rows;
    const open = [{ references, above: 0 }];
    let first = ahead;
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const rows = first ?? (await this.#readOneSided(this.#options.database, part));
      first = undefined;
      yield rows;
      await nextTurn();
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) continue;
      // The references in the page decide, not their order, because engines sort texts differently.
      const begun = new Set(rows.map((row) => row.reference));
      const rest = part.references.filter((reference) => !begun.has(reference));
      if (rest.length > 0) open.push({ references: rest, above: 0 });
      open.push({ references: [last.reference], above: last.height });
    }
  }

  #kept(link: OpenLink): OpenLink | undefined {
    return this.#options.links === 'kept' ? link : undefined;
  }
}

/** Returns the one side of an event that links by its reference (link-basis.ts). */
function chooseSide(event: OneSidedEvent): Side {
  return getFacts(event.eventType).linkedAlone === 'in' ? 'in' : 'out';
}
