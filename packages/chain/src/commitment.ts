/**
 * Commitments: how the chain proves private values without holding them.
 *
 * A payload carries the SHA-256 of the values together with a random salt. A reader who has the values
 * and the salt can recompute it; others learn nothing, and once values and salt are erased
 * nobody does.
 */
import { canonicalize, type JsonObject } from './canonical.ts';
import { ChainError } from './chain-error.ts';
import { isSha256Hex, type HashText } from './sha256.ts';

/** What opens one commitment. */
export interface Disclosure {
  /** The private values by name, absent ones left out; must not have a member named `salt`. */
  readonly values: JsonObject;
  /** 256 random bits as 64 lower-case hex digits, fresh for every commitment. */
  readonly salt: string;
}

/**
 * The commitment of a disclosure: 64 lower-case hex digits.
 *
 * @throws {ChainError} `salt_invalid` when the salt is not 64 lower-case hex digits or the values
 *   have a member of that name; besides what {@link canonicalize} throws
 */
export function computeCommitment(disclosure: Disclosure, hash: HashText): string {
  const { values, salt } = disclosure;
  if (!isSha256Hex(salt)) {
    throw new ChainError('salt_invalid', 'A salt is 256 random bits as 64 lower-case hex digits.');
  }
  if (Object.hasOwn(values, 'salt')) {
    throw new ChainError('salt_invalid', 'A private value cannot be named "salt".');
  }
  return hash(canonicalize({ ...values, salt }));
}
