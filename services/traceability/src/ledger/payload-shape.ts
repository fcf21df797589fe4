// Whether a parsed payload has the shape that is sealed here. Somebody who can write to the database
// can store any text under a hash that fits it, so a fitting hash alone makes no payload.
import { findFieldPath } from './field-path.ts';
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
  correction: (payload) =>
    hasTexts(payload, ['brand', 'recorded_at']) &&
    isFields(payload['correction']) &&
    isCorrection(payload['correction']),
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
  return isType(type) && SHAPES[type](value);
}

function isType(type: unknown): type is Payload['type'] {
  return typeof type === 'string' && Object.hasOwn(SHAPES, type);
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

function isCorrection(correction: Fields): boolean {
  const { changes, corrects_block_height: height } = correction;
  return (
    hasTexts(correction, ['corrects_block_hash', 'reason']) &&
    mayHaveTexts(correction, ['private']) &&
    Number.isSafeInteger(height) &&
    height === correction['corrects_event_id'] &&
    Array.isArray(changes) &&
    changes.length > 0 &&
    changes.every((change: unknown) => isFields(change) && isChange(change))
  );
}

function isChange(change: Fields): boolean {
  if (!hasTexts(change, ['field']) || !mayHaveTexts(change, ['from', 'private', 'to']))
    return false;
  const path = findFieldPath(String(change['field']));
  if (path === undefined) return false;
  const { to } = change;
  switch (path.field) {
    case 'quantity':
      return QUANTITY.test(String(to));
    case 'direction':
      return to === 'in' || to === 'out';
    case 'status':
      return to === 'voided';
    case 'customer_ref':
      return to === undefined && change['from'] === undefined;
    case 'occurred_at':
    case 'location':
    case 'reference':
    case 'lot_code':
    case 'product_sku':
    case 'unit':
      return to !== undefined;
    case 'notes':
    case 'channel':
    case 'supplier_name':
    case 'origin_facility':
    case 'supplier_lot_code':
      return true;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function hasTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === 'string');
}

function mayHaveTexts(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => fields[name] === undefined || typeof fields[name] === 'string');
}
