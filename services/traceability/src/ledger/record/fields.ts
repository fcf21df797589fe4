// Every field of an event and of its lines, described once. The request schema, the canonical text, the
// verifier's shape check, the comparison of replays, the paths of corrections, the columns of imported files,
// the views, the OpenAPI document and the tests of the documents derive from these two tables, by types where
// the compiler can and by loops where it cannot. payload.ts says which version of the chain format has a
// field; docs/how-to.md#add-a-field-to-a-line has all steps.
import {
  DELIVERY_TYPES,
  DIRECTIONS,
  EVENT_TYPES,
  PRIVATE_TYPES,
  getFacts,
  mayDeliver,
  typeNames,
} from './event-types.ts';
import type { EventType } from './event-types.ts';

/** Characters (code points) of a text, a code, a unit and the notes (docs/interface/traceability.md#line). */
export const TEXT_MAX = 200;
export const CODE_MAX = 100;
export const UNIT_MAX = 20;
export const NOTES_MAX = 2_000;
/** Characters of an instant as it is sent. */
const INSTANT_MAX = 64;
/** Largest quantity of a line: all whole numbers up to here have at most 15 digits. */
export const QUANTITY_MAX = 999_999_999_999_999;

/**
 * The kind of a value. The rules for values are derived from it wherever a value is read or
 * written.
 */
