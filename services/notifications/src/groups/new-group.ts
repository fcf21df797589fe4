// The rows of a new group and of a new member: for people who make or join one, and for the first start.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Role } from '../access/person.ts';
import { insertSignal } from '../feed/signals.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import { RETENTION_DAYS, RETENTION_ROWS } from './limits.ts';

export interface NewGroup {
  readonly groupId: string;
  readonly name: string;
  readonly retentionDays?: number | undefined;
  readonly retentionRows?: number | undefined;
  /** Account of the person who owns it. */
  readonly ownerId: string;
  readonly actor: Actor;
  readonly at: number;
}

/** Statements for a group with its owner and without notifications; they must be the last of a transaction. */
export function insertGroup(group: NewGroup): readonly Sql[] {
  const { groupId, name, ownerId, actor, at } = group;
  return [
    sql`
      insert into groups (id, name, paused, retention_days, retention_rows, created_at)
      values (
        ${groupId},
        ${name},
        0,
        ${group.retentionDays ?? RETENTION_DAYS.default},
        ${group.retentionRows ?? RETENTION_ROWS.default},
        ${at}
      )`,
    sql`insert into group_heads (group_id) values (${groupId})`,
    insertAuditEntry({
      at,
      actor,
      action: 'group_created',
      groupId,
      subject: groupId,
      details: { name },
    }),
    ...insertMember({ groupId, accountId: ownerId, role: 'owner', at }),
  ];
}

export interface NewMember {
  readonly groupId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly at: number;
}

/**
 * Statements for a member who has read everything so far. They write a signal, so they must be the last of a
 * transaction. The caller writes the audit entry.
 */
export function insertMember({ groupId, accountId, role, at }: NewMember): readonly Sql[] {
  return [
    sql`
      insert into members (group_id, account_id, role, joined_at, read_up_to)
      select
        cast(${groupId} as text),
        cast(${accountId} as text),
        cast(${role} as text),
        cast(${at} as bigint),
        head_seq
      from group_heads
      where group_id = ${groupId}`,
    ...insertSignal({
      kind: 'membership',
      groupId,
      accountId,
      detail: { change: 'joined' },
      at,
    }),
  ];
}
