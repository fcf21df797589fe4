// Values of a change: what a field may become, and the one text of a value, so that numbers and
// instants compare by value (docs/interface/traceability.md#what-may-be-corrected).
import { INEXACT_NUMBER, toFieldErrors, type FieldError } from '@lothub/kit/http/field-errors';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import Big from 'big.js';
import { Type } from '@lothub/kit/json-schema';
import { readOccurredAt } from '../events/occurred-at.ts';
import { CODE_INVALID } from '../events/prepare.ts';
import { codeFault } from '../ledger/record/code-text.ts';
import { decimalText } from '../ledger/record/decimal-text.ts';
import { isEventField, type EventField, type LineField } from '../ledger/record/field-path.ts';
import {
  EVENT_FIELDS,
  EVENT_FIELD_LIST,
  LINE_FIELDS,
  LINE_FIELD_LIST,
} from '../ledger/record/fields.ts';
import type { FieldFacts } from '../ledger/record/fields.ts';
import { sentSchemas } from '../lots/field-schemas.ts';
import { STATED_STATUSES } from '../terms.ts';
import type { ChangeValue } from './schema.ts';

export type CorrectableField = EventField | LineField;

/** The fault of a value, at any place. */
export type ValueError = Omit<FieldError, 'loc'>;

/** The rules of posting, field by field; no field of an event is named as one of a line. */
const checkField = compileValueSchema<unknown>({
  type: 'object',
  properties: {
    ...sentSchemas(
      [...EVENT_FIELD_LIST, ...LINE_FIELD_LIST].filter(({ facts }) => facts.correctable),
    ),
    status: Type.Enum([...STATED_STATUSES]),
  },
});

/** Returns the type of a field's value; the status is a text that its own schema checks. */
function getKind(field: CorrectableField): FieldFacts['kind'] {
  if (field === 'status') return 'text';
  return (isEventField(field) ? EVENT_FIELDS[field] : LINE_FIELDS[field]).kind;
}

function isKey(field: CorrectableField): boolean {
  if (field === 'status') return false;
  return (isEventField(field) ? EVENT_FIELDS[field] : LINE_FIELDS[field]).isKey;
}

/** Lists the faults of a new value; `undefined` is the same as null. */
export function newValueErrors(field: CorrectableField, value: unknown): readonly ValueError[] {
  const checked = checkField({ [field]: value ?? null });
  if (checked.kind === 'invalid') {
    return toFieldErrors(checked.errors, []).map(({ msg, type }) => ({ msg, type }));
  }
  if (getKind(field) === 'instant' && typeof value === 'string') {
    const read = readOccurredAt(value);
    return read.kind === 'ok' ? [] : [{ msg: read.msg, type: 'datetime_parsing' }];
  }
  const fault = isKey(field) && typeof value === 'string' ? codeFault(value) : undefined;
  if (fault !== undefined) return [{ msg: fault, type: CODE_INVALID }];
  const isInexact = typeof value === 'number' && decimalText(value) === undefined;
  return isInexact ? [INEXACT_NUMBER] : [];
}

export interface NewText {
  readonly text: string | null;
  /** It was an instant without an offset. */
  readonly assumedUtc: boolean;
}

/** The chain's text of a value that `newValueErrors` found nothing wrong with; null for none. */
export function toNewText(field: CorrectableField, value: ChangeValue): NewText {
  const kind = getKind(field);
  if (kind === 'instant' && typeof value === 'string') {
    const read = readOccurredAt(value);
    if (read.kind === 'ok') return { text: read.text, assumedUtc: read.assumedUtc };
  } else if (kind === 'decimal' && typeof value === 'number') {
    const text = decimalText(value);
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
export function toOldText(field: CorrectableField, value: ChangeValue): string | null | undefined {
  if (value === null) return null;
  const kind = getKind(field);
  if (kind === 'decimal') return toDecimalText(value);
  if (typeof value !== 'string') return undefined;
  if (kind !== 'instant') return value;
  const read = readOccurredAt(value);
  return read.kind === 'ok' ? read.text : undefined;
}

/** A decimal as a number or as its text: `250.5`, `"250.50"`. A value that no field has equals none. */
function toDecimalText(value: string | number): string | undefined {
  if (typeof value === 'number') return decimalText(value);
  return /^-?\d+(?:\.\d+)?$/.test(value) ? new Big(value).toFixed() : undefined;
}

/** A chain text as answers show it: quantities as numbers. */
export function shownValue(field: CorrectableField, text: string | null): ChangeValue {
  return getKind(field) === 'decimal' && text !== null ? Number(text) : text;
}
