// Every type of event, described once: its effect on the balance of a lot, the links that it makes,
// the values that it keeps, and its label on pages. Schemas, sums, links and labels derive from
// this table.

/**
 * The direction of goods on a line: `in` is received or consumed, `out` produced, shipped or sold.
 */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * The parts of a lot's balance, and what each does to what remains: `adds`, `takes`, or `leaves`, of
 * which the larger sum is taken, because what is sold was shipped before when both are recorded.
 * `within`, a share of others: `delivered` is what was shipped to consignees, `delivered_and_sold` what
 * was sold under the reference of a delivery and is the same goods. All parts are published, so that a
 * reader can add them up again.
 */
const PART_EFFECTS = {
  received: 'adds',
  returned: 'takes',
  produced: 'adds',
  consumed: 'takes',
  packed: 'adds',
  packed_from: 'takes',
  shipped: 'leaves',
  sold: 'leaves',
  disposed: 'takes',
  delivered: 'within',
  delivered_and_sold: 'within',
} as const;
export type Part = keyof typeof PART_EFFECTS;
export const PARTS = Object.keys(PART_EFFECTS) as readonly Part[];
/** Parts through which something comes into a lot. */
export const ADDING_PARTS = PARTS.filter((part) => PART_EFFECTS[part] === 'adds');

export function isAdding(part: Part): boolean {
  return PART_EFFECTS[part] === 'adds';
}

/** Returns whether a part counts as `leaves`: of such parts the larger sum is taken. */
export function isLeaving(part: Part): boolean {
  return PART_EFFECTS[part] === 'leaves';
}

/**
 * Returns whether a part is `within` others: a share of parts that already change the remaining
 * quantity.
 */
export function isShare(part: Part): boolean {
  return PART_EFFECTS[part] === 'within';
}

export interface EventTypeFacts {
  /** A noun, because a page's step does not say whether its lot went in or came out. */
  readonly label: string;
  /** What happened then, in a sentence for people who record it. */
  readonly note: string;
  /**
   * False: the event registers lots, but moves nothing, links nothing and is the origin of nothing.
   */
  readonly counts: boolean;
  /** The part of the balance that a line adds to; null when it moves no quantity. */
  readonly parts: Readonly<Record<Direction, Part | null>>;
  /** Another direction is accepted with a warning; null when both are usual. */
  readonly usualDirection: Direction | null;
  /**
   * The direction of an event that may have lines on one side alone and still be linked by its
   * reference.
   */
  readonly linkedAlone: Direction | null;
  /** True if the supplier of its lines is an upstream leaf of the genealogy. */
  readonly isOrigin: boolean;
  /** True if private values (customer, channel, notes) are kept, by commitments alone. */
  readonly keepsPrivate: boolean;
  /** The side whose lines may name a consignee, which makes them deliveries; null: neither. */
  readonly deliversOn: Direction | null;
}

const NO_PARTS = { in: null, out: null } as const;

/**
 * The order is that of docs/interface/traceability.md#event; the effect of each type on stock is in
 * docs/interface/traceability.md#quantities.
 */
export const EVENT_TYPE_FACTS = {
  RECEIVE: {
    label: 'Receiving',
    note: 'Goods came in, from a supplier or back from a customer.',
    counts: true,
    parts: { in: 'received', out: 'returned' },
    usualDirection: 'in',
    linkedAlone: null,
    isOrigin: true,
    keepsPrivate: false,
    deliversOn: null,
  },
  PRODUCE: {
    label: 'Production',
    note: 'New lots were made.',
    counts: true,
    parts: { in: 'consumed', out: 'produced' },
    usualDirection: null,
    linkedAlone: 'out',
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: null,
  },
  CONSUME: {
    label: 'Use in production',
    note: 'Goods went into making others.',
    counts: true,
    parts: { in: 'consumed', out: 'produced' },
    usualDirection: null,
    linkedAlone: 'in',
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: null,
  },
  PACK: {
    label: 'Packing',
    note: 'Goods were packed into other units.',
    counts: true,
    parts: { in: 'packed_from', out: 'packed' },
    usualDirection: null,
    linkedAlone: 'out',
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: null,
  },
  TRANSFER: {
    label: 'Transfer',
    note: 'Goods went from one of your places to another.',
    counts: true,
    parts: NO_PARTS,
    usualDirection: null,
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: null,
  },
  SHIP: {
    label: 'Shipping',
    note: 'Goods left for a customer.',
    counts: true,
    parts: { in: null, out: 'shipped' },
    usualDirection: 'out',
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: 'out',
  },
  SELL: {
    label: 'Sale',
    note: 'Goods were sold.',
    counts: true,
    parts: { in: 'sold', out: 'sold' },
    usualDirection: 'out',
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: true,
    deliversOn: null,
  },
  DISPOSE: {
    label: 'Disposal',
    note: 'Goods were destroyed or thrown away.',
    counts: true,
    parts: { in: 'disposed', out: 'disposed' },
    usualDirection: null,
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: null,
  },
  CORRECTION: {
    label: 'Correction',
    note: 'What was recorded was put right.',
    counts: false,
    parts: NO_PARTS,
    usualDirection: null,
    linkedAlone: null,
    isOrigin: false,
    keepsPrivate: false,
    deliversOn: null,
  },
} as const satisfies Readonly<Record<string, EventTypeFacts>>;

