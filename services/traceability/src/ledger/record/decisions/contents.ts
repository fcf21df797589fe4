// What the blocks of decisions say, type by type (docs/chain-format.md#version-2).
import type {
  CaseStatus,
  ConfirmedStatus,
  LotType,
  NotificationStatus,
  RecallDirection,
  Relation,
  Severity,
} from '../../../terms.ts';

/** Names of private values that a decision commits to, each with its commitment. */
export type Commitments = Readonly<Record<string, string>>;

/** What all decisions may have. */
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
 * What became of a notification of a case: all that is known of it from then on. Private: `audience`,
 * `by`, `recipient` and `response`; a recipient or a response that is erased or was never there is not committed to.
 */
export interface ResponseDecision extends DecisionMembers {
  readonly case_no: string;
  /** As the interface numbers it. */
  readonly notification: number;
  readonly status: ConfirmedStatus;
  /** Each absent when the step was left out. */
  readonly sent_at?: string;
  readonly acknowledged_at?: string;
  readonly resolved_at?: string;
  /** How many notifications of the case have each status, this one counted as it is now. */
  readonly counts: Readonly<Record<NotificationStatus, number>>;
}

/** By language, a tag of BCP 47. */
export type NamesByLanguage = Readonly<Record<string, string>>;

/** What consumers are told of the brand itself; absent: nothing. */
export interface BrandState {
  /** A tag of BCP 47, of `name` and of whatever else the brand tells in one language. */
  readonly language?: string;
  readonly name?: string;
  /** In other languages. */
  readonly names?: NamesByLanguage;
  readonly recall_contact?: string;
  readonly website?: string;
}

/** What consumers are told of a product. */
export interface ProductState {
  /** 8, 12, 13 or 14 digits; that it is the brand's own is the brand's word. */
  readonly gtin?: string;
  readonly names: NamesByLanguage;
  /** SHA-256 hex of the bytes. */
  readonly picture?: string;
}

/** What consumers are told of a place. */
export interface PlaceState {
  readonly address?: string;
  /** 13 digits. */
  readonly gln?: string;
  /** A tag of BCP 47, of `name`; absent: that of the brand. */
  readonly language?: string;
  readonly name: string;
  /** In other languages. */
  readonly names?: NamesByLanguage;
  /** Name of IANA, such as `Europe/Berlin`. */
  readonly time_zone?: string;
}

/** The whole new state, and which of its members differ from what was told before. */
interface Told<State> {
  readonly changed: readonly string[];
  readonly state: State;
  readonly removed?: undefined;
}

/** From now on nothing is told. */
interface Untold {
  readonly removed: true;
  readonly changed?: undefined;
  readonly state?: undefined;
}

interface AboutBrand extends DecisionMembers, Told<BrandState> {
  readonly about: 'brand';
}
type AboutProduct = DecisionMembers & { readonly about: 'product'; readonly sku: string } & (
    Told<ProductState> | Untold
  );
type AboutPlace = DecisionMembers & { readonly about: 'place'; readonly location: string } & (
    Told<PlaceState> | Untold
  );

/** What consumers are told of the brand, of one of its products or places. Nothing of it is private. */
export type BrandDecision = AboutBrand | AboutProduct | AboutPlace;

/** How a lot is related to the seed of a case that covers it. */
export interface SealedCaseLot {
  readonly lot: string;
  readonly relation: Relation;
  /** Hops from the seed. */
  readonly distance: number;
  /** An ancestor and a descendant of the seed at once. */
  readonly both_ways?: true;
}

/** One whom a case concerns. */
export interface SealedRecipient {
  /** Of the notification. */
  readonly id: number;
  /** To audience and recipient; absent: it was erased before the case was sealed. */
  readonly commitment?: string;
}

/** What consumers are told of a case from its move to `notification` on. */
export interface SealedNotice {
  readonly advice: string;
  readonly brand_name: string;
  readonly recall_contact?: string;
  readonly website?: string;
}

/** What a case tells consumers in one language; at least one of them. */
export interface CaseTexts {
  /** What to do, beside the sentence that follows from the severity. */
  readonly advice?: string;
  readonly reason?: string;
  readonly title?: string;
}

/** Which languages a case speaks. */
export interface CaseWording {
  /** A tag of BCP 47, of `title` and `reason`; absent: that of the brand. */
  readonly language?: string;
  /** By language. */
  readonly translations?: Readonly<Record<string, CaseTexts>>;
}

/** What an edit replaced, as it was before; of a wording that there was none, an empty one. */
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
  /** Newest block that the lots were looked for in; of an opening and of a widening. */
  readonly as_of?: { readonly height: number; readonly hash: string };
  /** Lots that the case covers from here on, for the first time or again. */
  readonly entered?: readonly SealedCaseLot[];
  /** Lots that it covers otherwise than was said before. */
  readonly changed?: readonly SealedCaseLot[];
  /** Codes of lots that it does not cover any more. */
  readonly left?: readonly string[];
  /** Whom the case concerns that it did not concern before, at most `LOTS_PER_BLOCK_MAX`. */
  readonly concerned?: readonly SealedRecipient[];
  readonly notice?: SealedNotice;
  /** Of an opening, and of an edit that changes it, in the first part: not empty. It counts until an edit replaces it. */
  readonly wording?: CaseWording;
  /** Of a move: the holds of the case end. */
  readonly ends_holds?: true;
  /** Of an edit: the texts that it replaced; the header has them as they are now. */
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
  /** Of its commitment. */
  readonly salt: string;
  /** 1 to `parts`. */
  readonly part: number;
  readonly parts: number;
  readonly contents: RecallDecision;
}

export const DISCLOSED = 'disclosed';

/** What stands in a block of the type `recall`. */
export type SealedRecall = RecallDecision | ConfidentialDecision | DisclosureDecision;

/** The step that somebody edits a case by. */
export const EDITED = 'edited';
export const CASE_CHANGES = ['opened', 'moved', 'widened', EDITED] as const;
/** Members of the header that an edit may change. */
export const EDITED_TEXTS = ['title', 'reason', 'severity'] as const;
/** What an edit may change besides lots. */
export const EDITED_FIELDS = [...EDITED_TEXTS, 'wording'] as const;

/** A recall drill that was made. Private: `by` and `result`, what the trace found as the hub keeps it. */
export interface DrillDecision extends DecisionMembers {
  /** As the interface numbers it, unique in the hub. */
  readonly drill: number;
  /** Code of the lot, of the brand or of a supplier. */
  readonly lot: string;
  /** The newest block when the trace began. */
  readonly tip: { readonly hash: string; readonly height: number };
  /** Microseconds. */
  readonly elapsed_us: number;
}

/** Private values of these blocks were erased: never whose. */
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

/** Heights that one block names; of more there are further blocks in the same transaction. */
export const HEIGHTS_PER_BLOCK_MAX = 1_000;
/** Lots that one block names; of more there are further blocks in the same transaction. */
export const LOTS_PER_BLOCK_MAX = 1_000;
