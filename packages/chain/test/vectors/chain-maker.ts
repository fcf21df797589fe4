/**
 * Makes the blocks of the vectors: sealed in good order, or with one deliberate fault.
 *
 * Everything is derived from fixed texts, so the same vectors come out on every machine.
 */
import { hash } from 'node:crypto';

import { canonicalize, GENESIS_PREV_HASH, sealBlock, type JsonObject } from '../../src/index.ts';

/** A block as the vector files spell it. */
export type VectorBlock = {
  readonly height: number;
  readonly block_hash: string;
  readonly canonical: string;
};

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

const FIRST_SECOND = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const SECOND_MS = 1_000;

/** The recorded_at of the block with this height: one second after the one before. */
export function recordedAt(height: number): string {
  return new Date(FIRST_SECOND + height * SECOND_MS).toISOString();
}

export function genesis(changes: JsonObject = {}): JsonObject {
  return {
    hub: 'Lothub',
    nonce: sha256('nonce of the vectors'),
    recorded_at: recordedAt(0),
    type: 'genesis',
    v: 1,
    ...changes,
  };
}

export const RECEIVED_LINE: JsonObject = {
  direction: 'in',
  lot_code: 'FLOUR-1',
  origin_facility: 'MILL-3',
  product_sku: 'FLOUR',
  quantity: '250.5',
  supplier_lot_code: 'M-2025-771',
  supplier_name: 'Hill Mill',
  unit: 'kg',
};

export const RECEIVED: JsonObject = {
  event_type: 'RECEIVE',
  external_id: 'wms-1001',
  lines: [RECEIVED_LINE],
  location: 'DOCK-2',
  occurred_at: '2026-01-02T02:30:00Z',
  reference: 'PO-4711',
};

export function eventPayload(
  height: number,
  options: { readonly event?: JsonObject; readonly changes?: JsonObject } = {},
): JsonObject {
  return {
    brand: 'acme',
    event: options.event ?? RECEIVED,
    recorded_at: recordedAt(height),
    type: 'event',
    v: 1,
    ...options.changes,
  };
}

/** Seals payloads one onto the other, from height 0. */
export function makeChain(payloads: readonly JsonObject[]): readonly VectorBlock[] {
  let prevHash = GENESIS_PREV_HASH;
  return payloads.map((payload, height) => {
    const text = canonicalize(payload);
    const sealed = sealBlock({ height, payloadText: text, prevHash, hash: sha256 });
    prevHash = sealed.blockHash;
    return makeBlock(height, sealed.canonical);
  });
}

/** A genesis and events, `length` blocks in all. */
export function plainChain(length: number): readonly VectorBlock[] {
  return makeChain([
    genesis(),
    ...Array.from({ length: length - 1 }, (_, index) =>
      eventPayload(index + 1, { event: { ...RECEIVED, external_id: `wms-${1001 + index}` } }),
    ),
  ]);
}

/** A block with the right hash of whatever text it has. */
export function makeBlock(height: number, canonical: string): VectorBlock {
  return { height, block_hash: sha256(canonical), canonical };
}

/** The canonical text around a payload's text that need not be canonical, or JSON, itself. */
export function frame(height: number, payloadText: string, prevHash: string): string {
  return `{"height":${height},"payload":${payloadText},"prev_hash":"${prevHash}"}`;
}

/** The blocks with one of them put in place of what was there. */
export function withBlock(
  blocks: readonly VectorBlock[],
  index: number,
  block: VectorBlock,
): readonly VectorBlock[] {
  return blocks.with(index, block);
}

/** The block at an index that the maker of a vector knows to be there. */
export function at(blocks: readonly VectorBlock[], index: number): VectorBlock {
  const block = blocks[index];
  if (block === undefined) throw new RangeError(`The vector has no block at index ${index}.`);
  return block;
}

/** A good genesis, then block 1 with this payload text under a right hash and link. */
export function withPayloadText(payloadText: string): readonly VectorBlock[] {
  const first = at(plainChain(1), 0);
  return [first, makeBlock(1, frame(1, payloadText, first.block_hash))];
}

/** A good genesis, then block 1 made by editing a good one, under a right hash. */
export function withEditedText(edit: (canonical: string) => string): readonly VectorBlock[] {
  const blocks = plainChain(2);
  return [at(blocks, 0), makeBlock(1, edit(at(blocks, 1).canonical))];
}
