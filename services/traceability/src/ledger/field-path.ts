// Which fields of an event a correction may name, and the one spelling that stands on the chain
// (docs/chain-format.md; service page, section 6).

/** Fields of an event that can be corrected. `status` is whether it happened at all. */
export const EVENT_FIELDS = ['occurred_at', 'location', 'reference', 'notes', 'status'] as const;
export type EventField = (typeof EVENT_FIELDS)[number];

/** Fields of a line that can be corrected. */
export const LINE_FIELDS = [
  'lot_code',
  'product_sku',
  'direction',
  'quantity',
  'unit',
  'customer_ref',
  'channel',
  'supplier_name',
  'origin_facility',
  'supplier_lot_code',
] as const;
export type LineField = (typeof LINE_FIELDS)[number];

export type FieldPath =
  | { readonly kind: 'event'; readonly field: EventField }
  | { readonly kind: 'line'; readonly lineNo: number; readonly field: LineField };

const LINE_PATH = /^lines\[(0|[1-9]\d{0,3})\]\.([a-z_]+)$/;

export function isEventField(name: string): name is EventField {
  return (EVENT_FIELDS as readonly string[]).includes(name);
}

export function isLineField(name: string): name is LineField {
  return (LINE_FIELDS as readonly string[]).includes(name);
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
