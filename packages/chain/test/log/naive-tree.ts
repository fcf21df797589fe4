/**
 * The Merkle tree as RFC 6962 (section 2.1) writes it down: by recursion over all leaves. Slow, and
 * so plainly the text that the faster code is compared with it.
 */
import { createHash } from 'node:crypto';

export type Bytes = Uint8Array;

export const sha256Bytes = (bytes: Bytes): Bytes => createHash('sha256').update(bytes).digest();

/** MTH of entries. */
export function rootOfEntries(entries: readonly Bytes[]): Bytes {
  return rootOfLeaves(entries.map((entry) => sha256Bytes(Buffer.concat([Buffer.of(0), entry]))));
}

/** MTH, with the entries hashed already. */
export function rootOfLeaves(leaves: readonly Bytes[]): Bytes {
  const [first, ...more] = leaves;
  if (first === undefined) return sha256Bytes(Buffer.alloc(0));
  if (more.length === 0) return first;
  const split = splitOf(leaves.length);
  const left = rootOfLeaves(leaves.slice(0, split));
  const right = rootOfLeaves(leaves.slice(split));
  return sha256Bytes(Buffer.concat([Buffer.of(1), left, right]));
}

/** PATH(m, D[n]). */
export function pathOf(index: number, leaves: readonly Bytes[]): readonly Bytes[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...pathOf(index, left), rootOfLeaves(right)]
    : [...pathOf(index - split, right), rootOfLeaves(left)];
}

/** PROOF(m, D[n]), 0 < m < n. */
export function consistencyOf(from: number, leaves: readonly Bytes[]): readonly Bytes[] {
  return subproofOf(from, leaves, 'whole');
}

function subproofOf(
  from: number,
  leaves: readonly Bytes[],
  known: 'whole' | 'part',
): readonly Bytes[] {
  if (from === leaves.length) return known === 'whole' ? [] : [rootOfLeaves(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return from <= split
    ? [...subproofOf(from, left, known), rootOfLeaves(right)]
    : [...subproofOf(from - split, right, 'part'), rootOfLeaves(left)];
}

/** The largest power of two below a number. */
function splitOf(leaves: number): number {
  return 2 ** Math.floor(Math.log2(leaves - 1));
}
