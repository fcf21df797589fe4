// Reads and writes of the members of groups.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Role } from '../access/person.ts';

export interface MemberRow {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: number;
}

export interface MemberKey {
  readonly groupId: string;
  readonly accountId: string;
}

const MEMBERS = sql`
  select
    m.account_id as "accountId",
    a.name as "name",
    a.email as "email",
    m.role as "role",
    m.joined_at as "joinedAt"
  from members m
  join people.accounts a on a.id = m.account_id`;

/** In the order of their names. */
export function readMembers(
  reader: DatabaseReader,
  page: { readonly groupId: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly MemberRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`and (a.name, a.id) > (select c.name, c.id from people.accounts c where c.id = ${page.after})`;
  return reader.all<MemberRow>(sql`
    ${MEMBERS}
    where m.group_id = ${page.groupId}
      ${behind}
    order by a.name, a.id
    limit ${page.limit}`);
}

export function findMemberRow(
  reader: DatabaseReader,
  { groupId, accountId }: MemberKey,
): Promise<MemberRow | undefined> {
  return reader.first<MemberRow>(sql`
    ${MEMBERS}
    where m.group_id = ${groupId}
      and m.account_id = ${accountId}`);
}

/** Whether somebody else owns the group. */
export async function hasOtherOwner(
  reader: DatabaseReader,
  { groupId, accountId }: MemberKey,
): Promise<boolean> {
  const row = await reader.first(sql`
    select 1 as found
    from members
    where group_id = ${groupId}
      and account_id <> ${accountId}
      and role = 'owner'
    limit 1`);
  return row !== undefined;
}

/** For a guard that sees the group as `g`: the person is in it, and in this role. */
export function stillMember({ groupId, accountId }: MemberKey, role: Role): Sql {
  return sql`
    and exists (
      select 1
      from members m
      where m.group_id = ${groupId}
        and m.account_id = ${accountId}
        and m.role = ${role}
    )`;
}

/** For a guard that sees the group as `g`: somebody else owns it. */
export function stillOtherOwner({ accountId }: MemberKey): Sql {
  return sql`
    and exists (
      select 1
      from members other
      where other.group_id = g.id
        and other.account_id <> ${accountId}
        and other.role = 'owner'
    )`;
}

export function updateRole({ groupId, accountId }: MemberKey, role: Role): Sql {
  return sql`
    update members
    set role = ${role}
    where group_id = ${groupId}
      and account_id = ${accountId}`;
}

/** The tables of a person's devices and mail. */
const PERSONAL_DELIVERIES = [
  { deliveries: sql`device_deliveries`, column: sql`device_id`, receivers: sql`devices` },
  { deliveries: sql`mail_deliveries`, column: sql`receiver_id`, receivers: sql`mail_receivers` },
] as const;

/**
 * Also deletes what the person has read one by one: a person who joins again starts with everything read. Nothing of
 * the group is sent or escalated to the person any more.
 */
export function deleteMember({ groupId, accountId }: MemberKey, at: number): readonly Sql[] {
  return [
    ...PERSONAL_DELIVERIES.map(
      ({ deliveries, column, receivers }) => sql`
        update ${deliveries}
        set status = 'failed', ended_at = ${at}
        where status = 'pending'
          and group_id = ${groupId}
          and ${column} in (select id from ${receivers} where account_id = ${accountId})`,
    ),
    sql`
      delete from escalation_people
      where group_id = ${groupId}
        and account_id = ${accountId}`,
    sql`
      delete from read_exceptions
      where account_id = ${accountId}
        and group_id = ${groupId}`,
    sql`
      delete from members
      where group_id = ${groupId}
        and account_id = ${accountId}`,
  ];
}
