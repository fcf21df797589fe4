// A notification on its way to disk, and what becomes of it.

/** In the order of their weight. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a thing is now that several notifications are about. */
export const STATUSES = ['firing', 'resolved'] as const;
export type Status = (typeof STATUSES)[number];

/** What a sender may say besides title, body and severity; null where it does not. */
export interface Said {
  /** A link to http or https. */
  readonly url: string | null;
  /** Notifications of a group with the same one belong together. */
  readonly dedupKey: string | null;
  /** Only with `dedupKey`. */
  readonly status: Status | null;
}

/** The optional members of a sender that sets none. */
export const NOTHING_SAID: Said = { url: null, dedupKey: null, status: null };

/** The sender of a notification. */
export type Sender =
  | {
      readonly kind: 'key';
      readonly keyId: string;
      /** Whether the key's `last_used_at` is due to be written. */
      readonly touch: boolean;
    }
  | { readonly kind: 'person'; readonly accountId: string };

export interface Post extends Said {
  readonly groupId: string;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  readonly sender: Sender;
  /** A request that may be repeated: its key, and SHA-256 hex of its content. */
  readonly idempotency?: { readonly key: string; readonly contentHash: string };
}

/** The place of a notification. */
export interface PostedPlace {
  /** Position in the feed. */
  readonly id: number;
  /** From 1 in its group, without gaps, in the order of the commits. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch, UTC. */
  readonly createdAt: number;
}

/** A row of `notifications`. */
export interface NewNotification extends PostedPlace {
  readonly post: Post;
}

export type PostOutcome =
  | (PostedPlace & { readonly kind: 'created' })
  /**
   * The same content came with the same idempotency key within a day: nothing was written. Once its texts were
   * taken away, whatever content comes with the key counts as the same.
   */
  | (PostedPlace & { readonly kind: 'replayed'; readonly isRedacted?: true })
  /** Other content came with the same idempotency key within a day. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'no_such_group' };

/**
 * How long a repeated idempotency key is answered as the first was
 * (docs/interface/notifications.md#idempotency).
 */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1_000;

/** In place of the hash of a content that was taken away: a hash of few words says them to who can guess. */
export const REDACTED_HASH = 'redacted';
