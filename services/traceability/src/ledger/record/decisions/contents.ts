// The contents of decision blocks, type by type (docs/chain-format.md#version-2).
import type {
  CaseStatus,
  ConfirmedStatus,
  LotType,
  NotificationStatus,
  RecallDirection,
  Relation,
  Severity,
} from '../../../terms.ts';

/** What decisions commit to; `parts` is of a case in confidence. */
type PrivateName =
  | 'audience'
  | 'by'
  | 'changed_by'
  | 'note'
  | 'opened_by'
  | 'parts'
  | 'reason'
  | 'recipient'
  | 'released_by'
  | 'response'
  | 'result'
  | 'scope_reason'
  | 'snapshot';

/** Private values of a decision that are kept; those that were erased, or never given, are absent. */
export type Openings = Readonly<Partial<Record<PrivateName, string>>>;

/** For columns that always hold a text: an empty one stands for a text that was erased. */
export function textOrErased(opened: Openings, name: PrivateName): string {
  return opened[name] ?? '';
}

/** Names of private values that a decision commits to, each with its commitment. */
export type Commitments = Readonly<Record<string, string>>;

/** Members that every decision may have. */
export interface DecisionMembers {
  /** When it was decided; that of the block is when it was sealed. */
  readonly at: string;
  readonly committed?: Commitments;
  /** Decided before decisions were sealed. */
  readonly migrated?: true;
}

/** Lots held or released by hand. Private: `by`, `reason`. */
export interface HoldDecision extends DecisionMembers {
  /** Codes of lots of the brand, each once, at most `LOTS_PER_BLOCK_MAX`. */
  readonly lots: readonly string[];
  /** Absent: by hand. A release may end the hold of a case. */
  readonly case_no?: string;
  readonly state: 'held' | 'released';
}

/**
 * The state of a notification of a case, complete: it replaces the earlier one. Private:
 * `audience`, `by`, `recipient` and `response`. There is no commitment to a recipient or a response
 * that is erased or was never set.
 */
export interface ResponseDecision extends DecisionMembers {
  readonly case_no: string;
  /** The number of the notification in the interface. */
  readonly notification: number;
  readonly status: ConfirmedStatus;
  /** Absent when the step was skipped, like the next two. */
  readonly sent_at?: string;
  readonly acknowledged_at?: string;
  readonly resolved_at?: string;
  /** The number of notifications of the case with each status, after this change. */
  readonly counts: Readonly<Record<NotificationStatus, number>>;
}

/** By language, a tag of BCP 47. */
export type NamesByLanguage = Readonly<Record<string, string>>;

/** The published facts of the brand itself; an absent member is not published. */
export interface BrandState {
  /**
   * A tag of BCP 47: the language of `name` and of the brand's other texts without a language of
   * their own.
   */
  readonly language?: string;
  readonly name?: string;
  /** The name in other languages. */
  readonly names?: NamesByLanguage;
  readonly recall_contact?: string;
  readonly website?: string;
}

/** The published facts of a product. */
export interface ProductState {
  /** 8, 12, 13 or 14 digits; that it is the brand's own is the brand's word. */
  readonly gtin?: string;
  readonly names: NamesByLanguage;
  /** SHA-256 hex of the bytes. */
  readonly picture?: string;
}

/** The published facts of a place. */
export interface PlaceState {
  readonly address?: string;
  /** 13 digits. */
  readonly gln?: string;
  /** A tag of BCP 47, of `name`; absent: that of the brand. */
  readonly language?: string;
  readonly name: string;
  /** The name in other languages. */
  readonly names?: NamesByLanguage;
  /** Name of IANA, such as `Europe/Berlin`. */
  readonly time_zone?: string;
}

/** The whole new state, and the members that differ from the last published state. */
interface Published<State> {
  readonly changed: readonly string[];
  readonly state: State;
  readonly removed?: undefined;
}

/** The facts are no longer published. */
interface Withdrawn {
  readonly removed: true;
  readonly changed?: undefined;
  readonly state?: undefined;
}

interface AboutBrand extends DecisionMembers, Published<BrandState> {
  readonly about: 'brand';
}
type AboutProduct = DecisionMembers & { readonly about: 'product'; readonly sku: string } & (
    Published<ProductState> | Withdrawn
  );
type AboutPlace = DecisionMembers & { readonly about: 'place'; readonly location: string } & (
    Published<PlaceState> | Withdrawn
  );

/**
 * The published facts of the brand, or of one of its products or places. Nothing of it is private.
 */
export type BrandDecision = AboutBrand | AboutProduct | AboutPlace;

/** The relation of a lot to the seed of a case that covers it. */
export interface SealedCaseLot {
  readonly lot: string;
  readonly relation: Relation;
  /** Hops from the seed. */
  readonly distance: number;
  /** An ancestor and a descendant of the seed at once. */
  readonly both_ways?: true;
}

/** A recipient that a case concerns. */
export interface SealedRecipient {
  /** Number of the notification. */
  readonly id: number;
  /** Commitment to audience and recipient; absent: it was erased before the case was sealed. */
  readonly commitment?: string;
}

/** The public notice of a case, from its move to `notification` on. */
export interface SealedNotice {
  readonly advice: string;
  readonly brand_name: string;
  readonly recall_contact?: string;
  readonly website?: string;
}

/** The texts of a case for consumers in one language; it has at least one of them. */
export interface CaseTexts {
  /** The advice to consumers. The sentence that follows from the severity is shown as well. */
  readonly advice?: string;
  readonly reason?: string;
  readonly title?: string;
}

