// What the capabilities hand to the ledger, and what it answers. Plain values only: they cross a
// thread.
import type { PrivateLine, PrivateNotes } from './commitment.ts';

/** An event ready to be sealed: everything but height, time and link. */
export interface Draft {
  /** Canonical JSON of the event (`ChainEvent`). */
  readonly eventText: string;
  readonly externalId: string | null;
  /** Key of the public content, for imported events without an external id. */
  readonly contentKey: string | null;
  readonly privateLines: readonly PrivateLine[];
  readonly privateNotes: PrivateNotes | null;
}

export interface Submission {
  readonly tenantId: string;
  readonly drafts: readonly Draft[];
  /** `all`: one conflict refuses every draft. `each`: the good ones are appended. */
  readonly unit: 'all' | 'each';
}

export interface Tip {
  readonly height: number;
  readonly hash: string;
}

export type DraftOutcome =
  | { readonly kind: 'appended'; readonly height: number; readonly hash: string }
  /** The same content was stored before; height and hash of then. */
  | { readonly kind: 'replayed'; readonly height: number; readonly hash: string }
  /** The external id is taken by other content; the fields that differ, such as `lines[0].unit`. */
  | { readonly kind: 'conflict'; readonly height: number; readonly fields: readonly string[] }
  /** Not appended because another draft of the same submission was in conflict. */
  | { readonly kind: 'withheld' };

export interface AppendAnswer {
  readonly outcomes: readonly DraftOutcome[];
  /** The head after the group that held this submission. */
  readonly tip: Tip;
}
