// The form of one event: the fields of each type of event, and the event of a filled form. Pure.
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { isExactNumber } from '@lothub/kit/number-literal';
import { readDecimal } from '../../csv-import/form/decimals.ts';
import { readTime } from '../../csv-import/form/local-times.ts';
import { getFacts, isEventType, type EventType } from '../../ledger/record/event-types.ts';
import {
  LINE_FIELDS,
  LINE_FIELD_LIST,
  isHidden,
  isPrivateLineField,
} from '../../ledger/record/fields.ts';
import type { LineFieldName } from '../../ledger/record/fields.ts';
import { isTimeZone } from '@lothub/languages';

/** Lines of one form; more belong into a file. */
export const FORM_LINES_MAX = 50;
/** Fields of an event that keep their values for the next one. */
export const KEPT_FIELDS = ['location', 'reference', 'timezone'] as const;
/** Fields of lines: the next event begins with the values of the first line. */
export const KEPT_LINE_FIELDS = ['unit', 'direction'] as const;

export function lineField(line: number, name: LineFieldName): string {
  return `line_${line}.${name}`;
}

/**
 * Lists the fields of a line of such an event, in their order; without the direction if the type has a usual
 * one.
 */
export function listLineFields(type: EventType): readonly LineFieldName[] {
  const { keepsPrivate, deliversOn, isOrigin, usualDirection } = getFacts(type);
  return LINE_FIELD_LIST.filter(({ name, facts }) => {
    if (name === 'direction') return usualDirection === null;
    if (name === 'consignee_ref') return deliversOn !== null;
    if (facts.isProvenance) return isOrigin;
    if (isHidden(facts) || isPrivateLineField(name)) return keepsPrivate;
    return true;
  }).map(({ name }) => name);
}

export function findEventType(values: FormValues): EventType | undefined {
  const name = values['type'] ?? '';
  return isEventType(name) && getFacts(name).counts ? name : undefined;
}

export function countLines(values: FormValues): number {
  const count = Number(values['lines'] ?? '1');
  return Number.isInteger(count) && count >= 1 ? Math.min(count, FORM_LINES_MAX) : 1;
}

/** Returns the values without one of the lines; later lines move up. */
export function withoutLine(values: FormValues, removed: number): FormValues {
  const count = countLines(values);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const [, line, field] = /^line_(\d+)\.(.+)$/.exec(name) ?? [];
    if (line === undefined || field === undefined) kept[name] = value;
    else if (Number(line) < removed) kept[name] = value;
    else if (Number(line) > removed) kept[`line_${Number(line) - 1}.${field}`] = value;
  }
  kept['lines'] = String(Math.max(1, count - 1));
  return kept;
}

export interface FilledForm {
  /** The event as `/v1/events` accepts it; its checks come later. */
  readonly event: Readonly<Record<string, unknown>>;
  /** Errors that only this form can find: their types by the names of fields. */
  readonly errors: Readonly<Record<string, string>>;
}

/** @param nowText the moment of an event whose time is left empty */
export function readEvent(type: EventType, values: FormValues, nowText: string): FilledForm {
  const errors: Record<string, string> = {};
  const names = listLineFields(type);
  const { usualDirection } = getFacts(type);
  const lines = Array.from({ length: countLines(values) }, (_, line) => {
    const read: Partial<Record<LineFieldName, unknown>> = {};
    if (usualDirection !== null) read.direction = usualDirection;
    for (const name of names) {
      const text = textOrNothing(values[lineField(line, name)])?.trim();
      if (text === undefined) continue;
      const isNumber = LINE_FIELDS[name].kind === 'decimal';
      const value = isNumber ? readNumber(text) : { value: text };
      if ('type' in value) errors[lineField(line, name)] = value.type;
      else read[name] = value.value;
    }
    return read;
  });
  const time = readMoment(values, nowText);
  if (typeof time !== 'string') errors['occurred_at'] = time.type;
  const given = (name: string): string | undefined => textOrNothing(values[name])?.trim();
  const event = {
    external_id: given('external_id'),
    event_type: type,
    occurred_at: typeof time === 'string' ? time : nowText,
    location: given('location'),
    reference: given('reference'),
    notes: given('notes'),
    lines,
  };
  return { event: withoutAbsent(event), errors };
}

/** The schema of events accepts no undefined member. */
function withoutAbsent(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
}

function readNumber(text: string): { readonly value: number } | { readonly type: string } {
  const decimal = readDecimal(text, { kind: 'open' });
  if (typeof decimal !== 'string') return { type: decimal.type };
  return isExactNumber(decimal) ? { value: Number(decimal) } : { type: 'decimal_max_digits' };
}

/**
 * Reads the moment of an event: now if the time is empty. A time without an offset is in the time zone of the
 * form.
 */
function readMoment(values: FormValues, nowText: string): string | { readonly type: string } {
  const text = textOrNothing(values['occurred_at'])?.trim();
  if (text === undefined) return nowText;
  const zone = textOrNothing(values['timezone']);
  const timeZone = zone !== undefined && isTimeZone(zone) ? zone : 'UTC';
  return readTime(text, { order: { kind: 'open' }, timeZone });
}
