// The state of a key in entries of the audit: its whole row when it is issued, and then its
// changes. An entry contains only a hash of the stored hash, so that no key can be looked up by it.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { namesWithout } from '@lothub/kit/rows/stored-table';
import { API_KEYS, type KeyLimit } from '../tables/off-chain.ts';

/** Columns that an entry contains unchanged; the label and the rest are no secrets. */
export const STATE_NAMES = namesWithout(API_KEYS, ['key_id', 'key_hash']);
/** SHA-256 hex of `key_hash`. */
export const KEY_DIGEST = 'key_hash_sha256';

/** The values of keys whose entries are older than the column, and so do not contain it. */
export const STATE_BEFORE: Readonly<Partial<Record<(typeof STATE_NAMES)[number], string>>> = {
  limited_to: 'all' satisfies KeyLimit,
};

export type KeyState = Readonly<Record<string, string | null>>;

/** @param row of `api_keys`; somebody may have changed it in the database */
export function buildKeyState(
  row: Readonly<Record<(typeof STATE_NAMES)[number] | 'key_hash', string | null>>,
): KeyState {
  const stated = Object.fromEntries(STATE_NAMES.map((name) => [name, row[name]]));
  return { ...stated, [KEY_DIGEST]: sha256Hex(String(row.key_hash)) };
}
