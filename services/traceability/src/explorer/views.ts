// Blocks and transactions as the public sees them. All of it comes from the hashed text, which never contains
// a private value; only the lots of a correction's changes are looked up.
import type { Static } from 'typebox';
import { summaryInWords, type WholeSteps } from '../lots/decided/whole-steps.ts';
import { countTransactions } from '../ledger/record/payload.ts';
import type {
  ChainChange,
  ChainLine,
  CorrectionPayload,
  EventPayload,
  Payload,
} from '../ledger/record/payload.ts';
import type { Block } from '../ledger/read.ts';
import { shownValue } from '../ledger/record/chain-value.ts';
import { LINE_FIELD_LIST, isShownLineField, type ShownLineName } from '../ledger/record/fields.ts';
import { toBlockType } from './filter.ts';
import type { LotsOfChanges } from './changed-lots.ts';
import type { BlockItemSchema, ChangeSchema, Transaction } from './schema.ts';

export type { Transaction };

export type BlockItem = Static<typeof BlockItemSchema>;

export type Change = Static<typeof ChangeSchema>;

export function blockItem(block: Block, steps: WholeSteps): BlockItem {
  const { payload } = block;
  return {
    height: block.height,
    block_hash: block.hash,
    prev_hash: block.prevHash,
    recorded_at: payload.recorded_at,
    brand: findBlockBrand(payload),
    event_type: nameEventType(block),
    tx_count: countTransactions(payload),
    summary: summaryInWords(block, steps),
    canonical: block.canonical,
    intact: block.sound,
  };
}

/** Null: of the whole hub. */
export function findBlockBrand(payload: Payload): string | null {
  return payload.type === 'genesis' || payload.type === 'audit' ? null : payload.brand;
}

/**
 * One transaction for each line of the block's event or each change of its correction, in their order.
 * @param lots of the changes of this block, as `readLotsOfChanges` finds them
 */
export function listTransactions(block: Block, lots: LotsOfChanges): readonly Transaction[] {
  const { payload } = block;
  switch (payload.type) {
    case 'genesis':
      return [];
    case 'event':
      return transactionsOfEvent(block, payload);
    case 'correction':
      return transactionsOfCorrection(block, payload, lots);
    default:
      return [];
  }
}

function transactionsOfEvent(block: Block, payload: EventPayload): readonly Transaction[] {
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
    ...shownLine(line),
  }));
}

function shownLine(line: ChainLine): ShownLine {
  return shownFields((name) => line[name]);
}

/** A correction has no line. */
const NO_LINE = shownFields(() => undefined);

type ShownLine = Pick<Transaction, ShownLineName>;

function shownFields(findText: (name: ShownLineName) => string | undefined): ShownLine {
  const shown: Record<string, unknown> = {};
  for (const { name, facts } of LINE_FIELD_LIST) {
    if (isShownLineField(name)) shown[name] = shownValue(facts, findText(name) ?? null);
  }
  // The loop has set all members of the type.
  return shown as ShownLine;
}

function transactionsOfCorrection(
  block: Block,
  payload: CorrectionPayload,
  lots: LotsOfChanges,
): readonly Transaction[] {
  const { correction } = payload;
  return correction.changes.map((change, index) => {
    const lot = lots.find(correction, change);
    return {
      height: block.height,
      index,
      block_hash: block.hash,
      brand: payload.brand,
      event_type: nameEventType(block),
      occurred_at: null,
      recorded_at: payload.recorded_at,
      location: null,
      reference: null,
      ...NO_LINE,
      lot_code: lot?.lotCode ?? null,
      product_sku: lot?.productSku ?? null,
      corrects_height: correction.corrects_block_height,
      ...changeView(change),
    };
  });
}

/** What the public sees of a change: of a private one its field, and of a channel the classes. */
export function changeView(change: ChainChange): Change {
  return {
    field: change.field,
    ...(change.from === undefined ? {} : { from: change.from }),
    ...(change.to === undefined ? {} : { to: change.to }),
  };
}

function nameEventType({ height, payload }: Block): string {
  switch (payload.type) {
    case 'genesis':
      // The reader puts an empty genesis payload where a text has none any more.
      return height === 0 ? 'GENESIS' : 'UNREADABLE';
    case 'event':
      return payload.event.event_type;
    case 'correction':
      return 'CORRECTION';
    default:
      return toBlockType(payload.type);
  }
}
