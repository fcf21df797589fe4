// Whether a parsed payload has the shape that is sealed here. Somebody who can write to the database
// can store any text under a hash that fits it, so a fitting hash alone makes no payload.
import { EVENT_TYPES, payloadOf } from './payload.ts';
import type { Payload } from './payload.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One check for each type, so that a new type of payload does not compile without its own. */
const SHAPES: Readonly<Record<Payload['type'], (payload: Fields) => boolean>> = {
  genesis: (payload) => hasTexts(payload, ['hub', 'nonce', 'recorded_at']),
  event: (payload) =>
    hasTexts(payload, ['brand', 'recorded_at']) &&
    isFields(payload['event']) &&
    isEvent(payload['event']),
};

/** The payload of a stored canonical text; undefined when it is none that is sealed here. */
export function findPayload(canonical: string): Payload | undefined {
  try {
    const payload: unknown = payloadOf(canonical);
    return isPayload(payload) ? payload : undefined;
  } catch {
    // A tampered text may be no JSON; the caller reports what has no payload.
    return undefined;
  }
}

export function isPayload(value: unknown): value is Payload {
  if (!isFields(value)) return false;
  const { type } = value;
  if (type !== 'genesis' && type !== 'event') return false;
  return SHAPES[type](value);
}

const EVENT_TYPE_NAMES: ReadonlySet<unknown> = new Set(EVENT_TYPES);

function isEvent(event: Fields): boolean {
  const { lines } = event;
  return (
    EVENT_TYPE_NAMES.has(event['event_type']) &&
    hasTexts(event, ['location', 'occurred_at', 'reference']) &&
    mayHaveTexts(event, ['external_id', 'notes', 'private']) &&
    Array.isArray(lines) &&
    lines.length > 0 &&
    lines.every((line: unknown) => isFields(line) && isLine(line))
  );
}

const QUANTITY = /^\d+(?:\.\d+)?$/;

function isLine(line: Fields): boolean {
  return (
    (line['direction'] === 'in' || line['direction'] === 'out') &&
    hasTexts(line, ['lot_code', 'product_sku', 'quantity', 'unit']) &&
    QUANTITY.test(String(line['quantity'])) &&
    mayHaveTexts(line, OPTIONAL_LINE_FIELDS)
  );
}

const OPTIONAL_LINE_FIELDS = [
  'channel',
  'origin_facility',
  'private',
  'supplier_lot_code',
  'supplier_name',
] as const;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function hasTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === 'string');
}

function mayHaveTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => fields[name] === undefined || typeof fields[name] === 'string');
}
