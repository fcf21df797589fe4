// The tables of the log over the chain. The order of columns is that of the schema, which
// schema.test.ts compares.
import { bytes, integer, nullable, storedTable, text } from '@lothub/kit/rows/stored-table';
import type { RowOf } from '@lothub/kit/rows/stored-table';

/** Complete tiles of the tree, derived from the blocks. */
export const LOG_TILES = storedTable('log_tiles', ['level', 'tile'], {
  level: integer(),
  tile: integer(),
  /** Root of the subtree over the hashes. */
  root: bytes(),
  /** 256 hashes of 32 bytes. */
  hashes: bytes(),
});
export type LogTileRow = RowOf<typeof LOG_TILES>;

/** The name of the log, and the keys that sign for it. */
export const LOG_EPOCHS = storedTable('log_epochs', ['epoch'], {
  epoch: integer(),
  origin: text(),
  /** One vkey on each line, the current one first. */
  vkeys: text(),
  begun_at: text(),
  /** Keys that signed under this name before. */
  retired_vkeys: nullable(text()),
  /** The signed note that it began with; null of the first. */
  statement: nullable(text()),
  /** A tree that was signed, noted now and then. */
  signed_size: nullable(integer()),
  signed_root: nullable(bytes()),
  /** Null for the current log. */
  ended_at: nullable(text()),
  /** Its last checkpoint; null when its key was lost. */
  last_note: nullable(text()),
  /** Size of the largest tree that the next log shares. */
  common_size: nullable(integer()),
  /** The checkpoint of that tree; null as `last_note`. */
  common_note: nullable(text()),
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

/** The size of the tree that each witness has cosigned, and its last answer. */
export const LOG_WITNESSES = storedTable('log_witnesses', ['epoch', 'vkey'], {
  epoch: integer(),
  vkey: text(),
  size: integer(),
  cosigned_at: nullable(text()),
  /** The kind of its last answer; null before the first. */
  answer: nullable(text()),
  /** Since when it answers so. */
  answered_at: nullable(text()),
});
export type LogWitnessRow = RowOf<typeof LOG_WITNESSES>;

/** Time stamps on checkpoints (RFC 3161). */
export const LOG_TIMESTAMPS = storedTable('log_timestamps', ['epoch', 'size'], {
  epoch: integer(),
  size: integer(),
  /** The stamped bytes: the whole signed note. */
  note: text(),
  /** The reply as the service sent it. */
  reply: bytes(),
  /** Host of the service. */
  service: text(),
  stamped_at: text(),
});
export type LogTimestampRow = RowOf<typeof LOG_TIMESTAMPS>;
