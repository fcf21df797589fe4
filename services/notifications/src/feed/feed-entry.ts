// What stands in the feed: notifications and signals, in the one order in which they were committed.
import type { Severity } from '../store/post.ts';
import type { SignalDetails, SignalKind } from './signals.ts';

export interface NotificationRow {
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
  /** Of a test post: the person. */
  readonly accountId: string | null;
  readonly accountName: string | null;
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
  readonly notification: NotificationRow;
};

export type SignalEntry = {
  readonly kind: 'signal';
  readonly position: number;
  readonly signal: Signal;
};

export type FeedEntry = NotificationEntry | SignalEntry;
