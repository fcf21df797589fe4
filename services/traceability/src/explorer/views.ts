// Blocks and transactions as the public sees them. What stands here comes from the hashed text only,
// which never holds a private value.
import type { Static } from 'typebox';
import { summaryOf, txCountOf } from '../ledger/payload.ts';
import type { Block } from '../ledger/read.ts';
import type { BlockDetailSchema, BlockItemSchema, TransactionSchema } from './schema.ts';

export type BlockItem = Static<typeof BlockItemSchema>;
export type BlockDetail = Static<typeof BlockDetailSchema>;
export type Transaction = Static<typeof TransactionSchema>;

export function blockItem(block: Block): BlockItem {
  const { payload } = block;
  return {
    height: block.height,
    block_hash: block.hash,
    prev_hash: block.prevHash,
    recorded_at: payload.recorded_at,
    brand: payload.type === 'genesis' ? null : payload.brand,
    event_type: eventTypeOf(block),
    tx_count: txCountOf(payload),
    summary: summaryOf(payload),
    canonical: block.canonical,
    intact: block.sound,
  };
}

export function blockDetail(block: Block): BlockDetail {
  return { ...blockItem(block), transactions: [...transactionsOf(block)], corrected_by: [] };
}

/** One transaction for each line of the block's event, in the order of the lines. */
export function transactionsOf(block: Block): readonly Transaction[] {
  const { payload } = block;
  if (payload.type === 'genesis') return [];
  const { event } = payload;
  return event.lines.map((line, index) => ({
    height: block.height,
    index,
    block_hash: block.hash,
    brand: payload.brand,
    event_type: event.event_type,
    occurred_at: event.occurred_at,
    recorded_at: payload.recorded_at,
    location: event.location,
    reference: event.reference,
    lot_code: line.lot_code,
    product_sku: line.product_sku,
    direction: line.direction,
    quantity: Number(line.quantity),
    unit: line.unit,
    channel: line.channel ?? null,
    supplier_name: line.supplier_name ?? null,
    origin_facility: line.origin_facility ?? null,
    supplier_lot_code: line.supplier_lot_code ?? null,
  }));
}

function eventTypeOf({ height, payload }: Block): string {
  switch (payload.type) {
    case 'genesis':
      // The reader puts an empty genesis payload where a text has none any more.
      return height === 0 ? 'GENESIS' : 'UNREADABLE';
    case 'event':
      return payload.event.event_type;
  }
}
