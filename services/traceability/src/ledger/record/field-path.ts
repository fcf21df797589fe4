// The fields of an event that a correction may name, and the one spelling of each on the chain
// (docs/chain-format.md#correction, docs/interface/traceability.md#what-may-be-corrected).
import {
  EVENT_FIELDS,
  EVENT_FIELD_LIST,
  LINE_FIELDS,
  LINE_FIELD_LIST,
  isCorrectableEventField,
} from './fields.ts';
import type { CorrectableEventName, FieldFacts, LineTable, NamesWith } from './fields.ts';

/** Fields of an event that can be corrected. `status` is whether it happened at all. */
export type EventField = CorrectableEventName | 'status';
/** Fields of a line that can be corrected. */
export type LineField = NamesWith<LineTable, { correctable: true }>;

export const CORRECTABLE_EVENT_FIELDS: readonly EventField[] = [
  ...EVENT_FIELD_LIST.map(({ name }) => name).filter(isCorrectableEventField),
  'status',
];
export const CORRECTABLE_LINE_FIELDS: readonly LineField[] = LINE_FIELD_LIST.filter(
  ({ facts }) => facts.correctable,
).map(({ name }) => name);

export type FieldPath =
  | { readonly kind: 'event'; readonly field: EventField }
  | { readonly kind: 'line'; readonly lineNo: number; readonly field: LineField };

const LINE_PATH = /^lines\[(0|[1-9]\d{0,3})\]\.([a-z_]+)$/;

export function isEventField(name: string): name is EventField {
  return (CORRECTABLE_EVENT_FIELDS as readonly string[]).includes(name);
}

export function isLineField(name: string): name is LineField {
  return (CORRECTABLE_LINE_FIELDS as readonly string[]).includes(name);
}

/**
 * Returns the facts of a field from the tables; undefined for the status, which no sender sends.
 */
export function findFacts({ kind, field }: FieldPath): FieldFacts | undefined {
  if (kind === 'line') return LINE_FIELDS[field];
  return field === 'status' ? undefined : EVENT_FIELDS[field];
}

/** Reads the spelling of the chain: `location`, `lines[0].quantity`. */
export function findFieldPath(text: string): FieldPath | undefined {
  if (isEventField(text)) return { kind: 'event', field: text };
  const [, lineNo, field] = LINE_PATH.exec(text) ?? [];
  if (lineNo === undefined || field === undefined || !isLineField(field)) return undefined;
  return { kind: 'line', lineNo: Number(lineNo), field };
}

/** The spelling of the chain. */
export function fieldPathText(path: FieldPath): string {
  return path.kind === 'event' ? path.field : `lines[${path.lineNo}].${path.field}`;
}
