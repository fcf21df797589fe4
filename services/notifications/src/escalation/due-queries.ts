// What is due in groups with a rule: critical notifications that were posted long enough ago, along their index, and
// what has become of them.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Status } from '../store/post.ts';

const MS_PER_MINUTE = 60_000;
/** The newest notifications of an item that are searched for an acknowledgement. */
const ITEM_ROWS_LOOKED_AT = 200;

export interface DueRule {
  readonly groupId: string;
  readonly afterMinutes: number;
  readonly toGroupId: string | null;
  readonly keyId: string | null;
  /** Everything up to it was looked at. */
  readonly checkedSeq: number;
  readonly setAt: number;
}

/** Rules with something due, by their groups. It looks at one notification of each rule. */
export function dueRules(
  reader: DatabaseReader,
  page: { readonly after: string; readonly nowMs: number; readonly limit: number },
): Promise<readonly DueRule[]> {
  return reader.all<DueRule>(sql`
    select
      e.group_id as "groupId",
      e.after_minutes as "afterMinutes",
      e.to_group_id as "toGroupId",
      e.key_id as "keyId",
      e.checked_seq as "checkedSeq",
      e.set_at as "setAt"
    from escalations e
    where e.group_id > ${page.after}
      and (
        select n.created_at
        from notifications n
        where n.group_id = e.group_id
          and n.severity = 'critical'
          and n.seq > e.checked_seq
        order by n.seq
        limit 1
      ) <= ${page.nowMs} - e.after_minutes * ${MS_PER_MINUTE}
    order by e.group_id
    limit ${page.limit}`);
}

export interface DueNotification {
  readonly seq: number;
  readonly dedupKey: string | null;
  readonly status: Status | null;
  readonly redactedAt: number | null;
  readonly ackAt: number | null;
}

/** The notifications after the checked ones, the oldest first; their times are in the same order. */
export function dueNotifications(
  reader: DatabaseReader,
  rule: DueRule,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly DueNotification[]> {
  const dueBefore = nowMs - rule.afterMinutes * MS_PER_MINUTE;
  return reader.all<DueNotification>(sql`
    select
      c.seq as "seq",
      c.dedup_key as "dedupKey",
      c.status as "status",
      c.redacted_at as "redactedAt",
      (
        select a.at from acknowledgements a where a.group_id = c.group_id and a.seq = c.seq
      ) as "ackAt"
    from (
      select group_id, seq, dedup_key, status, redacted_at, created_at
      from notifications
      where group_id = ${rule.groupId}
        and severity = 'critical'
        and seq > ${rule.checkedSeq}
      order by seq
      limit ${limit}
    ) c
    where c.created_at <= ${dueBefore}
    order by c.seq`);
}

export interface ItemPlace {
  readonly groupId: string;
  readonly dedupKey: string;
  readonly seq: number;
}

/** The state of the item of a notification. */
export interface ItemState {
  readonly resolvedSeq: number | null;
  readonly ackSeq: number | null;
  readonly escalatedSeq: number | null;
}

export async function readItem(reader: DatabaseReader, place: ItemPlace): Promise<ItemState> {
  const { groupId, dedupKey, seq } = place;
  const row = await reader.first<ItemState>(sql`
    with recent (seq) as (
      select r.seq
      from notifications r
      where r.group_id = ${groupId}
        and r.dedup_key = ${dedupKey}
        and r.seq > coalesce(
          (
            select max(b.seq)
            from notifications b
            where b.group_id = ${groupId}
              and b.dedup_key = ${dedupKey}
              and b.status = 'resolved'
              and b.seq < ${seq}
          ),
          0
        )
      order by r.seq desc
      limit ${ITEM_ROWS_LOOKED_AT}
    )
    select
      (
        select min(n.seq)
        from notifications n
        where n.group_id = ${groupId}
          and n.dedup_key = ${dedupKey}
          and n.status = 'resolved'
          and n.seq > ${seq}
      ) as "resolvedSeq",
      (
        select max(a.seq)
        from recent
        join acknowledgements a on a.group_id = ${groupId} and a.seq = recent.seq
      ) as "ackSeq",
      (
        select max(x.seq)
        from recent
        join escalated x on x.group_id = ${groupId} and x.seq = recent.seq
      ) as "escalatedSeq"`);
  return row ?? { resolvedSeq: null, ackSeq: null, escalatedSeq: null };
}

/** The guard of an escalation: the rule is unchanged, and the notification is neither acknowledged nor redacted. */
export function whileDue(rule: DueRule, { seq, dedupKey }: DueNotification): Sql {
  const { groupId, checkedSeq, setAt } = rule;
  const unresolved =
    dedupKey === null
      ? empty
      : sql`
        and not exists (
          select 1
          from notifications r
          where r.group_id = ${groupId}
            and r.dedup_key = ${dedupKey}
            and r.status = 'resolved'
            and r.seq > ${seq}
        )`;
  return sql`
    select 1 as held
    from escalations e
    join notifications n on n.group_id = e.group_id and n.seq = ${seq}
    where e.group_id = ${groupId}
      and e.checked_seq = ${checkedSeq}
      and e.set_at = ${setAt}
      and n.redacted_at is null
      and not exists (
        select 1
        from acknowledgements a
        where a.group_id = ${groupId}
          and a.seq = ${seq}
      )
      ${unresolved}`;
}

/** Does nothing after the rule was changed, or after another process has checked. */
export function moveChecked({ groupId, checkedSeq, setAt }: DueRule, seq: number): Sql {
  return sql`
    update escalations
    set checked_seq = ${seq}
    where group_id = ${groupId}
      and checked_seq = ${checkedSeq}
      and set_at = ${setAt}`;
}

/** The row that says that it was escalated, and the deliveries to people: whatever they have muted. */
export function insertEscalated(rule: DueRule, seq: number, at: number): readonly Sql[] {
  const { groupId, afterMinutes, keyId, toGroupId } = rule;
  return [
    sql`
      insert into escalated (group_id, seq, at, after_minutes, key_id, to_group_id)
      values (${groupId}, ${seq}, ${at}, ${afterMinutes}, ${keyId}, ${toGroupId})`,
    sql`
      insert into device_deliveries (
        id, device_id, group_id, seq, kind, status, due_at, created_at
      )
      select
        'esc_' || n.id || '_' || d.id, d.id, n.group_id, n.seq, 'escalated', 'pending',
        cast(${at} as bigint), cast(${at} as bigint)
      from notifications n
      join escalation_people p on p.group_id = n.group_id
      join members m on m.group_id = p.group_id and m.account_id = p.account_id
      join devices d on d.account_id = p.account_id and d.status = 'active'
      where n.group_id = ${groupId}
        and n.seq = ${seq}`,
    sql`
      insert into mail_deliveries (
        id, receiver_id, group_id, seq, kind, status, due_at, created_at
      )
      select
        'esc_' || n.id || '_' || r.id, r.id, n.group_id, n.seq, 'escalated', 'pending',
        cast(${at} as bigint), cast(${at} as bigint)
      from notifications n
      join escalation_people p on p.group_id = n.group_id
      join members m on m.group_id = p.group_id and m.account_id = p.account_id
      join mail_receivers r on r.account_id = p.account_id and r.status = 'active'
      where n.group_id = ${groupId}
        and n.seq = ${seq}`,
  ];
}
