// Reads and writes of groups, as one member sees them.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Role } from '../access/person.ts';
import { UNREAD } from '../feed/unread.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  /** 1: posts are refused. */
  readonly paused: number;
  readonly retentionDays: number;
  readonly retentionRows: number;
  readonly createdAt: number;
  readonly role: Role;
  readonly headSeq: number;
  readonly unread: number;
}

const MEMBERSHIPS = sql`
  select
    g.id as "id",
    g.name as "name",
    g.paused as "paused",
    g.retention_days as "retentionDays",
    g.retention_rows as "retentionRows",
    g.created_at as "createdAt",
    m.role as "role",
    h.head_seq as "headSeq",
    ${UNREAD} as "unread"
  from members m
  join groups g on g.id = m.group_id
  join group_heads h on h.group_id = m.group_id`;

/** In the order of their names. */
export function readGroups(
  reader: DatabaseReader,
  page: { readonly accountId: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly GroupRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`and (g.name, g.id) > (select c.name, c.id from groups c where c.id = ${page.after})`;
  return reader.all<GroupRow>(sql`
    ${MEMBERSHIPS}
    where m.account_id = ${page.accountId}
      ${behind}
    order by g.name, g.id
    limit ${page.limit}`);
}

export function findGroupRow(
  reader: DatabaseReader,
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string },
): Promise<GroupRow | undefined> {
  return reader.first<GroupRow>(sql`
    ${MEMBERSHIPS}
    where m.account_id = ${accountId}
      and m.group_id = ${groupId}`);
}

/** What an owner sets. */
export interface GroupSettings {
  readonly name: string;
  readonly paused: boolean;
  readonly retentionDays: number;
  readonly retentionRows: number;
}

export interface GroupSettingsRow extends Omit<GroupSettings, 'paused'> {
  /** 1: posts are refused. */
  readonly paused: number;
}

export function groupSettings(
  reader: DatabaseReader,
  groupId: string,
): Promise<GroupSettingsRow | undefined> {
  return reader.first<GroupSettingsRow>(sql`
    select
      name as "name",
      paused as "paused",
      retention_days as "retentionDays",
      retention_rows as "retentionRows"
    from groups
    where id = ${groupId}`);
}

/** A condition of a guard on the group `g`: no other request has changed its settings. */
export function stillSet(settings: GroupSettings): Sql {
  return sql`
    and g.name = ${settings.name}
    and g.paused = ${Number(settings.paused)}
    and g.retention_days = ${settings.retentionDays}
    and g.retention_rows = ${settings.retentionRows}`;
}

export function updateGroup(groupId: string, settings: GroupSettings): Sql {
  return sql`
    update groups
    set
      name = ${settings.name},
      paused = ${Number(settings.paused)},
      retention_days = ${settings.retentionDays},
      retention_rows = ${settings.retentionRows}
    where id = ${groupId}`;
}

/** The guard of whatever makes a person a member: there is room for one more group. */
export function whileGroupsBelow(accountId: string, groupsMax: number): Sql {
  return sql`
    select 1 as held
    where (
      select count(*)
      from members
      where account_id = ${accountId}
    ) < ${groupsMax}`;
}

export async function countGroups(reader: DatabaseReader, accountId: string): Promise<number> {
  const row = await reader.first<{ readonly groups: number }>(sql`
    select count(*) as groups
    from members
    where account_id = ${accountId}`);
  return present(row, 'the row of a count').groups;
}

export interface OperatedGroupRow {
  readonly id: string;
  readonly name: string;
  readonly paused: number;
  readonly headSeq: number;
  readonly prunedSeq: number;
  readonly members: number;
  readonly createdAt: number;
}

/** All groups that are not deleted, for the operator, in the order in which they were made. */
export function allGroups(
  reader: DatabaseReader,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly OperatedGroupRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`
        and (g.created_at, g.id) > (
          select c.created_at, c.id
          from groups c
          where c.id = ${page.after}
        )`;
  return reader.all<OperatedGroupRow>(sql`
    select
      g.id as "id",
      g.name as "name",
      g.paused as "paused",
      h.head_seq as "headSeq",
      h.pruned_seq as "prunedSeq",
      (select count(*) from members m where m.group_id = g.id) as "members",
      g.created_at as "createdAt"
    from groups g
    join group_heads h on h.group_id = g.id
    where g.deleted_at is null
      ${behind}
    order by g.created_at, g.id
    limit ${page.limit}`);
}
