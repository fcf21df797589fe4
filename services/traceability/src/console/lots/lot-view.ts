// Reads everything that the page of a lot shows.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { findHeights } from '../../events/find-heights.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { PAGE_CHARS_MAX } from '../../http.ts';
import { readRecordedEvents, type RecordedEvent } from '../../lots/chain/recorded-event.ts';
import { findLot, lotsOfCode } from '../../lots/queries.ts';
import { lotRecord, readBalances, type LotRecord } from '../../lots/record.ts';
import type { Notices } from '../../lots/notices/notices.ts';
import type { Notice } from '../../lots/notices/schema.ts';
import { readPlaceProfiles, readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import type { PlaceProfiles, ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { readGtin } from '../../lots/profiles/gs1.ts';
import { countWatches, type WatchCount } from '../../watching/watches.ts';
import { balanceSheet, type BalanceSheet } from './balance.ts';
import { casesCoveringLot, type CaseOfLot } from './queries.ts';

/** Events on one page of a lot: each may be a megabyte. */
const EVENTS_PER_PAGE = 20;
const CASES_SHOWN_MAX = 50;
/** Other brands that are named. */
const BRANDS_SHOWN_MAX = 10;

export interface LotView {
  readonly record: LotRecord;
  readonly sheets: readonly BalanceSheet[];
  readonly events: readonly RecordedEvent[];
  /** The cursor of older events; null at the end. */
  readonly nextEvent: number | null;
  readonly cases: readonly CaseOfLot[];
  readonly notices: readonly Notice[];
  /** Other brands that have recorded a lot of this code. */
  readonly others: readonly { readonly tenantId: string; readonly name: string }[];
  readonly products: ProductProfiles;
  /** The number of people who watch it. */
  readonly watched: { readonly lot: WatchCount; readonly product: WatchCount };
  readonly places: PlaceProfiles;
}

/** @throws Refusal `not_found`, `several_lots` */
export async function readLotView(
  { reader, notices, publicUrl }: LotViewDeps,
  asked: {
    readonly tenantId: string;
    readonly lotCode: string;
    readonly before: number | undefined;
  },
): Promise<LotView> {
  const { tenantId } = asked;
  const { database } = reader;
  const record = await lotRecord(reader, asked);
  const lotCode = record.lot_code;
  const lot = present(await findLot(database, { tenantId, lotCode }), 'a lot that has a record');
  const { balances } = await readBalances(database, lot);
  const [{ events, next }, cases, profiles] = await Promise.all([
    readEvents(reader, { tenantId, lotCode, before: asked.before }),
    casesCoveringLot(database, { lotNo: lot.lotNo, limit: CASES_SHOWN_MAX }),
    readProductProfiles(database, { tenantId, skus: record.product_skus, publicUrl }),
  ]);
  return {
    ...{ record, events, cases },
    nextEvent: next,
    sheets: balances.map(balanceSheet),
    notices: (await notices.ofLot(lot)).notices,
    others: await readOthers(database, { tenantId, lotCode }),
    products: profiles,
    watched: await countWatched(database, { tenantId, lotCode, record, profiles }),
    places: await readPlaceProfiles(database, {
      tenantId,
      locations: events.map(({ effective }) => effective.event.location),
    }),
  };
}

async function countWatched(
  database: DatabaseReader,
  viewed: {
    readonly tenantId: string;
    readonly lotCode: string;
    readonly record: LotRecord;
    readonly profiles: ProductProfiles;
  },
): Promise<LotView['watched']> {
  const { tenantId, lotCode, record } = viewed;
  const { product_sku: sku } = record;
  const gtin = readGtin(viewed.profiles.get(sku)?.gtin ?? '');
  const targets = [
    { kind: 'sku' as const, target: sku },
    ...(typeof gtin === 'string' ? [{ kind: 'gtin' as const, target: gtin }] : []),
  ];
  const ofLot = [{ kind: 'lot' as const, target: lotCode }];
  return {
    lot: await countWatches(database, { tenantId, targets: ofLot }),
    product: await countWatches(database, { tenantId, targets }),
  };
}

export interface LotViewDeps {
  readonly reader: LedgerReader;
  readonly notices: Notices;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

/** A page of the events that name the lot now, newest first; it ends early where events are large. */
async function readEvents(
  reader: LedgerReader,
  page: {
    readonly tenantId: string;
    readonly lotCode: string;
    readonly before: number | undefined;
  },
): Promise<{ readonly events: readonly RecordedEvent[]; readonly next: number | null }> {
  const { tenantId, lotCode, before = Number.MAX_SAFE_INTEGER } = page;
  const found = await findHeights(reader.database, {
    ...{ tenantId, lotCode, end: 'newest', behind: before, limit: EVENTS_PER_PAGE },
  });
  const read = (await readRecordedEvents(reader, found.heights)).toReversed();
  let chars = 0;
  const events = read.filter((event, index) => {
    chars += event.chars;
    return index === 0 || chars <= PAGE_CHARS_MAX;
  });
  const last = events.at(-1);
  const isCut = events.length < read.length && last !== undefined;
  return { events, next: isCut ? last.block.height : found.next };
}

async function readOthers(
  database: DatabaseReader,
  { tenantId, lotCode }: { readonly tenantId: string; readonly lotCode: string },
): Promise<LotView['others']> {
  const rows = await lotsOfCode(database, lotCode, BRANDS_SHOWN_MAX + 1);
  return rows
    .filter((row) => row.tenantId !== tenantId)
    .slice(0, BRANDS_SHOWN_MAX)
    .map((row) => ({ tenantId: row.tenantId, name: row.brandName }));
}
