// Which of the posts that are committed together belong together with others by their `dedup_key`, and which of
// them wait to be acknowledged. It reads nothing and writes nothing.
import type { NewNotification, Severity, Status } from './post.ts';

/** What belongs together, as it is by now. */
export interface StoredItem {
  /** seq of the first of them; when it came. */
  readonly firstSeq: number;
  readonly firstAt: number;
  /** seq of the newest notification. */
  readonly lastSeq: number;
  readonly severity: Severity;
  readonly status: Status | null;
  readonly count: number;
}

/** A row of `occurrences`. */
export interface PlannedItem extends StoredItem {
  readonly groupId: string;
  readonly dedupKey: string;
}

/** A row of `unacknowledged`. */
export interface OpenPlace {
  readonly groupId: string;
  readonly seq: number;
}

export interface PlannedBelonging {
  /** Each as it is after all of the posts. */
  readonly items: readonly PlannedItem[];
  readonly unacknowledged: readonly OpenPlace[];
  /** No longer the newest of what they belong together with. */
  readonly settled: readonly OpenPlace[];
}

/** Finds the newest of a `dedup_key`; undefined: there is none. */
export type FindItem = (groupId: string, dedupKey: string) => StoredItem | undefined;

export function planBelonging(
  notifications: readonly NewNotification[],
  findItem: FindItem,
): PlannedBelonging {
  /** By group and key. */
  const newest = new Map<string, PlannedItem>();
  const items = new Map<string, PlannedItem>();
  const unacknowledged = new Map<string, OpenPlace>();
  const settled: OpenPlace[] = [];
  for (const { seq, createdAt, post } of notifications) {
    const { groupId, dedupKey, severity, status } = post;
    if (dedupKey !== null) {
      const name = `${groupId} ${dedupKey}`;
      const before = newest.get(name) ?? findItem(groupId, dedupKey);
      const joined = before !== undefined && isJoinedBy(before, status) ? before : undefined;
      const { firstSeq, firstAt, count } = joined ?? {
        firstSeq: seq,
        firstAt: createdAt,
        count: 0,
      };
      const last = { lastSeq: seq, severity, status, count: count + 1 };
      const item = { groupId, dedupKey, firstSeq, firstAt, ...last };
      newest.set(name, item);
      items.set(buildName({ groupId, seq: firstSeq }), item);
      if (joined !== undefined && isOpen(joined)) {
        const place = { groupId, seq: joined.lastSeq };
        if (!unacknowledged.delete(buildName(place))) settled.push(place);
      }
    }
    const place = { groupId, seq };
    if (isOpen(post)) unacknowledged.set(buildName(place), place);
  }
  return { items: [...items.values()], unacknowledged: [...unacknowledged.values()], settled };
}

/** A resolved one ends what belongs together: only what resolves it again still joins it. */
function isJoinedBy(item: StoredItem, status: Status | null): boolean {
  return item.status !== 'resolved' || status === 'resolved';
}

function isOpen({ severity, status }: Pick<StoredItem, 'severity' | 'status'>): boolean {
  return severity === 'critical' && status !== 'resolved';
}

/** Group ids hold no space. */
function buildName({ groupId, seq }: OpenPlace): string {
  return `${groupId} ${seq}`;
}
