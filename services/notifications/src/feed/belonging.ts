// What a notification belongs together with by its `dedup_key`, as it is by now.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/**
 * Columns of a StoredNotification for queries that name `notifications` as `n`. Each is a look-up of its own:
 * joined, a page of some length has PostgreSQL read the whole table.
 */
export const BELONGING: Sql = sql`
  ${ofItem(sql`i.first_seq`)} as "firstSeq", ${ofItem(sql`i.first_at`)} as "firstAt",
  ${ofItem(sql`i.count`)} as "count"`;

/** null of one without a `dedup_key`, which needs no look-up. */
function ofItem(column: Sql): Sql {
  return sql`
    case
      when n.dedup_key is not null
      then (
        select ${column}
        from occurrences i
        where i.group_id = n.group_id and i.dedup_key = n.dedup_key
          and i.first_seq <= n.seq and i.last_seq >= n.seq
        order by i.first_seq desc
        limit 1
      )
    end`;
}
