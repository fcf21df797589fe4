// The row of the feed's head on PostgreSQL: the transaction that locks it is the only writer of the feed, in any
// process, until it ends.
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export const LOCK_FEED_HEAD = sql`
  select position
  from feed_head
  where id = 1
  for update`;

export async function lockFeedHead({ all }: Pick<PostgresTransaction, 'all'>): Promise<'in_time'> {
  await all(LOCK_FEED_HEAD);
  return 'in_time';
}

/**
 * Whether statements move the feed. Such a transaction takes the head before anything else, as posts do:
 * two that take the same rows in another order would stop each other.
 */
export function movesFeed(statements: readonly Sql[]): boolean {
  return statements.some(({ sql: text }) => text.includes('feed_head'));
}
