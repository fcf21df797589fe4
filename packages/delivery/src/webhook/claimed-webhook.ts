// A claimed delivery of a webhook: the columns that it has beyond those of every receiver.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { claimedColumns, type ClaimedRow } from '../outbox/due-queries.ts';
import type { OutboxTables } from '../outbox/tables.ts';
import type { SecretRow } from '../sending/signature.ts';

export interface WebhookRow extends ClaimedRow, SecretRow {
  readonly url: string;
}

/** The columns of a WebhookRow, of deliveries `d` and receivers `w`. */
export function webhookColumns(tables: OutboxTables): Sql {
  return sql`
      ${claimedColumns(tables)},
      w.url as "url",
      w.secret as "secret",
      w.previous_secret,
      w.previous_until`;
}
