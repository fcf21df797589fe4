// Reads which lots were linked when a block was the newest: the stored links of events that were
// not corrected since, and the links that the corrected ones gave then.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn } from '@lothub/kit/in-turns';
import { compareTexts } from '@lothub/kit/text-order';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../../ledger/record/link-basis.ts';
import type { LinkEvent, LinkEvents, OneSidedEvent } from '../../lots/genealogy/queries.ts';
import { STORED_LINKS, type LinkSource } from '../../lots/genealogy/link-reader.ts';
import type { LotPlace, Side } from '../../lots/queries.ts';
import type { PastEvent } from './events.ts';

/** One-sided events of the references of one query: more than a walk reads. */
const REFERENCE_EVENTS_MAX = 1_000_000;

type PageOf<Query extends keyof LinkSource> = Parameters<LinkSource[Query]>[1];

interface PastLink extends LinkEvent {
  readonly side: Side;
}

export class PastLinks implements LinkSource {
  readonly #height: number;
  readonly #events: ReadonlyMap<number, PastEvent>;
  readonly #linksOfLot = new Map<number, PastLink[]>();
  readonly #ofReference = new Map<string, OneSidedEvent[]>();

  /** @param past.events as `readPastEvents` answers them */
  constructor(past: { readonly height: number; readonly events: ReadonlyMap<number, PastEvent> }) {
    this.#height = past.height;
    this.#events = past.events;
    for (const event of past.events.values()) this.#add(event);
  }

  readonly linkEventsOfLots = async (
    database: DatabaseReader,
    page: PageOf<'linkEventsOfLots'>,
  ): Promise<LinkEvents> => {
    const stored = await STORED_LINKS.linkEventsOfLots(database, page);
    const end = stored.events.length < page.limit ? stored.end : stored.events.at(-1);
    const events: LinkEvent[] = stored.events.filter(({ height }) => this.counts(height));
    for (const lotNo of page.lotNos) {
      for (const link of this.#linksOfLot.get(lotNo) ?? []) {
        if (link.side !== page.side || link.height <= page.above) continue;
        if (end === undefined || byPlace(link, end) <= 0) events.push(link);
      }
    }
    return { events: events.sort(byPlace), end };
  };

  readonly lotsOfEvents = async (
    database: DatabaseReader,
    page: PageOf<'lotsOfEvents'>,
  ): Promise<readonly LotPlace[]> => {
    const heights = page.heights.filter((height) => !this.#events.has(height));
    const stored =
      heights.length === 0 ? [] : await STORED_LINKS.lotsOfEvents(database, { ...page, heights });
    const past = page.heights.flatMap((height) =>
      (this.#events.get(height)?.lines ?? []).filter(({ direction }) => direction === page.side),
    );
    // Lots of one event stay in the order of its lines.
    return [...stored, ...past].sort((a, b) => a.height - b.height).slice(0, page.limit);
  };

  /**
   * Returns all events at once: a filtered page would be shorter than the limit, which means that
   * it is the last.
   */
  readonly eventsOfReferences = async (
    database: DatabaseReader,
    page: PageOf<'eventsOfReferences'>,
  ): Promise<readonly OneSidedEvent[]> => {
    const { references, limit } = page;
    const found = references.flatMap((reference) =>
      (this.#ofReference.get(reference) ?? []).filter(({ height }) => height > page.above),
    );
    const open = [{ references, above: page.above }];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const stored = await STORED_LINKS.eventsOfReferences(database, { ...page, ...part });
      for (const event of stored) if (this.counts(event.height)) found.push(event);
      const last = stored.at(-1);
      if (last === undefined || stored.length < limit) continue;
      if (found.length > REFERENCE_EVENTS_MAX) break;
      const begun = new Set(stored.map(({ reference }) => reference));
      const rest = part.references.filter((reference) => !begun.has(reference));
      if (rest.length > 0) open.push({ references: rest, above: page.above });
      open.push({ references: [last.reference], above: last.height });
      await nextTurn();
    }
    return found.sort((a, b) => compareTexts(a.reference, b.reference) || a.height - b.height);
  };

  /** Whether the stored rows of the block of this height are those that counted then. */
  counts(height: number): boolean {
    return height <= this.#height && !this.#events.has(height);
  }

  #add({ height, linkBasis, reference, eventType, lines }: PastEvent): void {
    if (linkBasis === LINKS_NOTHING) return;
    const isByReference = linkBasis === LINKS_BY_REFERENCE;
    if (isByReference) pushTo(this.#ofReference, reference, { reference, height, eventType });
    const seen = new Set<string>();
    for (const { lotNo, direction: side } of lines) {
      const key = `${lotNo} ${side}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const shown = isByReference ? reference : null;
      pushTo(this.#linksOfLot, lotNo, { lotNo, height, linkBasis, reference: shown, side });
    }
  }
}

function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

function byPlace(a: LotPlace, b: LotPlace): number {
  return a.lotNo - b.lotNo || a.height - b.height;
}
