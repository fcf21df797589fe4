// Statements that export and delete a group.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, type Sql } from 'sql-template-tag';

/** An export that was read to its end. */
export function noteExport(groupId: string, headSeq: number): Sql {
  return sql`
    update groups
    set exported_seq = ${headSeq}
    where id = ${groupId}
      and coalesce(exported_seq, 0) < ${headSeq}`;
}

export interface DeletableGroup {
  readonly name: string;
  readonly headSeq: number;
  /** 0: nothing was exported, as nothing came. */
  readonly exportedSeq: number;
}

export function findDeletable(
  reader: DatabaseReader,
  groupId: string,
): Promise<DeletableGroup | undefined> {
  return reader.first<DeletableGroup>(sql`
    select
      g.name as "name",
      h.head_seq as "headSeq",
      coalesce(g.exported_seq, 0) as "exportedSeq"
    from groups g
    join group_heads h on h.group_id = g.id
    where g.id = ${groupId}
      and g.deleted_at is null`);
}

/** For a guard that sees the group as `g`: it is called so, and all of it is in an export that is asked for. */
export function whileDeletable({
  name,
  isExportWanted,
}: {
  readonly name: string;
  readonly isExportWanted: boolean;
}): Sql {
  const exported = isExportWanted
    ? sql`
      and coalesce(g.exported_seq, 0) >= (
        select h.head_seq
        from group_heads h
        where h.group_id = g.id
      )`
    : empty;
  return sql`
    and g.name = ${name}
    and g.deleted_at is null
    ${exported}`;
}

/**
 * Ends a group: its members, keys, webhooks, rules and pending deliveries end together. Its notifications
 * are deleted in batches afterwards (retention/deleted-groups.ts).
 */
export function endGroup(groupId: string, at: number): readonly Sql[] {
  return [
    sql`
      update groups
      set deleted_at = ${at}, paused = 1, name = ''
      where id = ${groupId}`,
    ...insertRemovedSignals(groupId, at),
    sql`
      insert into former_members (group_id, account_id)
      select group_id, account_id
      from members
      where group_id = ${groupId}`,
    sql`
      delete from members
      where group_id = ${groupId}`,
    sql`
      update group_keys
      set revoked_at = ${at}, signing_secret = null
      where group_id = ${groupId}
        and revoked_at is null`,
    sql`
      delete from undistributed
      where group_id = ${groupId}`,
    // The worker deletes them with their deliveries.
    sql`
      update webhooks
      set
        status = 'deleted', url = '', secret = '', previous_secret = null, previous_until = null,
        access_token = null
      where group_id = ${groupId}`,
    sql`
      update device_deliveries
      set status = 'failed', ended_at = ${at}
      where group_id = ${groupId}
        and status = 'pending'`,
    sql`
      update mail_deliveries
      set status = 'failed', ended_at = ${at}
      where group_id = ${groupId}
        and status = 'pending'`,
    // Rules that led here: their key has ended with the others.
    sql`
      update escalations
      set to_group_id = null, key_id = null
      where to_group_id = ${groupId}`,
  ];
}

/** The signals of removed members, in one statement. */
function insertRemovedSignals(groupId: string, at: number): readonly Sql[] {
  return [
    sql`
      update feed_head
      set
        position = position + (select count(*) from members where group_id = ${groupId}),
        at = case when at > ${at} then at else ${at} end
      where id = 1`,
    sql`
      insert into signals (position, kind, group_id, account_id, detail, at)
      select
        h.position + 1 - row_number() over (order by m.account_id),
        'membership',
        m.group_id,
        m.account_id,
        ${JSON.stringify({ change: 'removed' })},
        h.at
      from members m
      join feed_head h on h.id = 1
      where m.group_id = ${groupId}`,
  ];
}
