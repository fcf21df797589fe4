// An event as a file has it, before the rules of events judge it; a cell that is blank is undefined.
import { readOccurredAt } from '../../events/occurred-at.ts';
import type { EventFieldName, LineFieldName } from '../../ledger/record/fields.ts';

export type RawEvent = Readonly<Record<EventFieldName, string | number | undefined>> & {
  readonly lines: readonly RawLine[];
};

export type RawLine = Readonly<Partial<Record<LineFieldName, string | number | undefined>>>;

/** Returns the UTC text of a moment in ISO 8601; another text is returned unchanged. */
export function toMoment(occurredAt: string): string {
  const reading = readOccurredAt(occurredAt);
  return reading.kind === 'ok' ? reading.text : occurredAt;
}
