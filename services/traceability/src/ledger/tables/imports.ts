// The tables of imported files and of the mappings of their columns. The order of columns is that of the schema,
// which schema.test.ts compares.
import { integer, left, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';

/**
 * `open`: its columns wait to be mapped. `stopped`: a part may be stored, and importing again completes it.
 * `failed`: nothing is stored. `removed`: its file is gone and was not imported.
 */
export const IMPORT_STATES = [
  'open',
  'checking',
  'checked',
  'importing',
  'imported',
  'stopped',
  'failed',
  'removed',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORTS = storedTable('imports', ['import_id'], {
  import_id: text(),
  tenant_id: text(),
  origin: text<'page' | 'api'>(),
  actor: text(),
  file_name: nullable(text()),
  file_kind: text<'csv' | 'xlsx'>(),
  file_bytes: nullable(integer()),
  folder_id: nullable(text()),
  machine: nullable(text()),
  state: text<ImportState>(),
  created_at: text(),
  changed_at: text(),
  row_count: nullable(integer()),
  event_count: nullable(integer()),
  accepted: nullable(integer()),
  duplicates: nullable(integer()),
  rejected: nullable(integer()),
  done_count: left(nullable(integer())),
  report: nullable(text()),
});
export type ImportRow = RowOf<typeof IMPORTS>;

export const IMPORT_MAPPINGS = storedTable('import_mappings', ['tenant_id', 'headers'], {
  tenant_id: text(),
  headers: text(),
  mapping: text(),
  actor: text(),
  saved_at: text(),
});
