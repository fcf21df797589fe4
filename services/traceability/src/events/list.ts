// The page of a tenant's events as the tenant sees them: raw channel and customer included.
import type { Static } from 'typebox';
import type { Block, LedgerReader } from '../ledger/read.ts';
import { summaryOf } from '../ledger/payload.ts';
import { newestEventHeights, privateLinesOf, privateNotesOf } from './queries.ts';
import type { PrivateLineRow } from './queries.ts';
import type { StoredEventSchema } from './schema.ts';

type StoredEvent = Static<typeof StoredEventSchema>;

export async function listEvents(
  reader: LedgerReader,
  page: { readonly tenantId: string; readonly before: number; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const heights = await newestEventHeights(reader.database, page);
  const blocks = await reader.blocks(heights);
  const lines = await privateLinesOf(reader.database, heights);
  const notes = await privateNotesOf(reader.database, heights);
  const notesOf = new Map(notes.map((row) => [row.height, row.notes]));
  const lineOf = new Map(lines.map((row) => [`${row.height}.${row.line_no}`, row]));
  return blocks.toReversed().flatMap((block) => {
    const event = eventOf(block, lineOf, notesOf.get(block.height));
    return event === undefined ? [] : [event];
  });
}

function eventOf(
  block: Block,
  lineOf: ReadonlyMap<string, PrivateLineRow>,
  privateNotes: string | undefined,
): StoredEvent | undefined {
  const { payload } = block;
  if (payload.type !== 'event') return undefined;
  const { event } = payload;
  return {
    id: block.height,
    external_id: event.external_id ?? null,
    status: 'accepted',
    event_type: event.event_type,
    occurred_at: event.occurred_at,
    location: event.location,
    reference: event.reference,
    notes: event.notes ?? privateNotes ?? null,
    recorded_at: payload.recorded_at,
    lines: event.lines.map((line, index) => {
      const secret = lineOf.get(`${block.height}.${index}`);
      return {
        lot_code: line.lot_code,
        product_sku: line.product_sku,
        direction: line.direction,
        quantity: Number(line.quantity),
        unit: line.unit,
        customer_ref: secret?.customer_ref ?? null,
        channel: secret?.channel ?? null,
        supplier_name: line.supplier_name ?? null,
        origin_facility: line.origin_facility ?? null,
        supplier_lot_code: line.supplier_lot_code ?? null,
      };
    }),
    tx_count: event.lines.length,
    summary: summaryOf(payload),
    block: { height: block.height, block_hash: block.hash },
  };
}
