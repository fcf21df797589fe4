// The chain of a lot: the events of the lot and of all lots related to it, in the order in which they
// occurred, as sealed and as they count now (docs/interface/traceability.md#the-chain-of-a-lot).
import { askInOrder, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns, nextTurn, slicesInTurns } from '@lothub/kit/in-turns';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { Static } from 'typebox';
import { PAGE_CHARS_MAX } from '../../http.ts';
import { comparableInstant } from '../../ledger/record/quantities.ts';
import { BLOCKS_PER_TURN, type LedgerReader } from '../../ledger/read.ts';
import { WALK_DIRECTIONS, type WalkDirection } from '../../terms.ts';
import type { ChainEventSchema, LotChainSchema } from './schema.ts';
import { lotsOfSupplierCode, momentsOfEvents, type EventMoment } from './queries.ts';
import { noSuchLot } from '../similar-codes.ts';
import { mergeRelations } from '../genealogy/links.ts';
import { LOTS_PER_COMPOUND, endsOfLots, findLot, findTenant, pagesOfLot } from '../queries.ts';
import { readRecordedEvents, type RecordedEvent } from './recorded-event.ts';
import { LotWalk } from '../genealogy/walk.ts';

/** The limits of related lots and their links that are read in each direction. */
const WALK = { lotsMax: 5_000, eventsMax: 50_000, linesMax: 500_000 } as const;
/** Lots received under one supplier's lot code. */
const RECEIVED_LOTS_MAX = 1_000;
/** Blocks of the related lots that are put in order; nearest lots first. */
export const CHAIN_BLOCKS_MAX = 50_000;
/** Blocks of one lot found along with those of others; a lot with more is gone through alone. */
const BLOCKS_PER_LOT = 100;
/** Heights of one lot found in one query: about a millisecond. */
const HEIGHTS_PER_QUERY = 1_000;

export type LotChain = Static<typeof LotChainSchema>;
type ChainEventItem = Static<typeof ChainEventSchema>;

/**
 * Returns a page of the chain of a tenant's lot. If no own lot has the code, it is the chain of the
 * lots that were received under it from a supplier, and of the lots made from them.
 * @param query `after` as `placeText` made it: later pages stay right while events arrive
 * @throws Refusal `not_found` when the tenant has no lot by this code
 */
export async function lotChain(
  reader: LedgerReader,
  query: {
    readonly tenantId: string;
    readonly lotCode: string;
    readonly after: EventMoment | undefined;
    readonly limit: number;
  },
  blocksMax = CHAIN_BLOCKS_MAX,
): Promise<LotChain> {
  const { database } = reader;
  const start = await startOfChain(database, query);
  const related = await relatedLotNos(database, start);
  const blocks = await blocksOfLots(database, related.lotNos, blocksMax);
  const found = await firstEvents(database, blocks.heights, {
    after: query.after,
    limit: query.limit + 1,
  });
  const page = cutPage(found, query.limit);
  const { events, cutAt } = await readPage(reader, page.rows);
  const last = cutAt ?? page.last;
  return {
    lot_code: query.lotCode,
    events: events.map(chainEvent),
    next: last === undefined ? null : placeText(last),
    truncated: start.isCut || related.isCut || blocks.isCut,
  };
}

interface Start {
  readonly tenantNo: number;
  readonly lotNos: readonly number[];
  readonly directions: readonly WalkDirection[];
  readonly isCut: boolean;
}

/** The tenant's own lot of the code, or else the lots that a supplier calls so. */
async function startOfChain(
  database: DatabaseReader,
  asked: { readonly tenantId: string; readonly lotCode: string },
): Promise<Start> {
  const own = await findLot(database, asked);
  if (own !== undefined) {
    const { tenantNo, lotNo } = own;
    return { tenantNo, lotNos: [lotNo], directions: WALK_DIRECTIONS, isCut: false };
  }
  const tenant = await findTenant(database, asked.tenantId);
  if (tenant === undefined) throw await noSuchLot(database, asked);
  const { tenantNo } = tenant;
  const received = await lotsOfSupplierCode(database, {
    tenantNo,
    supplierLotCode: asked.lotCode,
    limit: RECEIVED_LOTS_MAX + 1,
  });
  if (received.length === 0) throw await noSuchLot(database, asked);
  return {
    tenantNo,
    lotNos: received.slice(0, RECEIVED_LOTS_MAX),
    directions: ['downstream'],
    isCut: received.length > RECEIVED_LOTS_MAX,
  };
}

