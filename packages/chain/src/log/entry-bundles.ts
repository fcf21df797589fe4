/** Entry bundles (c2sp.org/tlog-tiles, "Log entries"): 1 to 256 entries, each behind its length. */
import { LogError } from './log-error.ts';
import { TILE_WIDTH } from './tiles.ts';
import { HASH_BYTES } from './tree.ts';

/** Bytes of the big-endian length before each entry. */
const LENGTH_BYTES = 2;
/** Every entry of this log is a block hash. */
export const BUNDLED_ENTRY_BYTES = LENGTH_BYTES + HASH_BYTES;

/**
 * A bundle of block hashes.
 *
 * @throws {LogError} `tile_invalid` when one of them is not 32 bytes, or they are none or too many
 */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (
    entries.length < 1 ||
    entries.length > TILE_WIDTH ||
    entries.some((entry) => entry.length !== HASH_BYTES)
  ) {
    throw new LogError('tile_invalid', 'An entry bundle holds 1 to 256 entries of 32 bytes.');
  }
  const bytes = new Uint8Array(entries.length * BUNDLED_ENTRY_BYTES);
  entries.forEach((entry, index) => {
    bytes[index * BUNDLED_ENTRY_BYTES + 1] = HASH_BYTES;
    bytes.set(entry, index * BUNDLED_ENTRY_BYTES + LENGTH_BYTES);
  });
  return bytes;
}

/**
 * The block hashes of a bundle.
 *
 * @throws {LogError} `tile_invalid` when it is not a bundle of this log
 */
export function parseEntryBundle(bytes: Uint8Array): readonly Uint8Array[] {
  const width = bytes.length / BUNDLED_ENTRY_BYTES;
  const entries = Array.from({ length: Math.floor(width) }, (_, index) =>
    bytes.subarray(index * BUNDLED_ENTRY_BYTES, (index + 1) * BUNDLED_ENTRY_BYTES),
  );
  if (
    !Number.isInteger(width) ||
    width < 1 ||
    width > TILE_WIDTH ||
    entries.some((entry) => entry[0] !== 0 || entry[1] !== HASH_BYTES)
  ) {
    throw new LogError('tile_invalid', 'The bytes are not 1 to 256 entries of 32 bytes.');
  }
  return entries.map((entry) => entry.subarray(LENGTH_BYTES));
}
