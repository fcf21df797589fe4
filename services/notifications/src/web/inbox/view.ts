// What a page of the inbox shows: its groups, its list, the filters and the position in the list.
import type { Notification } from '../../inbox/inbox-schema.ts';
import type { Severity } from '../../store/post.ts';

/** As the API takes them in its query. */
export interface Filters {
  readonly severity: Severity | undefined;
  readonly unread: boolean;
  /** Only critical ones that wait to be acknowledged. */
  readonly isOpen: boolean;
  readonly q: string;
}

/** Where a list begins; in seqs in a group, in ids in all of them. Neither: with the newest. */
export interface Cursor {
  /** Newest first, from below it. */
  readonly before?: number | undefined;
  /** Those right above it. */
  readonly after?: number | undefined;
}

export interface InboxGroup {
  readonly id: string;
  readonly name: string;
  readonly paused: boolean;
  readonly isOwner: boolean;
  readonly head_seq: number;
  readonly unread: number;
}

export interface InboxView {
  /** undefined: all groups. */
  readonly group: InboxGroup | undefined;
  readonly groups: readonly InboxGroup[];
  /** Newest first. */
  readonly items: readonly Notification[];
  readonly filters: Filters;
  readonly cursor: Cursor;
  /** Cursors of the pages beside this one; undefined when there are none. */
  readonly older: number | undefined;
  readonly newer: number | undefined;
  /** How many critical ones wait to be acknowledged. */
  readonly open: number;
  /** How far a search looked that did not look at everything; null: at everything. */
  readonly searchedTo: string | null;
  /** How far the feed is that this shows. */
  readonly position: number;
  readonly nowMs: number;
  /** Words about what was just done. */
  readonly done: string | undefined;
}
