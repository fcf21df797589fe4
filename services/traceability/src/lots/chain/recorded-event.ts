// An event for its tenant: its sealed and its present values, each with the private values that the
// chain only commits to, and the corrections between the two.
import type { Static } from 'typebox';
import {
  applyCorrections,
  placesOfCorrections,
  isEventBlock,
  readCorrectionBlocks,
} from '../../ledger/effective-reader.ts';
import type { CorrectionBlock, EventBlock } from '../../ledger/effective-reader.ts';
import { deriveEventStatus, type EffectiveEvent } from '../../ledger/record/effective.ts';
import { findFacts, findFieldPath } from '../../ledger/record/field-path.ts';
import type { ChainChange, ChainEvent, ChainLine } from '../../ledger/record/payload.ts';
import {
  correctPrivateValues,
  privateText,
  readSealedValues,
  type PrivateEventValues,
  type PrivateLineValues,
  type PrivateValuesOf,
} from '../../ledger/private-values.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { shownValue } from '../../ledger/record/chain-value.ts';
import {
  EVENT_FIELDS,
  EVENT_FIELD_LIST,
  LINE_FIELD_LIST,
  isCorrectableEventField,
  isPrivateLineField,
} from '../../ledger/record/fields.ts';
import type { EventStatus } from '../../terms.ts';
import type { EventView, LineView, RecordedCorrectionSchema } from './schema.ts';

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
    return deriveEventStatus(this.effective);
  }

  /** Characters of the event's block and of its corrections: the cost of showing it. */
  get chars(): number {
    return this.#corrections.reduce(
      (chars, { canonical }) => chars + canonical.length,
      this.block.canonical.length,
    );
  }

  /** The event as it was sealed. A private value that was erased since is absent. */
  originalView(): EventView {
    const { height, payload } = this.block;
    return eventView(payload.event, this.#values.sealed(height));
  }

  /** The event as it counts now. */
  effectiveView(): EventView {
    return eventView(this.effective.event, this.#values.effective(this.block.height));
  }

  /** The corrections in the order of their blocks. */
  correctionViews(): RecordedCorrection[] {
    return this.#corrections.map(({ height, hash, payload }) => ({
      id: height,
      block_height: height,
      block_hash: hash,
      recorded_at: payload.recorded_at,
      reason: payload.correction.reason,
      changes: payload.correction.changes.map((change, changeNo) => {
        const { from, to } = this.#readValues(change, { height, changeNo });
        return {
          field: change.field,
          old_value: shownChange(change.field, from),
          new_value: shownChange(change.field, to),
        };
      }),
    }));
  }

  #readValues(
    change: ChainChange,
    place: { readonly height: number; readonly changeNo: number },
  ): { readonly from: string | null; readonly to: string | null } {
    if (change.private !== undefined) return this.#values.change(place.height, place.changeNo);
    return { from: change.from ?? null, to: change.to ?? null };
  }
}

/**
 * Reads the events among the blocks of these heights, ascending; other blocks are left out. All
 * blocks are hashed again when they are read.
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
        effective: applyCorrections(block, corrections),
        corrections: corrections.get(block.height) ?? [],
        values,
      }),
  );
}

function eventView(event: ChainEvent, values: PrivateEventValues): EventView {
  const shown: Record<string, unknown> = {};
  for (const name of VIEWED_FIELDS) {
    shown[name] = shownValue(EVENT_FIELDS[name], event[name] ?? null);
  }
  shown['notes'] = event.notes ?? values.notes;
  shown['lines'] = event.lines.map((line, lineNo) => lineView(line, values.lines.get(lineNo)));
  return shown as unknown as EventView;
}

const VIEWED_FIELDS = EVENT_FIELD_LIST.map(({ name }) => name).filter(isCorrectableEventField);

function lineView(line: ChainLine, secret: PrivateLineValues | undefined): LineView {
  const shown: Record<string, unknown> = {};
  for (const { name, facts } of LINE_FIELD_LIST) {
    const text = isPrivateLineField(name) ? privateText(secret, name) : line[name];
    shown[name] = shownValue(facts, text ?? null);
  }
  return shown as unknown as LineView;
}

/** A value of a change as answers show it; the status is a text as well. */
function shownChange(field: string, text: string | null): string | number | null {
  const path = findFieldPath(field);
  const facts = path === undefined ? undefined : findFacts(path);
  return facts === undefined ? text : shownValue(facts, text);
}
