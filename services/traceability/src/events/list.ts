// Lists the tenant's events as they count now, with channel and customer. A correction is no event
// of its own in the list: the corrected event shows it.
import { slicesInTurns } from '@lothub/kit/in-turns';
import type { Static } from 'typebox';
import { Refusal } from '../errors.ts';
import { PAGE_CHARS_MAX } from '../http.ts';
import { eventSummary } from '../ledger/record/payload.ts';
import { BLOCKS_PER_TURN, type LedgerReader } from '../ledger/read.ts';
import { readRecordedEvents, type RecordedEvent } from '../lots/chain/recorded-event.ts';
import type { EventView } from '../lots/chain/schema.ts';
import { findHeights, type EventListQuery } from './find-heights.ts';
import { isEventOfTenant } from './queries.ts';
import type { StoredEventSchema } from './schema.ts';

export type StoredEvent = Omit<Static<typeof StoredEventSchema>, keyof EventView> & EventView;

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The event at which the next page begins; null at the end. */
  readonly next: number | null;
}

export async function listEvents(reader: LedgerReader, query: EventListQuery): Promise<EventPage> {
  const found = await findHeights(reader.database, query);
  const events: StoredEvent[] = [];
  let chars = 0;
  for await (const slice of slicesInTurns(found.heights, BLOCKS_PER_TURN)) {
    const recorded = await readRecordedEvents(reader, slice);
    for (const event of query.end === 'newest' ? recorded.toReversed() : recorded) {
      chars += event.chars;
      const last = events.at(-1);
      if (last !== undefined && chars > PAGE_CHARS_MAX) return { events, next: last.id };
      events.push(storedEvent(event));
    }
  }
  return { events, next: found.next };
}

/** @throws Refusal `not_found`, alike for an event of another tenant and for none */
export async function getEvent(
  reader: LedgerReader,
  event: { readonly tenantId: string; readonly id: number },
): Promise<StoredEvent> {
  return storedEvent(await getRecordedEvent(reader, event));
}

/**
 * Returns an event of a tenant with its sealed values and its corrections.
 * @throws Refusal as `getEvent`
 */
export async function getRecordedEvent(
  reader: LedgerReader,
  event: { readonly tenantId: string; readonly id: number },
): Promise<RecordedEvent> {
  const place = { tenantId: event.tenantId, height: event.id };
  const [recorded] = (await isEventOfTenant(reader.database, place))
    ? await readRecordedEvents(reader, [event.id])
    : [];
  if (recorded === undefined) {
    throw new Refusal('not_found', 'No event of this id is known: it is the height of its block');
  }
  return recorded;
}

function storedEvent(recorded: RecordedEvent): StoredEvent {
  const { block, effective } = recorded;
  const { event } = effective;
  return {
    id: block.height,
    external_id: event.external_id ?? null,
    status: recorded.status,
    event_type: event.event_type,
    ...recorded.effectiveView(),
    recorded_at: block.payload.recorded_at,
    tx_count: event.lines.length,
    summary: eventSummary(event),
    block: { height: block.height, block_hash: block.hash },
    corrected_by: [...effective.correctedBy],
  };
}
