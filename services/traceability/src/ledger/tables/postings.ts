// The table of who posted events. The order of columns is that of the schema, which schema.test.ts compares.
import { integer, nullable, storedTable, text, type RowOf } from '@lothub/kit/rows/stored-table';
import type { Came } from '../draft.ts';

export const POSTINGS = storedTable('postings', ['first_height'], {
  first_height: integer(),
  last_height: integer(),
  actor: text(),
  came: text<Came>(),
  warnings: nullable(text()),
});
export type PostingRow = RowOf<typeof POSTINGS>;

/**
 * A person who cut off the end of the chain may have left its rows: they are replaced, and do not
 * refuse new events.
 */
export const REPLACE_POSTING =
  'on conflict (first_height) do update set last_height = excluded.last_height, ' +
  'actor = excluded.actor, came = excluded.came, warnings = excluded.warnings';
