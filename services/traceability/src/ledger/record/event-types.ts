// Every type of event, described once: what its lines do to the balance of a lot, how it links lots,
// what it keeps, and what pages call it. Schemas, sums, links and labels derive from this table.

/** Which way goods go on a line: `in` is received or consumed, `out` produced, shipped or sold. */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The parts of a lot's balance; all are published, so that a reader can add them up again. */
export const PARTS = [
  'received',
  'returned',
  'produced',
  'consumed',
  'packed',
  'packed_from',
  'shipped',
  'sold',
  'disposed',
] as const;
export type Part = (typeof PARTS)[number];

export interface EventTypeFacts {
  /** A noun, because a page's step does not say whether its lot went in or came out. */
  readonly label: string;
  /** False: the event makes lots known, but moves nothing, links nothing and is the origin of nothing. */
  readonly counts: boolean;
  /** The part of the balance that a line adds to; null when it moves no quantity. */
  readonly parts: Readonly<Record<Direction, Part | null>>;
  /** Another direction is accepted with a warning; null when both are usual. */
  readonly usualDirection: Direction | null;
  /** The side on which the event may stand alone and still be linked by its reference. */
  readonly linkedAlone: Direction | null;
  /** Whether what its lines say about a supplier is an upstream leaf of the genealogy. */
  readonly isOrigin: boolean;
  /** Whether private values (customer, channel, notes) are kept, by commitments alone. */
  readonly keepsPrivate: boolean;
}

const NO_PARTS = { in: null, out: null } as const;

/** In the order of the interface document, section 2; the rules are those of the page, sections 4 and 5. */
export const EVENT_TYPE_FACTS = {
  RECEIVE: {
    label: 'Receiving',
    counts: true,
    parts: { in: 'received', out: 'returned' },
    usualDirection: 'in',
    linkedAlone: null,
    isOrigin: true,
    keepsPrivate: false,
  },
  PRODUCE: {
    label: 'Production',
    counts: true,
    parts: { in: 'consumed', out: 'produced' },
    usualDirection: null,
    linkedAlone: 'out',
    isOrigin: false,
    keepsPrivate: false,
  },
  CONSUME: {
    label: 'Use in production',
    counts: true,
    parts: { in: 'consumed', out: 'produced' },
    usualDirection: null,
    linkedAlone: 'in',
    isOrigin: false,
    keepsPrivate: false,
  },
  PACK: {
    label: 'Packing',
    counts: true,
    parts: { in: 'packed_from', out: 'packed' },
    usualDirection: null,
    linkedAlone: 'out',
    isOrigin: false,
    keepsPrivate: false,
  },
  TRANSFER: {
    label: 'Transfer',
    counts: true,
    parts: NO_PARTS,
    usualDirection: null,
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
  },
  SHIP: {
    label: 'Shipping',
    counts: true,
    parts: { in: null, out: 'shipped' },
    usualDirection: 'out',
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
  },
  SELL: {
    label: 'Sale',
    counts: true,
    parts: { in: 'sold', out: 'sold' },
    usualDirection: 'out',
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: true,
  },
  DISPOSE: {
    label: 'Disposal',
    counts: true,
    parts: { in: 'disposed', out: 'disposed' },
    usualDirection: null,
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
  },
  CORRECTION: {
    label: 'Correction',
    counts: false,
    parts: NO_PARTS,
    usualDirection: null,
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
  },
} as const satisfies Readonly<Record<string, EventTypeFacts>>;

export type EventType = keyof typeof EVENT_TYPE_FACTS;

export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_TYPE_FACTS).filter(isEventType);

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENT_TYPE_FACTS, name);
}

export function factsOf(eventType: EventType): EventTypeFacts {
  return EVENT_TYPE_FACTS[eventType];
}
