// The tables of private values, each of which opens a commitment of a block. The order of columns is
// that of the schema, which schema.test.ts compares.
import { integer, nullable, storedTable, text, type RowOf } from '@lothub/kit/rows/stored-table';

export const PRIVATE_LINES = storedTable('private_lines', ['height', 'line_no'], {
  height: integer(),
  line_no: integer(),
  customer_ref: nullable(text()),
  channel: nullable(text()),
  salt: text(),
  consignee_ref: nullable(text()),
});
export type PrivateLineRow = RowOf<typeof PRIVATE_LINES>;

/** The notes of an event. */
export const PRIVATE_NOTES = storedTable('private_notes', ['height'], {
  height: integer(),
  notes: text(),
  salt: text(),
});
export type PrivateNotesRow = RowOf<typeof PRIVATE_NOTES>;

/** The person who requested a correction. */
export const PRIVATE_REQUESTS = storedTable('private_requests', ['height'], {
  height: integer(),
  requested_by: text(),
  salt: text(),
});
export type PrivateRequestRow = RowOf<typeof PRIVATE_REQUESTS>;

/** The private values that a change of a correction replaces. */
export const PRIVATE_CHANGES = storedTable('private_changes', ['height', 'change_no'], {
  height: integer(),
  change_no: integer(),
  from_text: nullable(text()),
  to_text: nullable(text()),
  salt: text(),
});
export type PrivateChangeRow = RowOf<typeof PRIVATE_CHANGES>;

/** Blocks whose private values were erased, each with a block that says so. */
export const ERASED_HEIGHTS = storedTable('erased_heights', ['height', 'erasure_height'], {
  height: integer(),
  erasure_height: integer(),
});

/** Private values of a decision, each with a commitment of its own. */
export const PRIVATE_DECISIONS = storedTable('private_decisions', ['height', 'name'], {
  height: integer(),
  /** Under which the block commits to it. */
  name: text(),
  value: text(),
  salt: text(),
});
export type PrivateDecisionRow = RowOf<typeof PRIVATE_DECISIONS>;

/** Each row opens the commitment to one recipient of a recall case. Ids are those of notifications. */
export const PRIVATE_RECIPIENTS = storedTable('private_recipients', ['notification_id'], {
  notification_id: integer(),
  audience: text(),
  recipient: text(),
  salt: text(),
});
export type PrivateRecipientRow = RowOf<typeof PRIVATE_RECIPIENTS>;
