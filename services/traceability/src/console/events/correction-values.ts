// Converts the fields of the form that corrects an event to the changes of a correction, and back. Each field
// is sent with the value that its reader saw, so that nobody overwrites a newer correction without having
// seen it.
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import Big from 'big.js';
import type { FieldsRefusal } from '../../errors.ts';
import type { CorrectionInput } from '../../corrections/schema.ts';
import { readOccurredAt } from '../../events/occurred-at.ts';
import {
  CORRECTABLE_EVENT_FIELDS,
  CORRECTABLE_LINE_FIELDS,
  fieldPathText,
  findFacts,
} from '../../ledger/record/field-path.ts';
import type { FieldPath } from '../../ledger/record/field-path.ts';
import { isKept, isPrivateLineField, type FieldFacts } from '../../ledger/record/fields.ts';
import type { RecordedEvent } from '../../lots/chain/recorded-event.ts';
import { VOIDED } from '../../terms.ts';
import type { Reader } from '../../web/words/reader.ts';

/** Lines whose fields are in one form. */
export const LINES_PER_FORM = 10;

/** A field that may be corrected, with what counts now. */
export interface CorrectableValue {
  readonly path: FieldPath;
  readonly facts: FieldFacts;
  /** Name of the field in forms. */
  readonly name: string;
  /** As the chain has it; empty when there is none. */
  readonly text: string;
}

/** Fields of an event, and of a page of its lines; the status is no field of the form. */
export function correctableValues(
  event: RecordedEvent,
  { firstLine }: { readonly firstLine: number },
): readonly CorrectableValue[] {
  const view = event.effectiveView();
  const { event_type: eventType } = event.effective.event;
  const ofEvent = CORRECTABLE_EVENT_FIELDS.flatMap((field) =>
    field === 'status' ? [] : valueAt({ kind: 'event', field }, view[field]),
  );
  const ofLines = view.lines.slice(firstLine, firstLine + LINES_PER_FORM).flatMap((line, index) =>
    CORRECTABLE_LINE_FIELDS.filter(
      (field) =>
        !isPrivateLineField(field) || isKept(field, { eventType, direction: line.direction }),
    ).flatMap((field) => {
      const path = { kind: 'line', lineNo: firstLine + index, field } as const;
      // Quantities as the chain has them, with all their digits.
      const sealed = event.effective.event.lines[path.lineNo];
      return valueAt(path, field === 'quantity' ? (sealed?.quantity ?? '') : line[field]);
    }),
  );
  return [...ofEvent, ...ofLines];
}

function valueAt(path: FieldPath, value: string | number | null): readonly CorrectableValue[] {
  const facts = findFacts(path);
  if (facts === undefined) return [];
  const name = path.kind === 'event' ? path.field : `line-${path.lineNo}-${path.field}`;
  return [{ path, facts, name, text: value === null ? '' : String(value) }];
}

/** Returns the name of the field with the value that the reader saw. */
export function seenName(name: string): string {
  return `seen-${name}`;
}

/** A value as a form shows it: numbers with the decimal sign of the reader. */
export function typedText({ facts, text }: CorrectableValue, reader: Reader): string {
  return facts.kind === 'decimal' ? text.replace('.', decimalSign(reader)) : text;
}

function decimalSign({ formats }: Reader): string {
  return formats.number(1.5).includes(',') ? ',' : '.';
}

/** The change of one field that the person wants. */
export interface WantedChange {
  readonly value: CorrectableValue;
  /** The value when the form was shown. */
  readonly seen: string;
  readonly to: string;
  /** Another person changed the field since. */
  readonly isRaced: boolean;
  /** The typed value cannot be read. */
  readonly isMalformed: boolean;
}

/** Returns the fields of a form that differ from what their reader saw. */
export function wantedChanges(
  values: FormValues,
  all: readonly CorrectableValue[],
  reader: Reader,
): readonly WantedChange[] {
  return all.flatMap((value) => {
    const typed = values[value.name];
    if (typed === undefined) return [];
    const seen = values[seenName(value.name)] ?? value.text;
    const to = normalText(typed, value.facts, reader);
    if (to !== undefined && isSame(seen, to, value.facts)) return [];
    return [
      {
        ...{ value, seen, to: to ?? typed },
        isRaced: !isSame(seen, value.text, value.facts),
        isMalformed: to === undefined,
      },
    ];
  });
}

/** Returns a value in the form of the chain, or close to it; undefined: it cannot be read. */
function normalText(typed: string, facts: FieldFacts, reader: Reader): string | undefined {
  const text = textOrNothing(typed)?.trim().replaceAll('\r\n', '\n') ?? '';
  if (facts.kind !== 'decimal' || text === '') return text;
  const plain = text.replace(decimalSign(reader), '.');
  const isPlain =
    /^\d+(?:\.\d+)?$/.test(plain) && !(decimalSign(reader) === ',' && text.includes('.'));
  // A number that a double cannot hold would be sealed with another value.
  return isPlain && new Big(String(Number(plain))).eq(plain) ? plain : undefined;
}

function isSame(a: string, b: string, facts: FieldFacts): boolean {
  if (facts.kind === 'decimal' && a !== '' && b !== '') return new Big(a).eq(b);
  if (facts.kind === 'instant') return toInstant(a) === toInstant(b);
  return a.replaceAll('\r\n', '\n') === b;
}

function toInstant(text: string): string {
  const read = readOccurredAt(text);
  return read.kind === 'ok' ? read.text : text;
}

/** Builds the correction with these changes. */
export function buildCorrection(
  changes: readonly WantedChange[],
  request: { readonly eventId: number; readonly reason: string; readonly requestedBy: string },
): CorrectionInput {
  return {
    corrects_event_id: request.eventId,
    reason: request.reason,
    requested_by: request.requestedBy,
    changes: changes.map(({ value, seen, to }) => ({
      field: fieldPathText(value.path),
      old_value: seen === '' ? null : seen,
      new_value: to === '' ? null : value.facts.kind === 'decimal' ? Number(to) : to,
    })),
  };
}

/** Builds the correction that says that the event did not happen. */
export function buildVoiding(request: {
  readonly eventId: number;
  readonly reason: string;
  readonly requestedBy: string;
}): CorrectionInput {
  return {
    corrects_event_id: request.eventId,
    reason: request.reason,
    requested_by: request.requestedBy,
    changes: [{ field: 'status', old_value: 'accepted', new_value: VOIDED }],
  };
}

/** Returns the names of the form's fields that a check of the correction found wrong. */
export function wrongNames(
  errors: FieldsRefusal['fields'],
  changes: readonly WantedChange[],
): readonly string[] {
  return errors.map(({ loc }) => {
    const [, member, index] = loc;
    const change = member === 'changes' && typeof index === 'number' ? changes[index] : undefined;
    return change === undefined ? 'reason' : change.value.name;
  });
}

/** Returns the length limit of a field; a number has none. */
export function getCharsMax(facts: FieldFacts): number | undefined {
  return facts.kind === 'text' || facts.kind === 'instant' ? facts.charsMax : undefined;
}

/** Whether a field may hold a text of several lines. */
export function isLong({ path }: CorrectableValue): boolean {
  return path.field === 'notes';
}
