// Commitments to private values: SHA-256 over the canonical JSON of the values and a fresh salt.
// The chain carries the commitment; values and salt can be erased without breaking a hash.
import { canonicalize } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type {
  PrivateChangeRow,
  PrivateLineRow,
  PrivateNotesRow,
  PrivateRequestRow,
} from '../tables/private.ts';
import { PRIVATE_LINE_NAMES } from './fields.ts';
import type { ChainLine } from './payload.ts';

/** Private values in the form of their rows, without the height of the block. */
export type PrivateLine = Omit<PrivateLineRow, 'height'>;
export type PrivateNotes = Omit<PrivateNotesRow, 'height'>;
export type PrivateRequest = Omit<PrivateRequestRow, 'height'>;
/** The private value that one change of a correction replaces; null when there is none. */
export type PrivateChange = Omit<PrivateChangeRow, 'height'>;

/**
 * SHA-256 hex over `{"channel":…,"customer_ref":…,"salt":…}`, of a delivery over
 * `{"consignee_ref":…,"salt":…}`; a value not sent is absent.
 */
export function lineCommitment(line: Omit<PrivateLine, 'line_no'>): string {
  const members: Record<string, string> = { salt: line.salt };
  for (const name of PRIVATE_LINE_NAMES) {
    const text = line[name];
    if (text !== null) members[name] = text;
  }
  return sha256Hex(canonicalize(members));
}

/** The commitment that a line carries: to the consignee of a delivery, or to what a sale keeps. */
export function commitmentOfLine(
  line: Pick<ChainLine, 'consignee' | 'private'> | undefined,
): string | undefined {
  return line?.consignee ?? line?.private;
}

/** SHA-256 hex over `{"notes":…,"salt":…}`. */
export function notesCommitment(notes: PrivateNotes): string {
  return sha256Hex(canonicalize({ notes: notes.notes, salt: notes.salt }));
}

/** SHA-256 hex over `{"requested_by":…,"salt":…}`. */
export function requestCommitment(request: PrivateRequest): string {
  return sha256Hex(canonicalize({ requested_by: request.requested_by, salt: request.salt }));
}

/** SHA-256 hex over `{"from":…,"salt":…,"to":…}`; a missing value has no member. */
export function changeCommitment(change: Omit<PrivateChange, 'change_no'>): string {
  return sha256Hex(
    canonicalize({
      ...(change.from_text === null ? {} : { from: change.from_text }),
      salt: change.salt,
      ...(change.to_text === null ? {} : { to: change.to_text }),
    }),
  );
}
