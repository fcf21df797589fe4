// Reads of all accounts with their roles, for the operator.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql, { empty } from 'sql-template-tag';

export interface ListedAccount {
  readonly id: string;
  /** Null: the account was erased. */
  readonly email: string | null;
  readonly name: string;
  readonly createdAt: number;
  readonly erasedAt: number | null;
  /** When one of the sessions that are kept was last used; null: there is none. */
  readonly lastSeenAt: number | null;
}

/** In the order in which they were made. */
export function listedAccounts(
  reader: DatabaseReader,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly ListedAccount[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`
        where (a.created_at, a.id) > (
          select c.created_at, c.id
          from accounts c
          where c.id = ${page.after}
        )`;
  return reader.all<ListedAccount>(sql`
    select
      a.id as "id",
      a.email as "email",
      a.name as "name",
      a.created_at as "createdAt",
      a.erased_at as "erasedAt",
      (select max(s.last_seen_at) from sessions s where s.account_id = a.id) as "lastSeenAt"
    from accounts a
    ${behind}
    order by a.created_at, a.id
    limit ${page.limit}`);
}

export interface ListedRole {
  readonly place: string;
  readonly role: string;
}

/** By account; who has no role is not in it. */
export async function rolesOfAccounts(
  reader: DatabaseReader,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ListedRole[]>> {
  const roles = new Map<string, ListedRole[]>();
  for (const some of cutSlices(accountIds)) {
    const rows = await reader.all<ListedRole & { readonly accountId: string }>(sql`
      select
        account_id as "accountId",
        place as "place",
        role as "role"
      from grants
      where account_id in (${inList(some)})
      order by account_id, place`);
    for (const { accountId, place, role } of rows) {
      const known = roles.get(accountId) ?? [];
      roles.set(accountId, [...known, { place, role }]);
    }
  }
  return roles;
}
