// Reads an event of a brand for its pages: what was recorded, what counts now, its corrections, and who
// recorded it although a lot was on hold.
import type { DatabaseReader } from '@lothub/kit/database';
import { getRecordedEvent } from '../../events/list.ts';
import { readAuditPage, type AuditRow } from '../../ledger/audit-reader.ts';
import { findPosting, type Posting } from '../../ledger/postings/find-posting.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { RecordedEvent } from '../../lots/chain/recorded-event.ts';
import { readPlaceProfiles, readProductProfiles } from '../../lots/profiles/read-profiles.ts';
import type { PlaceProfiles, ProductProfiles } from '../../lots/profiles/read-profiles.ts';

/**
 * Entries of the audit about one event that are shown; and those about one lot that are searched for a
 * breach.
 */
const ENTRIES_MAX = 50;
/** Lots of an event that are searched for breaches. */
const LOTS_LOOKED_AT_MAX = 10;

export interface EventDeps {
  readonly reader: LedgerReader;
  /** It has no slash at its end. */
  readonly publicUrl: string;
}

interface EventPlace {
  readonly tenantId: string;
  readonly height: number;
}

export interface FoundEvent {
  readonly event: RecordedEvent;
  readonly products: ProductProfiles;
  readonly places: PlaceProfiles;
}

/** @throws Refusal `not_found`, the same for an event of another tenant and for an unknown one */
export async function getShownEvent(
  { reader, publicUrl }: EventDeps,
  place: EventPlace,
): Promise<FoundEvent> {
  const { tenantId, height } = place;
  const { database } = reader;
  const event = await getRecordedEvent(reader, { tenantId, id: height });
  const { lines, location } = event.effective.event;
  const skus = lines.map((line) => line.product_sku);
  const sealed = event.block.payload.event.location;
  return {
    event,
    products: await readProductProfiles(database, { tenantId, skus, publicUrl }),
    places: await readPlaceProfiles(database, { tenantId, locations: [location, sealed] }),
  };
}

export interface EventEntries {
  /** Who posted it, and the warnings of the post; undefined: nothing is stored about it. */
  readonly posting: Posting | undefined;
  /** Who corrected it. */
  readonly ofEvent: readonly AuditRow[];
  /** Who recorded it although a lot was on hold, and which lots those were. */
  readonly breaches: readonly AuditRow[];
}

/** Reads the entries of the audit about an event, and who posted it. */
export async function readEntries(
  database: DatabaseReader,
  event: EventPlace & { readonly lotCodes: readonly string[] },
): Promise<EventEntries> {
  const { tenantId, height, lotCodes } = event;
  const page = { tenantId, before: Number.MAX_SAFE_INTEGER, limit: ENTRIES_MAX };
  const ofEvent = await readAuditPage(database, {
    ...{ ...page, action: undefined, entityType: 'event', entityId: String(height) },
  });
  const breaches: AuditRow[] = [];
  for (const lotCode of lotCodes.slice(0, LOTS_LOOKED_AT_MAX)) {
    const ofLot = await readAuditPage(database, {
      ...{ ...page, action: 'hold_breach', entityType: 'lot', entityId: lotCode },
    });
    breaches.push(...ofLot.entries.filter(({ blockHeight }) => blockHeight === height));
  }
  return { posting: await findPosting(database, height), ofEvent: ofEvent.entries, breaches };
}
