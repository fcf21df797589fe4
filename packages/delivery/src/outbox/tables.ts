// The tables of an outbox. Each kind of receiver has its own; the columns that the outbox reads and writes are
// the same in all of them, and are named here.
import type { Sql } from 'sql-template-tag';

/** Names as a query contains them. The service makes them with `sql`, never from the text of a request. */
export interface OutboxTables {
  /** id, status, disabled_reason, failures, failing_since, and the columns `group` and `creator`. */
  readonly receivers: Sql;
  /** Column of `receivers`: receivers of one group take turns with those of the others. */
  readonly group: Sql;
  /** Column of `receivers`: the receivers that one person has made have a share of the places at most. */
  readonly creator: Sql;
  /** id, seq, status, attempts, attempts_before, due_at, created_at, ended_at, and the column `receiver`. */
  readonly deliveries: Sql;
  /** Column of `deliveries`: the id of its receiver. */
  readonly receiver: Sql;
  /** delivery_id, attempt, at, took_ms, http_status, error; they are deleted with their delivery. */
  readonly attempts: Sql;
  /**
   * `none`: several deliveries of a receiver are sent at a time, and one that failed lets the others pass.
   * `strict`: one at a time by seq; the next ones wait until it has ended.
   */
  readonly order: 'none' | 'strict';
}
