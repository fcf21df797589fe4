// The tables of webhooks of brands and their outbox. The order of columns is that of the schema, which
// schema.test.ts compares.
import {
  integer,
  left,
  nullable,
  numbered,
  storedTable,
  text,
} from '@lothub/kit/rows/stored-table';

export const WEBHOOKS = storedTable('webhooks', ['id'], {
  id: text(),
  tenant_id: text(),
  name: text(),
  /** `https://…`, or `lothub-inbox:…` with the key of a group of the inbox. */
  url: text(),
  /** Each type is between two spaces. */
  event_types: text(),
  language: text(),
  status: text(),
  disabled_reason: nullable(text()),
  /** The secret that the receiver has. */
  secret: text(),
  previous_secret: nullable(text()),
  previous_until: nullable(integer()),
  failures: left(integer()),
  failing_since: nullable(integer()),
  created_by: text(),
  created_at: integer(),
});

export const WEBHOOK_DELIVERIES = storedTable('webhook_deliveries', ['seq'], {
  seq: numbered(),
  id: text(),
  webhook_id: text(),
  event_type: text(),
  at: text(),
  data: text(),
  block_height: nullable(integer()),
  status: text(),
  attempts: left(integer()),
  attempts_before: left(integer()),
  due_at: integer(),
  created_at: integer(),
  ended_at: nullable(integer()),
});

export const WEBHOOK_ATTEMPTS = storedTable('webhook_attempts', ['delivery_id', 'attempt'], {
  delivery_id: text(),
  attempt: integer(),
  at: integer(),
  took_ms: integer(),
  http_status: nullable(integer()),
  error: nullable(text()),
});

/**
 * The progress of each search for events that have no transaction of their own, and what it has
 * reported.
 */
export const WEBHOOK_LOOKS = storedTable('webhook_looks', ['name'], {
  name: text(),
  position: integer(),
});
