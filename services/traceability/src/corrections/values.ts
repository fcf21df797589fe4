// Values of a change: what a field may become, and the one text of a value, so that numbers and
// instants compare by value (service page, section 6).
import { INEXACT_NUMBER, fieldErrorsOf } from '@lothub/kit/field-errors';
import type { FieldError } from '@lothub/kit/field-errors';
import { compileValueSchema } from '@lothub/kit/request-validation';
import Big from 'big.js';
import { Type } from 'typebox';
import { readOccurredAt } from '../events/occurred-at.ts';
import { quantityText } from '../events/quantity.ts';
import { EventSchema, LineSchema } from '../events/schema.ts';
import type { EventField, LineField } from '../ledger/field-path.ts';
import type { ChangeValue } from './schema.ts';

export type CorrectableField = EventField | LineField;

/** What is wrong with a value, wherever it stands. */
export type ValueError = Omit<FieldError, 'loc'>;

const { occurred_at, location, reference, notes } = EventSchema.properties;

/** The rules of posting, field by field; no field of an event is named as one of a line. */
const checkField = compileValueSchema<unknown>({
  type: 'object',
  properties: {
    ...{ occurred_at, location, reference, notes },
    ...LineSchema.properties,
    status: Type.Enum(['accepted', 'voided']),
  },
});

/** What keeps a field from becoming a value; `undefined` is as null. */
export function newValueErrors(field: CorrectableField, value: unknown): readonly ValueError[] {
  const checked = checkField({ [field]: value ?? null });
  if (checked.kind === 'invalid') {
    return fieldErrorsOf(checked.errors, []).map(({ msg, type }) => ({ msg, type }));
  }
  if (field === 'occurred_at' && typeof value === 'string') {
    const read = readOccurredAt(value);
    return read.kind === 'ok' ? [] : [{ msg: read.msg, type: 'datetime_parsing' }];
  }
  const isInexact = typeof value === 'number' && quantityText(value) === undefined;
  return isInexact ? [INEXACT_NUMBER] : [];
}

export interface NewText {
  readonly text: string | null;
  /** It was an instant without an offset. */
  readonly assumedUtc: boolean;
}

/** The chain's text of a value that `newValueErrors` found nothing wrong with; null for none. */
export function newTextOf(field: CorrectableField, value: ChangeValue): NewText {
  if (field === 'occurred_at' && typeof value === 'string') {
    const read = readOccurredAt(value);
    if (read.kind === 'ok') return { text: read.text, assumedUtc: read.assumedUtc };
  } else if (field === 'quantity' && typeof value === 'number') {
    const text = quantityText(value);
    if (text !== undefined) return { text, assumedUtc: false };
  } else if (typeof value !== 'number') {
    return { text: value, assumedUtc: false };
  }
  throw new Error(`planning a correction: the new value of ${field} was not checked`);
}

/**
 * The chain's text of a value that a field is said to have, null for none.
 * @returns undefined when the field cannot have that value
 */
export function oldTextOf(field: CorrectableField, value: ChangeValue): string | null | undefined {
  if (value === null) return null;
  if (field === 'quantity') return decimalTextOf(value);
  if (typeof value !== 'string') return undefined;
  if (field !== 'occurred_at') return value;
  const read = readOccurredAt(value);
  return read.kind === 'ok' ? read.text : undefined;
}

/** A quantity as a number or as decimal text: `250.5`, `"250.50"`. */
function decimalTextOf(value: string | number): string | undefined {
  if (typeof value === 'number') return value < 0 ? undefined : quantityText(value);
  return /^\d+(?:\.\d+)?$/.test(value) ? new Big(value).toFixed() : undefined;
}

/** A chain text as answers show it: quantities as numbers. */
export function shownValue(field: CorrectableField, text: string | null): ChangeValue {
  return field === 'quantity' && text !== null ? Number(text) : text;
}
