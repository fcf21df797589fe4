// Which tables an outbox stands in. Each service has its own; the columns that the outbox reads and writes are
// the same in all of them, and are named here.
import type { Sql } from 'sql-template-tag';

/** Names as they stand in a query, made with `sql` by the service: no text of a request comes here. */
export interface OutboxTables {
  /**
   * id, name, url, status, disabled_reason, secret, previous_secret, previous_until, failures, failing_since,
   * created_by, created_at, and the column `group`.
   */
  readonly webhooks: Sql;
  /** Column of `webhooks`: webhooks of one group take turns with those of the others. */
  readonly group: Sql;
  /** id, webhook_id, seq, status, attempts, attempts_before, due_at, created_at, ended_at. */
  readonly deliveries: Sql;
  /** delivery_id, attempt, at, took_ms, http_status, error; they go with their delivery. */
  readonly attempts: Sql;
  /**
   * `none`: several deliveries of a webhook are under way at a time, and one that failed lets the others pass.
   * `strict`: one at a time by seq, and those behind it wait until it has ended.
   */
  readonly order: 'none' | 'strict';
}