/** Nearest first, each once. */
async function relatedLotNos(
  database: DatabaseReader,
  start: Start,
): Promise<{ readonly lotNos: readonly number[]; readonly isCut: boolean }> {
  const walks = start.directions.map(
    (direction) =>
      new LotWalk({
        database,
        tenantNo: start.tenantNo,
        direction,
        seeds: start.lotNos,
        depthMax: Infinity,
        links: 'dropped',
        ...WALK,
      }),
  );
  await Promise.all(walks.map((walk) => walk.run()));
  return {
    lotNos: mergeRelations(walks).map(({ lotNo }) => lotNo),
    isCut: walks.some((walk) => walk.isCut),
  };
}

/** The blocks that concern any of these lots, of the first lots first. */
async function blocksOfLots(
  database: DatabaseReader,
  lotNos: readonly number[],
  blocksMax: number,
): Promise<{ readonly heights: readonly number[]; readonly isCut: boolean }> {
  const heights = new Set<number>();
  for await (const page of pagesOfBlocks(database, lotNos)) {
    for (const height of page) heights.add(height);
    if (heights.size > blocksMax) return { heights: [...heights].slice(0, blocksMax), isCut: true };
  }
  return { heights: [...heights], isCut: false };
}

/** Pages of heights, with a turn after each; one may come for several lots. */
async function* pagesOfBlocks(
  database: DatabaseReader,
  lotNos: readonly number[],
): AsyncGenerator<readonly number[]> {
  const slices = cutSlices(lotNos, LOTS_PER_COMPOUND);
  const pages = askInOrder(database, slices, (reader, slice) =>
    endsOfLots(reader, {
      lotNos: slice,
      blocks: 'concerning',
      end: 'oldest',
      above: 0,
      below: Number.MAX_SAFE_INTEGER,
      limit: BLOCKS_PER_LOT,
    }),
  );
  for await (const places of pages) {
    yield places.map((place) => place.height);
    await nextTurn();
    const ofLot = Map.groupBy(places, (place) => place.lotNo);
    for (const [lotNo, own] of ofLot) {
      if (own.length < BLOCKS_PER_LOT) continue;
      const above = Math.max(...own.map((place) => place.height));
      yield* pagesOfLot(database, { lotNo, above, limit: HEIGHTS_PER_QUERY });
    }
  }
}

/** Finds the first events after a place, in the order of the chain; memory has only these. */
async function firstEvents(
  database: DatabaseReader,
  heights: readonly number[],
  page: { readonly after: EventMoment | undefined; readonly limit: number },
): Promise<readonly EventMoment[]> {
  const { after, limit } = page;
  let first: readonly EventMoment[] = [];
  const found = askInOrder(database, cutSlices(heights), momentsOfEvents);
  for await (const moments of inTurns(found)) {
    const behind =
      after === undefined ? moments : moments.filter((moment) => byMoment(moment, after) > 0);
    first = [...first, ...behind].sort(byMoment).slice(0, limit);
  }
  return first;
}

function byMoment(a: EventMoment, b: EventMoment): number {
  const [instantA, instantB] = [comparableInstant(a.occurredAt), comparableInstant(b.occurredAt)];
  if (instantA !== instantB) return instantA < instantB ? -1 : 1;
  return a.height - b.height;
}

/** Reads events until the page is large enough, at least one; `cutAt` is the last of a page cut short. */
async function readPage(
  reader: LedgerReader,
  moments: readonly EventMoment[],
): Promise<{ readonly events: readonly RecordedEvent[]; readonly cutAt: EventMoment | undefined }> {
  const events: RecordedEvent[] = [];
  let last: EventMoment | undefined;
  let chars = 0;
  for await (const slice of slicesInTurns(moments, BLOCKS_PER_TURN)) {
    const heights = slice.map((moment) => moment.height);
    const read = new Map(
      (await readRecordedEvents(reader, heights)).map((event) => [event.block.height, event]),
    );
    for (const moment of slice) {
      const event = read.get(moment.height);
      chars += event?.chars ?? 0;
      if (last !== undefined && chars > PAGE_CHARS_MAX) return { events, cutAt: last };
      if (event !== undefined) events.push(event);
      last = moment;
    }
  }
  return { events, cutAt: undefined };
}

function chainEvent(recorded: RecordedEvent): ChainEventItem {
  const { block, effective } = recorded;
  const { event } = effective;
  return {
    id: block.height,
    event_type: event.event_type,
    status: recorded.status,
    occurred_at: event.occurred_at,
    block_height: block.height,
    block_hash: block.hash,
    lot_codes: [...new Set(event.lines.map((line) => line.lot_code))],
    original: recorded.originalView(),
    effective: recorded.effectiveView(),
    corrections: recorded.correctionViews(),
  };
}

/** An event's place in the order of the chain, as `next` and `after` carry it. */
export function placeText(place: EventMoment): string {
  return `${place.occurredAt}~${place.height}`;
}

/** @param text of the form `CHAIN_PLACE_PATTERN` */
export function readPlace(text: string): EventMoment {
  const [occurredAt = '', height = ''] = text.split('~');
  return { occurredAt, height: Number(height) };
}
