// The closed lists of words that records, requests and answers use, each list once; where pages call a
// word something else, beside it. Types, schemas and page texts derive from these lists
// (docs/interface/traceability.md). Types of events and parts of a balance are in
// ledger/record/event-types.ts.

/** What became of an event. `corrected`: it counts otherwise than it was recorded. */
export const EVENT_STATUSES = ['accepted', 'corrected', 'voided'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** What a correction may say of an event's status: whether it happened. */
export const STATED_STATUS_LABELS = {
  accepted: 'it happened',
  voided: 'it did not happen',
} as const satisfies Readonly<Partial<Record<EventStatus, string>>>;
export type StatedStatus = keyof typeof STATED_STATUS_LABELS;
export const STATED_STATUSES = listNames(STATED_STATUS_LABELS);
/** The event counts for nothing any more. */
export const VOIDED = 'voided' satisfies StatedStatus;

/** What a batch does when one of its events is refused. */
export const ON_ERROR_CHOICES = ['abort', 'proceed'] as const;
export type OnError = (typeof ON_ERROR_CHOICES)[number];
export const ON_ERROR_DEFAULT: OnError = 'abort';

/** What became of one event of a batch. */
export const BATCH_EVENT_STATUSES = ['accepted', 'duplicate', 'rejected'] as const;
export type BatchEventStatus = (typeof BATCH_EVENT_STATUSES)[number];

/** What became of a batch. */
export const BATCH_STATUSES = ['accepted', 'partially_accepted', 'rejected'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

export const LOT_STATUS_LABELS = {
  active: 'in circulation',
  depleted: 'used up or sold out',
  disposed: 'disposed of',
  recalled: 'recalled',
} as const;
export type LotStatus = keyof typeof LOT_STATUS_LABELS;
export const LOT_STATUSES = listNames(LOT_STATUS_LABELS);
/** Covers the status of a lot that its quantities lead to. */
export const RECALLED = 'recalled' satisfies LotStatus;
/** The status of a lot by its quantities alone. */
export type QuantityStatus = Exclude<LotStatus, typeof RECALLED>;

export const HOLD_STATUS_LABELS = {
  released: 'not on hold',
  on_hold: 'on hold, not to be used until it is released',
} as const;
export type HoldStatus = keyof typeof HOLD_STATUS_LABELS;
export const HOLD_STATUSES = listNames(HOLD_STATUS_LABELS);

/** Which way a walk over the genealogy goes: to what a lot was made from, or to what was made from it. */
export const WALK_DIRECTIONS = ['upstream', 'downstream'] as const;
export type WalkDirection = (typeof WALK_DIRECTIONS)[number];

/** In the order in which a notification of a case goes through them. */
export const NOTIFICATION_STATUSES = [
  'pending',
  'ready',
  'sent',
  'acknowledged',
  'resolved',
] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** What a brand's tool may confirm; only the case makes a notification ready. */
export const CONFIRMED_STATUSES = ['sent', 'acknowledged', 'resolved'] as const;
export type ConfirmedStatus = (typeof CONFIRMED_STATUSES)[number];

/** How a lot is related to the one that was requested. */
export const RELATIONS = ['self', ...WALK_DIRECTIONS] as const;
export type Relation = (typeof RELATIONS)[number];

/** What a recall covers beside the lot that it begins at. */
export const RECALL_DIRECTIONS = [...WALK_DIRECTIONS, 'both'] as const;
export type RecallDirection = (typeof RECALL_DIRECTIONS)[number];

/** The words for a direction that a request may use, and what each means. */
export const REQUESTED_DIRECTIONS = {
  upstream: 'upstream',
  downstream: 'downstream',
  both: 'both',
  backward: 'upstream',
  forward: 'downstream',
} as const satisfies Readonly<Record<RecallDirection | 'backward' | 'forward', RecallDirection>>;
export type RequestedDirection = keyof typeof REQUESTED_DIRECTIONS;
export const REQUESTED_DIRECTION_NAMES = listNames(REQUESTED_DIRECTIONS);
export const REQUESTED_DIRECTION_DEFAULT: RequestedDirection = 'both';

/** Whose lot it is that a recall begins at, and the type of lot that answers say. */
export const SEED_LOT_TYPES = { own: 'lot', supplier: 'supplier_lot' } as const;
export type SeedKind = keyof typeof SEED_LOT_TYPES;
export const SEED_KINDS = listNames(SEED_LOT_TYPES);
/** `supplier_lot`: known only from where a received lot came from. */
export type LotType = (typeof SEED_LOT_TYPES)[SeedKind];
export const LOT_TYPES: readonly LotType[] = SEED_KINDS.map((kind) => SEED_LOT_TYPES[kind]);

/** Statuses of a recall case, in their order; the last one is reached from each of the first three. */
export const CASE_STATUS_LABELS = {
  investigation: 'under investigation',
  notification: 'those concerned are being notified',
  containment: 'being contained',
  closed: 'closed',
  cancelled: 'cancelled',
} as const;
export type CaseStatus = keyof typeof CASE_STATUS_LABELS;
export const CASE_STATUSES = listNames(CASE_STATUS_LABELS);
export const FIRST_CASE_STATUS = 'investigation' satisfies CaseStatus;
/** A case that has this status recalls no lots, whatever it had notified before. */
export const CANCELLED = 'cancelled' satisfies CaseStatus;
/** Its lots are recalled from here on, unless it is cancelled. */
export const NOTIFIED = 'notification' satisfies CaseStatus;
/** Nothing of a case that has one of these changes any more. */
export const ENDED_STATUSES: readonly CaseStatus[] = ['closed', CANCELLED];

/** How bad a recall case is, the worst first. */
export const SEVERITY_LABELS = {
  class_i: 'Class I: use may cause serious harm or death',
  class_ii: 'Class II: use may cause temporary harm',
  class_iii: 'Class III: use is not likely to cause harm',
  market_withdrawal: 'Market withdrawal: taken back, not likely to cause harm',
  unclassified: 'Not classified yet',
} as const;
export type Severity = keyof typeof SEVERITY_LABELS;
export const SEVERITIES = listNames(SEVERITY_LABELS);
/** Of a case that was opened without a severity. */
export const UNCLASSIFIED = 'unclassified' satisfies Severity;

/** The public class of a sales channel. */
export const CHANNEL_CLASS_LABELS = {
  retail: 'shops',
  online: 'online shops',
  wholesale: 'wholesale',
  food_service: 'restaurants and catering',
  direct: 'direct sale',
  export: 'export',
  other: 'other channels',
} as const;
export type ChannelClass = keyof typeof CHANNEL_CLASS_LABELS;
export const CHANNEL_CLASSES = listNames(CHANNEL_CLASS_LABELS);

/** The words of a table, in its order. */
function listNames<Name extends string>(table: Readonly<Record<Name, string>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
