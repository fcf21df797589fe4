// Plans posts that are committed together, on either engine: the place of each, and the rows
// to be written. It reads nothing and writes nothing.
import { IDEMPOTENCY_TTL_MS, REDACTED_HASH } from './post.ts';
import type { PostJob } from './jobs.ts';
import { planBelonging, type FindItem, type PlannedBelonging } from './plan-belonging.ts';
import type { NewNotification, Post, PostOutcome, PostedPlace } from './post.ts';

/** The row of `feed_head`. */
export interface FeedHead {
  /** The newest position that was given. */
  readonly position: number;
  readonly at: number;
}

export interface GroupHead {
  readonly headSeq: number;
  /** Whether a receiver may want its notifications. */
  readonly hasReceivers: boolean;
}

/** The stored use of an idempotency key; its notification may be deleted. */
export interface StoredRepeat extends PostedPlace {
  readonly contentHash: string;
}

/** What the database holds for the posts, while no other transaction writes to the feed. */
export interface PostsView {
  readonly feed: FeedHead;
  /** undefined: there is no such group. */
  readonly findGroup: (groupId: string) => GroupHead | undefined;
  /** However old it is. */
  readonly findRepeat: (groupId: string, idempotencyKey: string) => StoredRepeat | undefined;
  readonly findItem: FindItem;
}

export interface PlannedPosts {
  /** In the order of the posts. */
  readonly outcomes: readonly PostOutcome[];
  readonly feed: FeedHead;
  readonly notifications: readonly NewNotification[];
  /** seq of the newest notification of each group that got one. */
  readonly headSeqs: ReadonlyMap<string, number>;
  /** Notifications that receivers may want. */
  readonly outbound: readonly NewNotification[];
  readonly belonging: PlannedBelonging;
  /** Notifications whose request may be repeated. */
  readonly repeatable: readonly (NewNotification & {
    readonly idempotency: NonNullable<Post['idempotency']>;
  })[];
  /** When each key was used whose use is to be written. */
  readonly touchedKeys: ReadonlyMap<string, number>;
}

export function planPosts(jobs: readonly PostJob[], view: PostsView): PlannedPosts {
  let { position, at } = view.feed;
  const notifications: NewNotification[] = [];
  const outbound: NewNotification[] = [];
  const repeatable: (NewNotification & { idempotency: NonNullable<Post['idempotency']> })[] = [];
  const headSeqs = new Map<string, number>();
  const touchedKeys = new Map<string, number>();
  /** Repeats within these posts. */
  const repeats = new Map<string, StoredRepeat>();

  const outcomes = jobs.map(({ post, at: cameAt }): PostOutcome => {
    const { groupId, idempotency, sender } = post;
    const group = view.findGroup(groupId);
    if (group === undefined) return { kind: 'no_such_group' };
    // Time never goes back along positions, whatever the clocks of the processes say.
    const now = Math.max(at, cameAt);
    if (sender.kind === 'key' && sender.touch) touchedKeys.set(sender.keyId, now);
    if (idempotency !== undefined) {
      const known =
        repeats.get(repeatName(groupId, idempotency.key)) ??
        view.findRepeat(groupId, idempotency.key);
      if (known !== undefined && now - known.createdAt < IDEMPOTENCY_TTL_MS) {
        if (known.contentHash === REDACTED_HASH) {
          return { kind: 'replayed', ...pickPlace(known), isRedacted: true };
        }
        return known.contentHash === idempotency.contentHash
          ? { kind: 'replayed', ...pickPlace(known) }
          : { kind: 'conflict' };
      }
    }
    at = now;
    position += 1;
    const seq = (headSeqs.get(groupId) ?? group.headSeq) + 1;
    headSeqs.set(groupId, seq);
    const place = { id: position, seq, createdAt: now };
    const notification = { ...place, post };
    notifications.push(notification);
    if (group.hasReceivers) outbound.push(notification);
    if (idempotency !== undefined) {
      repeatable.push({ ...notification, idempotency });
      const { contentHash, key } = idempotency;
      repeats.set(repeatName(groupId, key), { ...place, contentHash });
    }
    return { kind: 'created', ...place };
  });
  const feed = { position, at };
  const belonging = planBelonging(notifications, view.findItem);
  return { outcomes, feed, notifications, headSeqs, outbound, belonging, repeatable, touchedKeys };
}

/** Group ids hold no space. */
export function repeatName(groupId: string, idempotencyKey: string): string {
  return `${groupId} ${idempotencyKey}`;
}

function pickPlace({ id, seq, createdAt }: PostedPlace): PostedPlace {
  return { id, seq, createdAt };
}
