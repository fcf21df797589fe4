// A range of moments of occurrence, as a list of events is narrowed to it.
import { FieldsRefusal } from '../errors.ts';
import { readOccurredAt } from './occurred-at.ts';

/**
 * A range that includes both ends. Each is a stored moment without its `Z`, so that texts with and
 * without a fraction of a second sort as the moments do.
 */
export interface OccurredRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** @throws FieldsRefusal that names the parameter which is no moment */
export function readOccurredRange(sent: {
  readonly occurred_from?: string;
  readonly occurred_to?: string;
}): OccurredRange | undefined {
  const { occurred_from: from, occurred_to: to } = sent;
  if (from === undefined && to === undefined) return undefined;
  return { from: readEnd('occurred_from', from), to: readEnd('occurred_to', to) };
}

function readEnd(name: string, sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined;
  const read = readOccurredAt(sent);
  if (read.kind === 'ok') return momentKey(read.text);
  throw FieldsRefusal.of(['query', name], read.msg, 'datetime_parsing');
}

export function isInRange(occurredAt: string, range: OccurredRange): boolean {
  const key = momentKey(occurredAt);
  return (
    (range.from === undefined || key >= range.from) && (range.to === undefined || key <= range.to)
  );
}

function momentKey(occurredAt: string): string {
  return occurredAt.replace(/Z$/, '');
}

/** Characters of a moment down to its second, `2026-03-02T06:15:00`. */
const SECOND_CHARS = 19;

/**
 * Returns the last stored text in the second of a range's end: a text without a fraction sorts as
 * if it ended in `Z`.
 */
export function toLastText(end: string): string {
  return `${end.slice(0, SECOND_CHARS)}Z`;
}
