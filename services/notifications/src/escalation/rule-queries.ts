// Reads and writes of escalation rules: minutes and recipients.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { empty, type Sql } from 'sql-template-tag';
import { STEPS_MAX } from './limits.ts';

export interface RuleRow {
  readonly afterMinutes: number;
  readonly toGroupId: string | null;
  readonly toGroupName: string | null;
  /** The key that is posted with in the other group. */
  readonly keyId: string | null;
  readonly keyRevokedAt: number | null;
  readonly keyExpiresAt: number | null;
  readonly setBy: string;
  readonly setAt: number;
}

export function findRule(reader: DatabaseReader, groupId: string): Promise<RuleRow | undefined> {
  return reader.first<RuleRow>(sql`
    select
      e.after_minutes as "afterMinutes",
      e.to_group_id as "toGroupId",
      t.name as "toGroupName",
      e.key_id as "keyId",
      k.revoked_at as "keyRevokedAt",
      k.expires_at as "keyExpiresAt",
      e.set_by as "setBy",
      e.set_at as "setAt"
    from escalations e
    left join groups t on t.id = e.to_group_id
    left join group_keys k on k.id = e.key_id
    where e.group_id = ${groupId}`);
}

export interface RulePersonRow {
  readonly accountId: string;
  readonly name: string;
  /** Active devices and mail receivers together. */
  readonly receivers: number;
}

/** At most PEOPLE_MAX, by their names. */
export function readRulePeople(
  reader: DatabaseReader,
  groupId: string,
): Promise<readonly RulePersonRow[]> {
  return reader.all<RulePersonRow>(sql`
    select
      p.account_id as "accountId",
      a.name as "name",
      (
        select count(*) from devices d where d.account_id = p.account_id and d.status = 'active'
      ) + (
        select count(*)
        from mail_receivers r
        where r.account_id = p.account_id and r.status = 'active'
      ) as "receivers"
    from escalation_people p
    join people.accounts a on a.id = p.account_id
    where p.group_id = ${groupId}
    order by a.name, p.account_id`);
}

export interface RuleOfPersonRow {
  readonly groupId: string;
  readonly groupName: string;
  readonly afterMinutes: number;
}

/** The rules that name a person. */
export function readRulesOfPerson(
  reader: DatabaseReader,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<readonly RuleOfPersonRow[]> {
  return reader.all<RuleOfPersonRow>(sql`
    select
      e.group_id as "groupId",
      g.name as "groupName",
      e.after_minutes as "afterMinutes"
    from escalation_people p
    join escalations e on e.group_id = p.group_id
    join groups g on g.id = e.group_id
    where p.account_id = ${accountId}
    order by g.name, e.group_id
    limit ${limit}`);
}

/** Finds which of these people are in the group. */
export async function membersAmong(
  reader: DatabaseReader,
  { groupId, people }: { readonly groupId: string; readonly people: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (people.length === 0) return new Set();
  const rows = await reader.all<{ readonly accountId: string }>(sql`
    select account_id as "accountId"
    from members
    where group_id = ${groupId}
      and account_id in (${inList(people)})`);
  return new Set(rows.map(({ accountId }) => accountId));
}

/** For a guard that sees the group as `g`: all of these people are in it. */
export function whileMembers(people: readonly string[]): Sql {
  if (people.length === 0) return empty;
  return sql`
    and (
      select count(*)
      from members m
      where m.group_id = g.id
        and m.account_id in (${inList(people)})
    ) = ${people.length}`;
}

/** For a guard: this person owns another group, too. */
export function whileOwnsToo(owned: {
  readonly ownerId: string | null;
  readonly toGroupId: string;
}): Sql {
  return sql`
    and exists (
      select 1
      from members o
      where o.group_id = ${owned.toGroupId}
        and o.account_id = ${owned.ownerId}
        and o.role = 'owner'
    )`;
}

export interface Link {
  readonly groupId: string;
  readonly toGroupId: string;
}

/** More than any number of steps: it leads back to where it began. */
const CYCLE = 1_000;

/** Steps of the longest way that leads through a link once it is set; walked no further than it matters. */
function stepsThrough({ groupId, toGroupId }: Link): Sql {
  return sql`
    (
      with recursive
        down (id, steps) as (
          select id, 1 from groups where id = ${toGroupId}
          union all
          select e.to_group_id, d.steps + 1
          from down d
          join escalations e on e.group_id = d.id
          where e.to_group_id is not null
            and d.id <> ${groupId}
            and d.steps <= ${STEPS_MAX}
        ),
        up (id, steps) as (
          select id, 0 from groups where id = ${groupId}
          union all
          select e.group_id, u.steps + 1
          from up u
          join escalations e on e.to_group_id = u.id
          where u.steps <= ${STEPS_MAX}
        )
      select max(down.steps) + max(up.steps) + max(
        case when down.id = ${groupId} then ${CYCLE} else 0 end
      )
      from down
      cross join up
    )`;
}

/** Whether the way leads back, or how many steps it has. */
export async function readSteps(
  reader: DatabaseReader,
  link: Link,
): Promise<{ readonly steps: number; readonly isCycle: boolean }> {
  const row = await reader.first<{ readonly steps: number | null }>(sql`
    select ${stepsThrough(link)} as steps`);
  const steps = row?.steps ?? 0;
  return { steps, isCycle: steps >= CYCLE };
}

export function whileShort(link: Link): Sql {
  return sql`
    and ${stepsThrough(link)} <= ${STEPS_MAX}`;
}

/** A condition of a guard: the rule is unchanged; `undefined`: there is none. */
export function whileRule(groupId: string, rule: RuleRow | undefined): Sql {
  const asItWas =
    rule === undefined
      ? empty
      : sql`and e.set_at = ${rule.setAt} and e.after_minutes = ${rule.afterMinutes}`;
  const exists = sql`exists (select 1 from escalations e where e.group_id = ${groupId} ${asItWas})`;
  return rule === undefined ? sql`and not ${exists}` : sql`and ${exists}`;
}

export interface NewRule {
  readonly groupId: string;
  readonly afterMinutes: number;
  readonly people: readonly string[];
  readonly toGroupId: string | null;
  readonly keyId: string | null;
  readonly setBy: string;
  readonly at: number;
}

/** A new rule applies to notifications from now on; a changed rule continues at its position. */
export function writeRule(rule: NewRule): readonly Sql[] {
  const { groupId, afterMinutes, toGroupId, keyId, setBy, at } = rule;
  return [
    sql`
      insert into escalations (
        group_id, after_minutes, to_group_id, key_id, checked_seq, set_by, set_at
      )
      select
        group_id,
        cast(${afterMinutes} as bigint),
        cast(${toGroupId} as text),
        cast(${keyId} as text),
        head_seq,
        cast(${setBy} as text),
        cast(${at} as bigint)
      from group_heads
      where group_id = ${groupId}
      on conflict (group_id) do update
      set
        after_minutes = excluded.after_minutes,
        to_group_id = excluded.to_group_id,
        key_id = excluded.key_id,
        set_by = excluded.set_by,
        set_at = excluded.set_at`,
    sql`
      delete from escalation_people
      where group_id = ${groupId}`,
    ...rule.people.map(
      (accountId) => sql`
        insert into escalation_people (group_id, account_id)
        values (${groupId}, ${accountId})`,
    ),
  ];
}

export function deleteRule(groupId: string): readonly Sql[] {
  return [
    sql`
      delete from escalation_people
      where group_id = ${groupId}`,
    sql`
      delete from escalations
      where group_id = ${groupId}`,
  ];
}
