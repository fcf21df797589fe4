// An event as its tenant sees it: what was sealed and what counts now, each with the private values
// that the chain only commits to, and the corrections between the two.
import type { Static } from 'typebox';
import {
  effectiveOf,
  placesOfCorrections,
  isEventBlock,
  readCorrectionBlocks,
} from '../ledger/effective-reader.ts';
import type { CorrectionBlock, EventBlock } from '../ledger/effective-reader.ts';
import { statusOf } from '../ledger/effective.ts';
import type { EffectiveEvent, EventStatus } from '../ledger/effective.ts';
import { findFieldPath } from '../ledger/field-path.ts';
import type { ChainChange, ChainEvent } from '../ledger/payload.ts';
import { correctPrivateValues, readSealedValues } from '../ledger/private-values.ts';
import type { PrivateEventValues, PrivateValuesOf } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { EventViewSchema, RecordedCorrectionSchema } from './chain-schema.ts';

/** What was said of an event, at one time. */
export type EventView = Static<typeof EventViewSchema>;
export type RecordedCorrection = Static<typeof RecordedCorrectionSchema>;

export class RecordedEvent {
  readonly block: EventBlock;
  readonly effective: EffectiveEvent;
  readonly #corrections: readonly CorrectionBlock[];
  readonly #values: PrivateValuesOf;

  constructor(parts: {
    readonly block: EventBlock;
    readonly effective: EffectiveEvent;
    readonly corrections: readonly CorrectionBlock[];
    readonly values: PrivateValuesOf;
  }) {
    this.block = parts.block;
    this.effective = parts.effective;
    this.#corrections = parts.corrections;
    this.#values = parts.values;
  }

  get status(): EventStatus {
    return statusOf(this.effective);
  }

  /** Characters of the event's block and of its corrections: what it costs to show it. */
  get chars(): number {
    return this.#corrections.reduce(
      (chars, { canonical }) => chars + canonical.length,
      this.block.canonical.length,
    );
  }

  /** What was sealed. A private value that was erased since is not there any more. */
  originalView(): EventView {
    const { height, payload } = this.block;
    return eventView(payload.event, this.#values.sealed(height));
  }

  /** What counts now. */
  effectiveView(): EventView {
    return eventView(this.effective.event, this.#values.effective(this.block.height));
  }

  /** In the order of their blocks. */
  correctionViews(): RecordedCorrection[] {
    return this.#corrections.map(({ height, hash, payload }) => ({
      id: height,
      block_height: height,
      block_hash: hash,
      recorded_at: payload.recorded_at,
      reason: payload.correction.reason,
      changes: payload.correction.changes.map((change, changeNo) => {
        const { from, to } = this.#valuesOf(change, { height, changeNo });
        return {
          field: change.field,
          old_value: shownValue(change.field, from),
          new_value: shownValue(change.field, to),
        };
      }),
    }));
  }

  #valuesOf(
    change: ChainChange,
    place: { readonly height: number; readonly changeNo: number },
  ): { readonly from: string | null; readonly to: string | null } {
    if (change.private !== undefined) return this.#values.change(place.height, place.changeNo);
    return { from: change.from ?? null, to: change.to ?? null };
  }
}

/**
 * The events among the blocks of these heights, ascending; others are left out. All blocks are
 * re-hashed as they are read.
 */
export async function readRecordedEvents(
  reader: LedgerReader,
  heights: readonly number[],
): Promise<readonly RecordedEvent[]> {
  const [blocks, correctionPlaces, sealed] = await reader.together((one) =>
    Promise.all([
      one.blocks(heights),
      placesOfCorrections(one.database, heights),
      readSealedValues(one.database, heights),
    ]),
  );
  const corrections = await readCorrectionBlocks(reader, correctionPlaces);
  const values = await correctPrivateValues(reader.database, sealed, corrections);
  return blocks.filter(isEventBlock).map(
    (block) =>
      new RecordedEvent({
        block,
        effective: effectiveOf(block, corrections),
        corrections: corrections.get(block.height) ?? [],
        values,
      }),
  );
}

function eventView(event: ChainEvent, values: PrivateEventValues): EventView {
  return {
    occurred_at: event.occurred_at,
    location: event.location,
    reference: event.reference,
    notes: event.notes ?? values.notes,
    lines: event.lines.map((line, lineNo) => {
      const secret = values.lines.get(lineNo);
      return {
        lot_code: line.lot_code,
        product_sku: line.product_sku,
        direction: line.direction,
        quantity: Number(line.quantity),
        unit: line.unit,
        customer_ref: secret?.customerRef ?? null,
        channel: secret?.channel ?? null,
        supplier_name: line.supplier_name ?? null,
        origin_facility: line.origin_facility ?? null,
        supplier_lot_code: line.supplier_lot_code ?? null,
      };
    }),
  };
}

/** A text of the chain as answers show it: quantities as numbers. */
function shownValue(field: string, text: string | null): string | number | null {
  const isQuantity = findFieldPath(field)?.field === 'quantity';
  return isQuantity && text !== null ? Number(text) : text;
}
