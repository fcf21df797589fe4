// The entries of the feed: notifications and signals, in the order in which they were committed.
import type { Said, Severity } from '../store/post.ts';
import type { SignalDetails, SignalKind } from './signals.ts';

export interface NotificationRow extends Said {
  /** Its position. */
  readonly id: number;
  readonly groupId: string;
  readonly seq: number;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  readonly createdAt: number;
  readonly keyId: string | null;
  /** As the key is called now; null of a key that is not known. */
  readonly keyName: string | null;
  /** The person who sent a test post. */
  readonly accountId: string | null;
  readonly accountName: string | null;
}

/** A notification as it is stored now: with what it belongs together with, and what became of its texts. */
export interface StoredNotification extends NotificationRow {
  /** seq of the first that it belongs together with by its `dedupKey`; null without one. */
  readonly firstSeq: number | null;
  /** When that one came. */
  readonly firstAt: number | null;
  /** How many they are by now. */
  readonly count: number | null;
  /** When an owner took its texts away. */
  readonly redactedAt: number | null;
}

export type Signal = {
  readonly [Kind in SignalKind]: {
    readonly kind: Kind;
    readonly groupId: string | null;
    readonly accountId: string | null;
    readonly detail: SignalDetails[Kind];
    readonly at: number;
  };
}[SignalKind];

export type NotificationEntry = {
  readonly kind: 'notification';
  readonly position: number;
  readonly notification: StoredNotification;
};

export type SignalEntry = {
  readonly kind: 'signal';
  readonly position: number;
  readonly signal: Signal;
};

export type FeedEntry = NotificationEntry | SignalEntry;
