// The tables of the log over the chain. The order of columns is that of the schema, which
// schema.test.ts compares.
import { bytes, integer, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';

/** Complete tiles of the tree, derived from the blocks. */
export const LOG_TILES = storedTable('log_tiles', ['level', 'tile'], {
  level: integer(),
  tile: integer(),
  /** Of the subtree over the hashes. */
  root: bytes(),
  /** 256 hashes of 32 bytes. */
  hashes: bytes(),
});
export type LogTileRow = RowOf<typeof LOG_TILES>;

/** What the log is called, and who signs for it. */
export const LOG_EPOCHS = storedTable('log_epochs', ['epoch'], {
  epoch: integer(),
  origin: text(),
  /** One vkey a line, the current one first. */
  vkeys: text(),
  begun_at: text(),
});
export type LogEpochRow = RowOf<typeof LOG_EPOCHS>;