export type EventType = keyof typeof EVENT_TYPE_FACTS;

export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_TYPE_FACTS).filter(isEventType);

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENT_TYPE_FACTS, name);
}

export function getFacts(eventType: EventType): EventTypeFacts {
  return EVENT_TYPE_FACTS[eventType];
}

/** The part of the balance that a line adds to; null when it moves no quantity. */
export function findPart(eventType: EventType, direction: Direction): Part | null {
  return getFacts(eventType).parts[direction];
}

/** The types of which a predicate holds, in the order of the table. */
function typesWhere(holds: (facts: EventTypeFacts) => boolean): readonly EventType[] {
  return EVENT_TYPES.filter((type) => holds(getFacts(type)));
}

function hasPart({ parts }: EventTypeFacts, part: Part): boolean {
  return DIRECTIONS.some((direction) => parts[direction] === part);
}

/** Types with which lots are sold. */
export const SALE_TYPES = typesWhere((facts) => hasPart(facts, 'sold'));

export function isSale(eventType: EventType): boolean {
  return SALE_TYPES.includes(eventType);
}

/** Types of events by which goods leave the house. */
const LEAVING_TYPES = typesWhere(({ parts }) =>
  DIRECTIONS.some((direction) => parts[direction] !== null && isLeaving(parts[direction])),
);

export function leavesHouse(eventType: EventType): boolean {
  return LEAVING_TYPES.includes(eventType);
}

/**
 * Returns whether a type makes goods from other goods. Packing does not: it only changes how they are
 * divided.
 */
export function isProduction(eventType: EventType): boolean {
  return hasPart(getFacts(eventType), 'produced');
}

/**
 * Types of events in which the lot of a line begins, by the direction of the line: `in` when it comes from
 * outside, `out` when the event adds to it.
 */
export const ORIGIN_TYPES: Readonly<Record<Direction, readonly EventType[]>> = {
  in: typesWhere(({ isOrigin }) => isOrigin),
  out: typesWhere(({ parts }) => parts.out !== null && isAdding(parts.out)),
};

/** Types of events that move lots from place to place and change no quantity. */
export const MOVE_TYPES = typesWhere(
  ({ counts, parts }) => counts && DIRECTIONS.every((direction) => parts[direction] === null),
);

/** Types of events whose lines may be deliveries. */
export const DELIVERY_TYPES = typesWhere(({ deliversOn }) => deliversOn !== null);

/** Returns whether a line of this side of the event may name a consignee. */
export function mayDeliver(eventType: EventType, direction: string): boolean {
  return getFacts(eventType).deliversOn === direction;
}

/** Types of events whose private values are kept. */
export const PRIVATE_TYPES = typesWhere(({ keepsPrivate }) => keepsPrivate);

/** Joins the names of several types for readers: `PRODUCE or CONSUME`. */
export function typeNames(types: readonly EventType[]): string {
  return types.join(' or ');
}

/**
 * Names the types that add to a part, for readers: `PRODUCE or CONSUME out`; without a direction
 * when it is either.
 */
export function formatSources(part: Part): string {
  const types = typesWhere((facts) => hasPart(facts, part));
  const directions = DIRECTIONS.filter((direction) =>
    types.some((type) => findPart(type, direction) === part),
  );
  return directions.length === 1 ? `${typeNames(types)} ${directions[0]}` : typeNames(types);
}
