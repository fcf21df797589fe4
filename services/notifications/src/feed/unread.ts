// How many notifications of a group a person has not read: computed from a few numbers, never counted
// over the notifications themselves.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/**
 * An expression for queries that name `members` as `m` and `group_heads` as `h`, both of one group:
 * what lies above `read_up_to`, without what was read there one by one, with what was marked as unread
 * below. What retention has deleted counts nowhere.
 */
export const UNREAD: Sql = sql`
  (
    h.head_seq
    - case when m.read_up_to > h.pruned_seq then m.read_up_to else h.pruned_seq end
    - (
      select count(*)
      from read_exceptions e
      where e.account_id = m.account_id
        and e.group_id = m.group_id
        and e.seq > h.pruned_seq
        and e.seq > m.read_up_to
        and e.is_read = 1
    )
    + (
      select count(*)
      from read_exceptions e
      where e.account_id = m.account_id
        and e.group_id = m.group_id
        and e.seq > h.pruned_seq
        and e.seq <= m.read_up_to
        and e.is_read = 0
    )
  )`;
