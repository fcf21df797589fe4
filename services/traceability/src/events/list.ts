// The page of a tenant's events as they count now and as the tenant sees them: raw channel and
// customer included. A correction is no event of its own here: it shows in the event it corrects.
import { slicesInTurns } from '@lothub/kit/in-turns';
import type { Static } from 'typebox';
import { PAGE_CHARS_MAX } from '../http.ts';
import { eventSummary } from '../ledger/record/payload.ts';
import { BLOCKS_PER_TURN } from '../ledger/read.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { readRecordedEvents } from '../lots/chain/recorded-event.ts';
import type { RecordedEvent } from '../lots/chain/recorded-event.ts';
import { newestEventHeights } from './queries.ts';
import type { StoredEventSchema } from './schema.ts';

type StoredEvent = Static<typeof StoredEventSchema>;

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** What to send as `before` for the events behind these; null at the end. */
  readonly next: number | null;
}

export async function listEvents(
  reader: LedgerReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<EventPage> {
  const { limit } = page;
  // One more than is shown, to see whether there are more.
  const heights = await newestEventHeights(reader.database, { ...page, limit: limit + 1 });
  const events: StoredEvent[] = [];
  let chars = 0;
  for await (const slice of slicesInTurns(heights.slice(0, limit), BLOCKS_PER_TURN)) {
    const recorded = await readRecordedEvents(reader, slice);
    for (const event of recorded.toReversed()) {
      chars += event.chars;
      const last = events.at(-1);
      if (last !== undefined && chars > PAGE_CHARS_MAX) return { events, next: last.id };
      events.push(storedEvent(event));
    }
  }
  return { events, next: heights.length > limit ? (heights[limit - 1] ?? null) : null };
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
