// The tables of the audit and of its chain. The order of columns is that of the schema, which
// schema.test.ts compares.
import { integer, nullable, numbered, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { InsertedRowOf, RowOf } from '@lothub/kit/rows/stored-table';

export const AUDIT_ENTRIES = storedTable('audit_entries', ['id'], {
  id: numbered(),
  at: text(),
  tenant_id: nullable(text()),
  actor: text(),
  action: text(),
  entity_type: text(),
  entity_id: text(),
  block_height: nullable(integer()),
  request_id: nullable(text()),
  details: text(),
});
export type AuditRow = InsertedRowOf<typeof AUDIT_ENTRIES>;
export type StoredAuditEntry = RowOf<typeof AUDIT_ENTRIES>;

/** The place and the hash of each entry. */
export const AUDIT_CHAIN = storedTable('audit_chain', ['sequence'], {
  /** From 1, without a gap. */
  sequence: integer(),
  entry_id: integer(),
  hash: text(),
});
export type AuditChainRow = RowOf<typeof AUDIT_CHAIN>;

/** One row. */
export const AUDIT_PROGRESS = storedTable('audit_progress', ['id'], {
  id: integer<1>(),
  /** Each entry up to this id is in the chain. A smaller value does no harm: entries are read once more. */
  through: integer(),
});

/** Blocks of the type audit. */
export const AUDIT_BLOCKS = storedTable('audit_blocks', ['height'], {
  height: integer(),
  sequence: integer(),
  hash: text(),
});
export type AuditBlockRow = RowOf<typeof AUDIT_BLOCKS>;
