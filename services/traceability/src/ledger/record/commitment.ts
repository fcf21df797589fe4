// Commitments to private values: SHA-256 over the canonical JSON of the values and a fresh salt.
// The chain carries the commitment; values and salt can be erased without breaking a hash.
import { canonicalize } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PRIVATE_LINE_NAMES } from './fields.ts';
import type { PrivateLineName } from './fields.ts';

export interface PrivateLine {
  readonly lineNo: number;
  readonly customerRef: string | null;
  readonly channel: string | null;
  readonly salt: string;
}

export interface PrivateNotes {
  readonly notes: string;
  readonly salt: string;
}

/** SHA-256 hex over `{"channel":…,"customer_ref":…,"salt":…}`; a value not sent is absent. */
export function lineCommitment(line: Omit<PrivateLine, 'lineNo'>): string {
  const values: Readonly<Record<PrivateLineName, string | null>> = {
    customer_ref: line.customerRef,
    channel: line.channel,
  };
  const members: Record<string, string> = { salt: line.salt };
  for (const name of PRIVATE_LINE_NAMES) {
    const text = values[name];
    if (text !== null) members[name] = text;
  }
  return sha256Hex(canonicalize(members));
}

/** SHA-256 hex over `{"notes":…,"salt":…}`. */
export function notesCommitment(notes: PrivateNotes): string {
  return sha256Hex(canonicalize({ notes: notes.notes, salt: notes.salt }));
}

export interface PrivateRequest {
  readonly requestedBy: string;
  readonly salt: string;
}

/** SHA-256 hex over `{"requested_by":…,"salt":…}`. */
export function requestCommitment(request: PrivateRequest): string {
  return sha256Hex(canonicalize({ requested_by: request.requestedBy, salt: request.salt }));
}

/** The private values that one change of a correction replaces; null when there is none. */
export interface PrivateChange {
  readonly changeNo: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly salt: string;
}

/** SHA-256 hex over `{"from":…,"salt":…,"to":…}`; a value that is not there is absent. */
export function changeCommitment(change: Omit<PrivateChange, 'changeNo'>): string {
  return sha256Hex(
    canonicalize({
      ...(change.from === null ? {} : { from: change.from }),
      salt: change.salt,
      ...(change.to === null ? {} : { to: change.to }),
    }),
  );
}
