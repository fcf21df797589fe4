// The tables of the people who watch a lot or a product, and of their messages. The order of
// columns is that of the schema, which schema.test.ts compares.
import { integer, left, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';

export const WATCHES = storedTable('watches', ['id'], {
  id: text(),
  tenant_id: text(),
  kind: text(),
  target: text(),
  channel: text(),
  /** Address of a person, or of a browser of one. */
  address: text(),
  route: text(),
  p256dh: nullable(text()),
  auth: nullable(text()),
  language: text(),
  status: text(),
  created_at: integer(),
  expires_at: integer(),
  asked: left(integer()),
  asked_at: nullable(left(integer())),
  listed_at: nullable(left(integer())),
  renewal_asked_at: nullable(left(integer())),
  refusals: left(integer()),
});

export const WATCH_MESSAGES = storedTable('watch_messages', ['case_no', 'step_no'], {
  case_no: text(),
  step_no: integer(),
  tenant_id: text(),
  change: text(),
  tells_all: integer(),
  case_status: text(),
  at: text(),
  looked_through: text(),
});

export const WATCH_DELIVERIES = storedTable('watch_deliveries', ['watch_id', 'topic'], {
  watch_id: text(),
  topic: text(),
  kind: text(),
  case_no: nullable(text()),
  step_no: nullable(integer()),
  case_status: nullable(text()),
  route: text(),
  attempts: left(integer()),
  due_at: integer(),
  created_at: integer(),
});

export const WATCH_KEYS = storedTable('watch_keys', ['name'], {
  name: text(),
  value: text(),
  created_at: integer(),
});
