// Reads of all accounts, for the operator.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty } from 'sql-template-tag';

export interface OperatedAccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: number;
  readonly groups: number;
  /** When one of the sessions that are kept was last used; null: there is none. */
  readonly lastSeenAt: number | null;
}

/** In the order in which they were made. */
export function allAccounts(
  reader: DatabaseReader,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly OperatedAccountRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`
        where (a.created_at, a.id) > (
          select c.created_at, c.id
          from people.accounts c
          where c.id = ${page.after}
        )`;
  return reader.all<OperatedAccountRow>(sql`
    select
      a.id as "id",
      a.email as "email",
      a.name as "name",
      a.created_at as "createdAt",
      (select count(*) from members m where m.account_id = a.id) as "groups",
      (select max(s.last_seen_at) from people.sessions s where s.account_id = a.id) as "lastSeenAt"
    from people.accounts a
    ${behind}
    order by a.created_at, a.id
    limit ${page.limit}`);
}
