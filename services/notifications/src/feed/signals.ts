// Events that readers get besides notifications: reads, acknowledgements, members who join or leave. A signal has a
// position in the same feed and is written in the transaction of its change, so that a reader of the feed gets
// everything once and in order.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/** What each kind says; the parts of a signal that all have are columns. */
export interface SignalDetails {
  /** One person has read, or marked as unread; sent to that person's readers. */
  readonly read:
    | { readonly upTo: number }
    | {
        readonly seq: number;
        readonly isRead: boolean;
        /** All that it belongs together with from this seq on were read with it. */
        readonly firstSeq?: number;
      };
  /** A critical notification was acknowledged; sent to the readers of the group. */
  readonly ack: {
    readonly seq: number;
    readonly name: string;
    /** What was said to it. */
    readonly comment?: string;
    /** Those that it belongs together with from this seq on were acknowledged with it. */
    readonly firstSeq?: number;
  };
  /** A notification was redacted; sent to the readers of the group. */
  readonly redacted: { readonly seq: number };
  /** A person came into a group, got another role or left; sent to the readers of the group. */
  readonly membership: { readonly change: 'joined' | 'role' | 'removed' };
  /** A group was renamed, paused or changed; sent to the readers of the group. */
  readonly group: { readonly name: string; readonly paused: boolean };
  /**
   * Read tokens of a person ended. For the service alone: see `isEndedBy` in access/access-ends.ts.
   * `id` of `tokens` is null: all of them.
   */
  readonly access: {
    readonly ended: 'token' | 'tokens';
    readonly id: string | null;
  };
  /** A key of a group was changed or revoked. For the service alone. */
  readonly key: { readonly keyId: string };
}

export type SignalKind = keyof SignalDetails;

export interface NewSignal<Kind extends SignalKind = SignalKind> {
  readonly kind: Kind;
  readonly groupId: string | null;
  readonly accountId: string | null;
  readonly detail: SignalDetails[Kind];
  readonly at: number;
}

/** Statements for the end of the transaction: from the first on, everybody else waits who writes to the feed. */
export function insertSignal<Kind extends SignalKind>(signal: NewSignal<Kind>): readonly Sql[] {
  return [
    sql`
      update feed_head
      set position = position + 1, at = case when at > ${signal.at} then at else ${signal.at} end
      where id = 1`,
    sql`
      insert into signals (position, kind, group_id, account_id, detail, at)
      select
        position,
        ${signal.kind},
        cast(${signal.groupId} as text),
        cast(${signal.accountId} as text),
        ${JSON.stringify(signal.detail)},
        at
      from feed_head
      where id = 1`,
  ];
}
