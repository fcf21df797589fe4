// Whether the people of the groups are those of the database that was opened: a backup that was restored
// without its people would have groups without people, and a set-up link that the first visitor could use.
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/** @throws DatabaseError `database_failed`, which says what to restore */
export async function assertPeopleThere(reader: DatabaseReader): Promise<void> {
  const missing = await reader.first<{ readonly accountId: string }>(sql`
    select m.account_id as "accountId"
    from members m
    where not exists (select 1 from people.accounts a where a.id = m.account_id)
    limit 1`);
  if (missing === undefined) return;
  throw new DatabaseError(
    'database_failed',
    `opening the notifications: a member of a group (${missing.accountId}) has no account among the ` +
      'people; restore the database of people from the same backup',
  );
}
