/**
 * The Merkle tree as RFC 6962 (section 2.1) writes it down: by recursion over all leaves. Slow, and
 * so plainly the text that the faster code is compared with it.
 */
import { hash } from 'node:crypto';

export const sha256Bytes = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** MTH of entries. */
export function rootOfEntries(entries: readonly Uint8Array[]): Buffer {
  return rootOfLeaves(entries.map(leafOfEntry));
}

/** MTH, with the entries hashed already. */
export function rootOfLeaves(leaves: readonly Uint8Array[]): Buffer {
  return new NaiveTree(leaves).rootAt(leaves.length);
}

/** PATH(m, D[n]). */
export function listPath(index: number, leaves: readonly Uint8Array[]): readonly Buffer[] {
  return new NaiveTree(leaves).inclusion(index, { from: 0, below: leaves.length });
}

/** PROOF(m, D[n]), 0 < m < n. */
export function listConsistency(from: number, leaves: readonly Uint8Array[]): readonly Buffer[] {
  return new NaiveTree(leaves).consistency(from, leaves.length);
}

interface Span {
  readonly from: number;
  readonly below: number;
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => sha256Bytes(Buffer.concat(parts));

const leafOfEntry = (entry: Uint8Array): Buffer => sha256(Buffer.of(0), entry);

export class NaiveTree {
  readonly size: number;
  readonly #leaves: readonly Uint8Array[];
  readonly #hashes = new Map<string, Buffer>();

  constructor(leaves: readonly Uint8Array[]) {
    this.#leaves = leaves;
    this.size = leaves.length;
  }

  static ofEntries(entries: readonly Uint8Array[]): NaiveTree {
    return new NaiveTree(entries.map(leafOfEntry));
  }

  rootAt(size: number): Buffer {
    return size === 0 ? sha256() : this.#hash({ from: 0, below: size });
  }

  subtree({ level, index }: { readonly level: number; readonly index: number }): Buffer {
    return this.#hash({ from: index * 2 ** level, below: (index + 1) * 2 ** level });
  }

  tile(span: { readonly level: number; readonly tile: number; readonly width: number }): Buffer {
    const level = 8 * span.level;
    return Buffer.concat(
      Array.from({ length: span.width }, (_, place) =>
        this.subtree({ level, index: span.tile * 256 + place }),
      ),
    );
  }

  /** PATH(m, D[n]). */
  inclusion(index: number, { from, below }: Span): readonly Buffer[] {
    if (below - from === 1) return [];
    const middle = findMiddle({ from, below });
    return index < middle
      ? [...this.inclusion(index, { from, below: middle }), this.#hash({ from: middle, below })]
      : [...this.inclusion(index, { from: middle, below }), this.#hash({ from, below: middle })];
  }

  /** PROOF(m, D[n]). */
  consistency(from: number, to: number): readonly Buffer[] {
    return from === 0 || from === to ? [] : this.#sub(from, { from: 0, below: to }, 'known');
  }

  /** SUBPROOF(m, D[n], b). */
  #sub(size: number, { from, below }: Span, root: 'known' | 'unknown'): readonly Buffer[] {
    if (size === below) return root === 'known' ? [] : [this.#hash({ from, below })];
    const middle = findMiddle({ from, below });
    return size <= middle
      ? [...this.#sub(size, { from, below: middle }, root), this.#hash({ from: middle, below })]
      : [
          ...this.#sub(size, { from: middle, below }, 'unknown'),
          this.#hash({ from, below: middle }),
        ];
  }

  /** MTH(D[n]). */
  #hash({ from, below }: Span): Buffer {
    const name = `${from}-${below}`;
    const known = this.#hashes.get(name);
    if (known !== undefined) return known;
    const made = this.#compute({ from, below });
    this.#hashes.set(name, made);
    return made;
  }

  #compute({ from, below }: Span): Buffer {
    if (below - from === 1) return Buffer.from(this.#leaves[from]!);
    const middle = findMiddle({ from, below });
    return sha256(
      Buffer.of(1),
      this.#hash({ from, below: middle }),
      this.#hash({ from: middle, below }),
    );
  }
}

/** The largest power of two below the number of leaves. */
function findMiddle({ from, below }: Span): number {
  let half = 1;
  while (half * 2 < below - from) half *= 2;
  return from + half;
}
