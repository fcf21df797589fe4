// The tables of the log over the chain. The order of columns is that of the schema, which
// schema.test.ts compares.
import { bytes, integer, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';
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

/** Checkpoints with the cosignatures that satisfied the hub's policy, as they are published. */
export const LOG_CHECKPOINTS = storedTable('log_checkpoints', ['epoch', 'size'], {
  epoch: integer(),
  size: integer(),
  root: bytes(),
  /** The whole signed note. */
  note: text(),
  published_at: text(),
});
export type LogCheckpointRow = RowOf<typeof LOG_CHECKPOINTS>;

/** How large a tree each witness has cosigned. */
export const LOG_WITNESSES = storedTable('log_witnesses', ['epoch', 'vkey'], {
  epoch: integer(),
  vkey: text(),
  size: integer(),
  cosigned_at: nullable(text()),
});
export type LogWitnessRow = RowOf<typeof LOG_WITNESSES>;
