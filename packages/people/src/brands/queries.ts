// Reads and writes of grants: the roles that people have in brands and in the hub.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty, join, type Sql } from 'sql-template-tag';

export interface GrantKey {
  readonly accountId: string;
  /** As `placeText` writes it. */
  readonly place: string;
}

/** Who gave a role: a person or the command line (null), or what a provider of sign-on says. */
export type GrantSource = 'sign_on' | null;

export interface GrantRow extends GrantKey {
  readonly role: string;
  readonly source: GrantSource;
  readonly grantedAt: number;
}

export interface PlacePersonRow extends GrantRow {
  readonly name: string;
  /** Only an erased account has none, and no grant either. */
  readonly email: string | null;
}

const GRANTS = sql`
  select
    g.account_id as "accountId",
    g.place as "place",
    g.role as "role",
    g.source as "source",
    g.granted_at as "grantedAt"
  from grants g`;

/** What somebody may do, in the order of the places; at most BRANDS_PER_PERSON_MAX and the hub. */
export function grantsOfAccount(
  reader: DatabaseReader,
  accountId: string,
): Promise<readonly GrantRow[]> {
  return reader.all<GrantRow>(sql`
    ${GRANTS}
    where g.account_id = ${accountId}
    order by g.place`);
}

export function findGrant(
  reader: DatabaseReader,
  { accountId, place }: GrantKey,
): Promise<GrantRow | undefined> {
  return reader.first<GrantRow>(sql`
    ${GRANTS}
    where g.account_id = ${accountId}
      and g.place = ${place}`);
}

const PEOPLE = sql`
  select
    g.account_id as "accountId",
    g.place as "place",
    g.role as "role",
    g.source as "source",
    g.granted_at as "grantedAt",
    a.name as "name",
    a.email as "email"
  from grants g
  join accounts a on a.id = g.account_id`;

/** In the order of their names. */
export function peopleOfPlace(
  reader: DatabaseReader,
  page: { readonly place: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly PlacePersonRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`and (a.name, a.id) > (select c.name, c.id from accounts c where c.id = ${page.after})`;
  return reader.all<PlacePersonRow>(sql`
    ${PEOPLE}
    where g.place = ${page.place}
      ${behind}
    order by a.name, a.id
    limit ${page.limit}`);
}

export function personOfPlace(
  reader: DatabaseReader,
  { accountId, place }: GrantKey,
): Promise<PlacePersonRow | undefined> {
  return reader.first<PlacePersonRow>(sql`
    ${PEOPLE}
    where g.place = ${place}
      and g.account_id = ${accountId}`);
}

/** Which of these accounts have the role there. */
export function accountsInRole(
  reader: DatabaseReader,
  { place, role, among }: { readonly place: string; readonly role: string; readonly among: Sql },
): Promise<readonly { readonly accountId: string }[]> {
  return reader.all<{ readonly accountId: string }>(sql`
    select account_id as "accountId"
    from grants
    where place = ${place}
      and role = ${role}
      and account_id in (${among})`);
}

/** Whether there is such an account, and it was not erased. */
export async function isAccount(reader: DatabaseReader, accountId: string): Promise<boolean> {
  const row = await reader.first(sql`
    select id
    from accounts
    where id = ${accountId}
      and erased_at is null`);
  return row !== undefined;
}

export interface Fullness {
  /** People of the place. */
  readonly people: number;
  /** Brands of the person. */
  readonly brands: number;
}

export async function readFullness(
  reader: DatabaseReader,
  { place, accountId }: { readonly place: string; readonly accountId: string | null },
): Promise<Fullness> {
  const row = await reader.first<Fullness>(sql`
    select
      (select count(*) from grants where place = ${place}) as "people",
      (
        select count(*)
        from grants
        where account_id = ${accountId}
          and place like 'brand:%'
      ) as "brands"`);
  return present(row, 'the count of grants');
}

/** Whether somebody else has the role there. */
export async function hasOtherInRole(
  reader: DatabaseReader,
  { place, role, accountId }: GrantKey & { readonly role: string },
): Promise<boolean> {
  const row = await reader.first(sql`
    select 1 as found
    from grants
    where place = ${place}
      and role = ${role}
      and account_id <> ${accountId}
    limit 1`);
  return row !== undefined;
}

/** Whether anybody has the role there. */
export async function hasAnyInRole(
  reader: DatabaseReader,
  held: { readonly place: string; readonly role: string },
): Promise<boolean> {
  return await hasOtherInRole(reader, { ...held, accountId: '' });
}

/** For a guard: the account has the role there. */
export function andInRole({ accountId, place, role }: GrantKey & { readonly role: string }): Sql {
  return sql`
    and exists (
      select 1
      from grants mine
      where mine.account_id = ${accountId}
        and mine.place = ${place}
        and mine.role = ${role}
    )`;
}

/** For a guard: the account has no role there. */
export function andNotIn({ accountId, place }: GrantKey): Sql {
  return sql`
    and not exists (
      select 1
      from grants mine
      where mine.account_id = ${accountId}
        and mine.place = ${place}
    )`;
}

/** For a guard: somebody else has the role there. */
export function andOtherInRole(grant: GrantKey & { readonly role: string }): Sql {
  return sql`
    and exists (
      select 1
      from grants other
      where other.place = ${grant.place}
        and other.role = ${grant.role}
        and other.account_id <> ${grant.accountId}
    )`;
}

/** A condition of a guard: no person has the role there. */
export function andNobodyInRole(held: { readonly place: string; readonly role: string }): Sql {
  return sql`
    and not exists (
      select 1
      from grants other
      where other.place = ${held.place}
        and other.role = ${held.role}
    )`;
}

/** For a guard: there is room in the place, and for one more brand of the person. */
export function andRoom(
  grant: GrantKey & { readonly peopleMax: number; readonly brandsMax: number },
): Sql {
  return sql`
    and (select count(*) from grants where place = ${grant.place}) < ${grant.peopleMax}
    and (
      select count(*)
      from grants
      where account_id = ${grant.accountId}
        and place like 'brand:%'
    ) < ${grant.brandsMax}`;
}

/** For a guard: the account is there and was not erased. */
export function whileAccount(accountId: string, conditions: readonly Sql[]): Sql {
  return sql`
    select 1 as held
    from accounts a
    where a.id = ${accountId}
      and a.erased_at is null
      ${conditions.length === 0 ? empty : join(conditions, ' ')}`;
}

export function insertGrant(
  grant: GrantKey & {
    readonly role: string;
    readonly source: GrantSource;
    readonly grantedBy: string | null;
    readonly at: number;
  },
): Sql {
  return sql`
    insert into grants (account_id, place, role, source, granted_by, granted_at)
    values (
      ${grant.accountId},
      ${grant.place},
      ${grant.role},
      ${grant.source},
      ${grant.grantedBy},
      ${grant.at}
    )`;
}

/** A role that a person changes is not what the provider of sign-on gave any more. */
export function updateGrant(
  grant: GrantKey & {
    readonly role: string;
    readonly source: GrantSource;
    readonly grantedBy: string | null;
    readonly at: number;
  },
): Sql {
  return sql`
    update grants
    set role = ${grant.role},
      source = ${grant.source},
      granted_by = ${grant.grantedBy},
      granted_at = ${grant.at}
    where account_id = ${grant.accountId}
      and place = ${grant.place}`;
}

export function deleteGrant({ accountId, place }: GrantKey): Sql {
  return sql`
    delete from grants
    where account_id = ${accountId}
      and place = ${place}`;
}
