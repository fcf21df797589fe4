// The messages of the capabilities to the ledger, and its answers. Plain values only: they cross a
// thread.
import type { GroupLog } from './log/signed-log.ts';
import type {
  PrivateChange,
  PrivateLine,
  PrivateNotes,
  PrivateRequest,
} from './record/commitment.ts';

/** An event ready to be sealed: everything but height, time and link. */
export interface Draft {
  /** Canonical JSON of the event (`ChainEvent`). */
  readonly eventText: string;
  readonly externalId: string | null;
  /** The key of an imported event without an external id (group-key.ts). */
  readonly groupKey: string | null;
  readonly privateLines: readonly PrivateLine[];
  readonly privateNotes: PrivateNotes | null;
  /** The warnings of its post; kept for the pages of the brand. */
  readonly warnings: readonly DraftWarning[];
}

export interface DraftWarning {
  readonly code: string;
  /** Index of the line that it is about; absent: the event. */
  readonly line?: number;
}

/** The caller of a write, as the audit names it. */
export interface Caller {
  /**
   * For a key its label, and the person that it declares if it declares one; for a session its
   * person's name.
   */
  readonly actor: string;
  readonly requestId: string | null;
  /**
   * The person's name alone, for cases, holds, corrections and reports. Absent when the caller
   * names no person.
   */
  readonly person?: string;
  /** The way of a request; absent: with a key, or from the hub itself. */
  readonly via?: 'session';
}

/** The way in which a change came to the hub. */
export type Came = 'person' | 'key' | 'hub';

/** Requests have an id; what the hub and its command line do has none. */
export function classifyCaller({ via, requestId }: Pick<Caller, 'via' | 'requestId'>): Came {
  if (via === 'session') return 'person';
  return requestId === null ? 'hub' : 'key';
}

/** A caller for changes that need the name of a person. */
export interface NamedCaller extends Caller {
  readonly person: string;
}

export interface Submission {
  readonly tenantId: string;
  readonly caller: Caller;
  readonly drafts: readonly Draft[];
  /**
   * `all`: one conflict refuses every draft. `each`: the good ones are appended. `none`: nothing is
   * appended, and the outcomes say which drafts are in conflict.
   */
  readonly unit: 'all' | 'each' | 'none';
  /** True: the answer has the proof of each appended block (`GroupLog`). */
  readonly wantsProofs?: boolean;
}

export interface Tip {
  readonly height: number;
  readonly hash: string;
}

export type DraftOutcome =
  | {
      readonly kind: 'appended';
      readonly height: number;
      readonly hash: string;
      /** Codes of the event's lots that were on hold, each once. */
      readonly heldLots: readonly string[];
    }
  /** The same content was stored before, with this height and hash. */
  | { readonly kind: 'replayed'; readonly height: number; readonly hash: string }
  | ({ readonly kind: 'conflict' } & Conflict)
  /**
   * Not appended because another draft of the submission was in conflict, or nothing was to be
   * appended.
   */
  | { readonly kind: 'withheld' };

/**
 * The differences between an imported group and the event that was imported under its key before.
 */
export interface GroupDifference {
  /** Fields of the event that differ, such as `location`. */
  readonly fields: readonly string[];
  /** Lines that the stored event does not have, by their index in the group. */
  readonly added: readonly number[];
  /** Lines of the stored event that the group does not have. */
  readonly missing: number;
}

/** An event with other content has the draft's external id or key. */
export type Conflict =
  | {
      readonly taken: 'external_id';
      /** -1: of an earlier draft of the same submission. */
      readonly height: number;
      /** The fields that differ, such as `lines[0].unit`. */
      readonly fields: readonly string[];
      /** Present when the block is a correction, which differs in everything. */
      readonly owner?: 'correction';
    }
  /** An imported group without an external id whose lines became others: it is regrown. */
  | {
      readonly taken: 'group';
      /** -1: of an earlier draft of the same submission. */
      readonly height: number;
      readonly difference: GroupDifference;
    };

export interface AppendAnswer {
  readonly outcomes: readonly DraftOutcome[];
  /** The head after the group that held this submission. */
  readonly tip: Tip;
  /** Undefined when nothing was signed (`SignedLog.state` says why). */
  readonly log: GroupLog | undefined;
}

/** A correction ready to be sealed, planned on the event as it counted after `afterCount` corrections. */
export interface CorrectionDraft {
  readonly correctsHeight: number;
  readonly afterCount: number;
  /** Canonical JSON of the correction (`ChainCorrection`). */
  readonly correctionText: string;
  /** Unique among events and corrections. */
  readonly externalId: string | null;
  readonly privateRequest: PrivateRequest;
  readonly privateChanges: readonly PrivateChange[];
}

/** A correction with the caller who requested it. */
export interface SubmittedCorrection extends CorrectionDraft {
  readonly caller: Caller;
}

export interface CorrectionSubmission {
  readonly tenantId: string;
  /** Several corrections of one event are each planned after those before them. */
  readonly corrections: readonly SubmittedCorrection[];
  /** `all`: one that cannot be appended withholds every other. `each`: the others are appended. */
  readonly unit: 'all' | 'each';
  /** True: the answer has the proof of each appended block (`GroupLog`). */
  readonly wantsProofs?: boolean;
}

export type CorrectionOutcome =
  | { readonly kind: 'appended'; readonly height: number; readonly hash: string }
  /** Another correction of the event came first: look at the event again. */
  | { readonly kind: 'stale' }
  /** The external id is that of this block, whose content is to be compared. */
  | { readonly kind: 'taken'; readonly height: number }
  /** Not appended because another correction of the submission could not be. */
  | { readonly kind: 'withheld' };

export interface CorrectionAnswer {
  readonly outcomes: readonly CorrectionOutcome[];
  /** The head after the group that held this submission. */
  readonly tip: Tip;
  /** Undefined when nothing was signed (`SignedLog.state` says why). */
  readonly log: GroupLog | undefined;
}

/** The `source` of a hold that a person set by hand; that of other holds is a case's number. */
export const MANUAL_HOLD = 'manual';
