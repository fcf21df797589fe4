// The tables of private values, each of which opens a commitment of a block. The order of columns is
// that of the schema, which schema.test.ts compares.
import { integer, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';

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

/** Who asked for a correction. */
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

/** Private values of a decision, each with a commitment of its own. */
export const PRIVATE_DECISIONS = storedTable('private_decisions', ['height', 'name'], {
  height: integer(),
  /** Under which the block commits to it. */
  name: text(),
  value: text(),
  salt: text(),
});
export type PrivateDecisionRow = RowOf<typeof PRIVATE_DECISIONS>;