export type FieldKind =
  | { readonly kind: 'text'; readonly charsMax: number }
  /** A JSON number outside, decimal text on the chain; `minimum` is 0 or more, the text has no sign. */
  | { readonly kind: 'decimal'; readonly minimum: number; readonly maximum: number }
  /** ISO 8601 outside, UTC with `Z` on the chain. */
  | { readonly kind: 'instant'; readonly charsMax: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/**
 * What the chain shows of a value. `open`: the value. `committed`: only a commitment, and only for
 * events whose type keeps private values; other types drop it. `class`: the same, with its public
 * class in clear. `open_unless_private`: the value, but only a commitment for events whose type
 * keeps private values. `apart`: a commitment of its own, in the member `consignee`, for lines that
 * may be deliveries (`mayDeliver`); a correction shows only whether there is a value.
 */
export type Privacy = 'open' | 'committed' | 'class' | 'open_unless_private' | 'apart';

export type FieldFacts = FieldKind & {
  readonly required: boolean;
  readonly privacy: Privacy;
  /** True if a correction may change it. */
  readonly correctable: boolean;
  /** True if it says where the lot of the line came from. */
  readonly isProvenance: boolean;
  /** True if it is a code, which pages show in another type than words. */
  readonly isCode: boolean;
  /** True if it is a code or an id that others are compared with: new ones obey `codeFault`. */
  readonly isKey: boolean;
  /** The label of the field on English pages; web/words/field-labels.ts has the other languages. */
  readonly label: string;
  /** The description for senders. */
  readonly description: string;
  /** The description in responses; null when the name says it. */
  readonly note: string | null;
  readonly example: string | number;
};

/**
 * The value that a correction shows before and after for a consignee: it says only that there is
 * one.
 */
export const NAMED = 'named';

/** The types whose private values are kept, as descriptions name them. */
const PRIVATE_OF = `\`${typeNames(PRIVATE_TYPES)}\``;

const CODE = { kind: 'text', charsMax: CODE_MAX } as const;
const TEXT = { kind: 'text', charsMax: TEXT_MAX } as const;
const QUANTITY = { kind: 'decimal', minimum: 0, maximum: QUANTITY_MAX } as const;
/** Must be sent, is public, and may be corrected. */
const REQUIRED = {
  required: true,
  privacy: 'open',
  correctable: true,
  isProvenance: false,
  isCode: false,
  isKey: false,
} as const;
const OPTIONAL = { ...REQUIRED, required: false } as const;
const PROVENANCE = { ...OPTIONAL, isProvenance: true } as const;

/** Fields of a line, in the order of docs/interface/traceability.md#line. */
export const LINE_FIELDS = {
  lot_code: {
    ...CODE,
    ...REQUIRED,
    isCode: true,
    isKey: true,
    label: 'lot code',
    description: 'Lot code, case-sensitive',
    note: null,
    example: 'FLOUR-0711',
  },
  product_sku: {
    ...CODE,
    ...REQUIRED,
    isCode: true,
    isKey: true,
    label: 'product',
    description: 'Product the lot is of',
    note: null,
    example: 'FLOUR-T55',
  },
  direction: {
    ...REQUIRED,
    kind: 'choice',
    choices: DIRECTIONS,
    label: 'direction',
    description: '`in`: consumed or received. `out`: produced, shipped or sold.',
    note: null,
    example: 'in',
  },
  quantity: {
    ...QUANTITY,
    ...REQUIRED,
    label: 'quantity',
    description: 'At most 15 significant digits',
    note: null,
    example: 250.5,
  },
  unit: {
    ...REQUIRED,
    kind: 'text',
    charsMax: UNIT_MAX,
    label: 'unit',
    description: 'Unit of the quantity',
    note: null,
    example: 'kg',
  },
  customer_ref: {
    ...TEXT,
    ...OPTIONAL,
    privacy: 'committed',
    label: 'customer',
    description: `Kept only for ${PRIVATE_OF}; never public`,
    note: `Of a ${typeNames(PRIVATE_TYPES)}, for the tenant alone`,
    example: 'CUST-4711',
  },
  consignee_ref: {
    ...TEXT,
    ...OPTIONAL,
    privacy: 'apart',
    label: 'consignee',
    description:
      `Whom the line is delivered to. Kept only for \`out\` lines of a \`${typeNames(DELIVERY_TYPES)}\`; ` +
      'never public',
    note: `Of a delivery (${typeNames(DELIVERY_TYPES)}), for the tenant alone`,
    example: 'CUST-4711',
  },
  channel: {
    ...TEXT,
    ...OPTIONAL,
    privacy: 'class',
    label: 'sales channel',
    description: `Kept only for ${PRIVATE_OF}; public only as a class such as \`retail\``,
    note: `Of a ${typeNames(PRIVATE_TYPES)}, as it was sent, for the tenant alone`,
    example: 'supermarket',
  },
  supplier_name: {
    ...TEXT,
    ...PROVENANCE,
    label: 'supplier',
    description: 'Upstream provenance',
    note: 'Upstream provenance',
    example: 'Mill Brandt',
  },
  origin_facility: {
    ...TEXT,
    ...PROVENANCE,
    label: 'origin',
    description: 'Upstream provenance',
    note: 'Upstream provenance',
    example: 'Brandt silo 3',
  },
  supplier_lot_code: {
    ...TEXT,
    ...PROVENANCE,
    isCode: true,
    isKey: true,
    label: 'supplier’s lot number',
    description: "The supplier's own lot number",
    note: 'The supplier’s own lot number',
    example: 'BR-2026-118',
  },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Fields of an event besides its lines, in the order of docs/interface/traceability.md#event. */
export const EVENT_FIELDS = {
  external_id: {
    ...TEXT,
    ...OPTIONAL,
    correctable: false,
    isKey: true,
    label: 'external id',
    description: 'Idempotency key, unique per tenant',
    note: null,
    example: 'wms-000017',
  },
  event_type: {
    ...REQUIRED,
    kind: 'choice',
    choices: EVENT_TYPES,
    correctable: false,
    label: 'type of event',
    description: 'What happened',
    note: null,
    example: 'RECEIVE',
  },
  occurred_at: {
    ...REQUIRED,
    kind: 'instant',
    charsMax: INSTANT_MAX,
    label: 'when it happened',
    description: 'ISO 8601 with an offset; hashed in UTC. Without an offset it is read as UTC.',
    note: 'ISO 8601 in UTC',
    example: '2026-03-02T07:15:00+01:00',
  },
  location: {
    ...TEXT,
    ...REQUIRED,
    label: 'place',
    description: 'Location code',
    note: null,
    example: 'BAKERY-1',
  },
  reference: {
    ...TEXT,
    ...REQUIRED,
    isKey: true,
    label: 'business reference',
    description: 'Business reference',
    note: null,
    example: 'PO-2026-0815',
  },
  notes: {
    ...OPTIONAL,
    kind: 'text',
    charsMax: NOTES_MAX,
    privacy: 'open_unless_private',
    label: 'notes',
    description: `Free text; public unless the event is a ${PRIVATE_OF}`,
    note: `Those of a ${typeNames(PRIVATE_TYPES)} are for the tenant alone`,
    example: 'dry, sealed',
  },
} as const satisfies Readonly<Record<string, FieldFacts>>;

export type LineTable = typeof LINE_FIELDS;
export type EventTable = typeof EVENT_FIELDS;
export type LineFieldName = keyof LineTable;
export type EventFieldName = keyof EventTable;

/** Names of the fields whose facts have these values. */
export type NamesWith<Table, Facts> = {
  [Name in keyof Table]: Table[Name] extends Facts ? Name : never;
}[keyof Table];

export interface Field<Name extends string = string> {
  readonly name: Name;
  readonly facts: FieldFacts;
}

function listFields<Name extends string>(
  table: Readonly<Record<Name, FieldFacts>>,
): readonly Field<Name>[] {
  return (Object.keys(table) as Name[]).map((name) => ({ name, facts: table[name] }));
}

export const LINE_FIELD_LIST: readonly Field<LineFieldName>[] = listFields(LINE_FIELDS);
export const EVENT_FIELD_LIST: readonly Field<EventFieldName>[] = listFields(EVENT_FIELDS);

/**
 * Fields of a line that were added later. Their columns come last in files, for readers that count columns.
 */
export const LATER_LINE_COLUMNS: readonly LineFieldName[] = ['consignee_ref'];
export const FIRST_LINE_COLUMNS: readonly LineFieldName[] = LINE_FIELD_LIST.map(
  ({ name }) => name,
).filter((name) => !LATER_LINE_COLUMNS.includes(name));

/** Facts of a field that is never in clear: a commitment covers it. */
export type Hidden = { readonly privacy: 'committed' | 'apart' };

/** Fields of a line that the chain commits to and its tenant alone keeps. */
export type PrivateLineName = NamesWith<LineTable, Hidden | { privacy: 'class' }>;
/** Fields of a line that the chain shows; for a class field it shows the class. */
export type ShownLineName = Exclude<LineFieldName, NamesWith<LineTable, Hidden>>;

export function isHidden(facts: Pick<FieldFacts, 'privacy'>): boolean {
  return facts.privacy === 'committed' || facts.privacy === 'apart';
}

/** Returns whether a line on this side of an event keeps a private field. */
export function isKept(
  name: PrivateLineName,
  line: { readonly eventType: EventType; readonly direction: string },
): boolean {
  return LINE_FIELDS[name].privacy === 'apart'
    ? mayDeliver(line.eventType, line.direction)
    : getFacts(line.eventType).keepsPrivate;
}

export function isPrivateLineField(name: LineFieldName): name is PrivateLineName {
  return LINE_FIELDS[name].privacy !== 'open';
}

export function isShownLineField(name: LineFieldName): name is ShownLineName {
  return !isHidden(LINE_FIELDS[name]);
}

/** Fields that say where the lot of a line came from; stored beside the lines, to find lots by. */
export type ProvenanceName = NamesWith<LineTable, { isProvenance: true }>;
export type ProvenanceValues = Readonly<Record<ProvenanceName, string | null>>;

export const PROVENANCE_NAMES: readonly ProvenanceName[] = LINE_FIELD_LIST.map(
  ({ name }) => name,
).filter((name): name is ProvenanceName => LINE_FIELDS[name].isProvenance);

export const PRIVATE_LINE_NAMES: readonly PrivateLineName[] = LINE_FIELD_LIST.map(
  ({ name }) => name,
).filter(isPrivateLineField);

/** An event's own fields that a correction may change. */
export type CorrectableEventName = NamesWith<EventTable, { correctable: true }>;

export function isCorrectableEventField(name: EventFieldName): name is CorrectableEventName {
  return EVENT_FIELDS[name].correctable;
}

/** Codes and ids; see `codeFault`. */
export const KEY_LINE_NAMES: readonly LineFieldName[] = LINE_FIELD_LIST.filter(
  ({ facts }) => facts.isKey,
).map(({ name }) => name);
export const KEY_EVENT_NAMES: readonly EventFieldName[] = EVENT_FIELD_LIST.filter(
  ({ facts }) => facts.isKey,
).map(({ name }) => name);
