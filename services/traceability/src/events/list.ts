// The page of a tenant's events as they count now and as the tenant sees them: raw channel and
// customer included. A correction is no event of its own here: it shows in the event it corrects.
import type { Static } from 'typebox';
import { eventSummary } from '../ledger/payload.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { readRecordedEvents } from '../lots/recorded-event.ts';
import type { RecordedEvent } from '../lots/recorded-event.ts';
import { newestEventHeights } from './queries.ts';
import type { StoredEventSchema } from './schema.ts';

type StoredEvent = Static<typeof StoredEventSchema>;

export async function listEvents(
  reader: LedgerReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const heights = await newestEventHeights(reader.database, page);
  const events = await readRecordedEvents(reader, heights);
  return events.toReversed().map(storedEvent);
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