/** The languages of the texts of a case. */
export interface CaseWording {
  /** A tag of BCP 47, of `title` and `reason`; absent: that of the brand. */
  readonly language?: string;
  /** By language. */
  readonly translations?: Readonly<Record<string, CaseTexts>>;
}

/**
 * The old values of the texts that an edit replaced; the old wording is empty if there was none.
 */
export type EditedText = Partial<Pick<RecallDecision, (typeof EDITED_TEXTS)[number]>> & {
  readonly wording?: CaseWording;
};

/**
 * A step of a recall case, or a part of one. Private: of an opening `opened_by` and `snapshot`, of a move
 * `changed_by`, `note` and, where it ends holds, `released_by`; of an edit `changed_by`, `note` and, where it
 * changes the scope, `scope_reason`; all in the first part. Each part of an edit that excludes lots has
 * `released_by` besides.
 */
export interface RecallDecision extends DecisionMembers {
  readonly case_no: string;
  readonly change: (typeof CASE_CHANGES)[number];
  /** 1: the opening. */
  readonly step: number;
  /** 1 to `parts`: a step of many lots or recipients has several blocks, one behind the other. */
  readonly part: number;
  readonly parts: number;
  readonly state: CaseStatus;
  readonly title: string;
  readonly reason: string;
  readonly severity: Severity;
  readonly direction: RecallDirection;
  readonly auto_hold: boolean;
  readonly seed: {
    readonly lot_code: string;
    readonly type: LotType;
    readonly supplier_name?: string;
  };
  /** The newest block that was searched for lots; set by an opening and by a widening. */
  readonly as_of?: { readonly height: number; readonly hash: string };
  /** Lots that the case covers from here on, for the first time or again. */
  readonly entered?: readonly SealedCaseLot[];
  /** Lots that it covers with another relation or distance than earlier steps said. */
  readonly changed?: readonly SealedCaseLot[];
  /** Codes of lots that it does not cover any more. */
  readonly left?: readonly string[];
  /** Recipients that the case concerns from here on, at most `LOTS_PER_BLOCK_MAX`. */
  readonly concerned?: readonly SealedRecipient[];
  readonly notice?: SealedNotice;
  /**
   * Never empty. Set in the first part of an opening, and of an edit that changes it. It counts
   * until an edit replaces it.
   */
  readonly wording?: CaseWording;
  /** Set by a move that ends the holds of the case. */
  readonly ends_holds?: true;
  /** Set by an edit: the old values of the replaced texts; the header has the new ones. */
  readonly was?: EditedText;
  /** Codes of lots added by hand: further seeds from here on. */
  readonly added?: readonly string[];
  /** Codes of lots excluded by hand: from here on the case covers none of them, wherever they are traced. */
  readonly excluded?: readonly string[];
  /** Codes of lots that were excluded: from here on the case covers them as they are traced. */
  readonly restored?: readonly string[];
}

/**
 * A step of a case in confidence: all of its parts are private, as the canonical text of the array of
 * `RecallDecision` under the name `parts`.
 */
export interface ConfidentialDecision extends DecisionMembers {
  readonly case_no: string;
  readonly confidential: true;
  readonly change?: undefined;
}

/** One part of what a confidential block of the case committed to, word by word. */
export interface DisclosureDecision extends DecisionMembers {
  readonly case_no: string;
  readonly change: typeof DISCLOSED;
  /** Height of the confidential block. */
  readonly of: number;
  /** The salt of its commitment. */
  readonly salt: string;
  /** 1 to `parts`. */
  readonly part: number;
  readonly parts: number;
  readonly contents: RecallDecision;
}

export const DISCLOSED = 'disclosed';

/** The content of a block of the type `recall`. */
export type SealedRecall = RecallDecision | ConfidentialDecision | DisclosureDecision;

/** The step in which a person edits a case. */
export const EDITED = 'edited';
export const CASE_CHANGES = ['opened', 'moved', 'widened', EDITED] as const;
/** Members of the header that an edit may change. */
export const EDITED_TEXTS = ['title', 'reason', 'severity'] as const;
/** The fields that an edit may change besides lots. */
export const EDITED_FIELDS = [...EDITED_TEXTS, 'wording'] as const;

/** A recall drill that was made. Private: `by` and `result`, what the trace found as the hub keeps it. */
export interface DrillDecision extends DecisionMembers {
  /** The number of the drill in the interface, unique in the hub. */
  readonly drill: number;
  /** Code of the lot, of the brand or of a supplier. */
  readonly lot: string;
  /** The newest block when the trace began. */
  readonly tip: { readonly hash: string; readonly height: number };
  /** Microseconds. */
  readonly elapsed_us: number;
}

/** Blocks whose private values were erased. It does not say whose values they were. */
export interface ErasureDecision extends DecisionMembers {
  /** Ascending, at most `HEIGHTS_PER_BLOCK_MAX`. */
  readonly heights: readonly number[];
}

/** By type of payload. */
export interface DecisionContents {
  readonly brand: BrandDecision;
  readonly recall: SealedRecall;
  readonly drill: DrillDecision;
  readonly erasure: ErasureDecision;
  readonly hold: HoldDecision;
  readonly response: ResponseDecision;
}

export type DecisionType = keyof DecisionContents;
export type Decision = DecisionContents[DecisionType];

/** Heights that one block names at most; further blocks of the same transaction name the rest. */
export const HEIGHTS_PER_BLOCK_MAX = 1_000;
/** Lots that one block names at most; further blocks of the same transaction name the rest. */
export const LOTS_PER_BLOCK_MAX = 1_000;
