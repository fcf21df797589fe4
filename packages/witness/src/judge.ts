/** Whether a witness may cosign a checkpoint: the rules of c2sp.org/tlog-witness, in their order. */
import { SIGNATURE_BYTES, signatureLine, utf8, verifyConsistency } from '@lothub/chain/log';
import type { Checkpoint, HashBytes } from '@lothub/chain/log';
import type { AddCheckpoint } from './add-checkpoint.ts';

/** A tree that was cosigned; before the first one the empty tree. */
export interface CosignedTree {
  readonly size: number;
  readonly root: Uint8Array;
}

/** A key that checkpoints of a log are judged by. */
export interface LogKey {
  readonly name: string;
  /** Eight lower-case hex digits. */
  readonly keyId: string;
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

export type Signing =
  /** The lines that known keys signed, each with its line feed. */
  { readonly kind: 'signed'; readonly lines: readonly string[] } | { readonly kind: 'unsigned' };

export type Growth =
  | { readonly kind: 'grown' }
  /** The old size is larger than the tree. */
  | { readonly kind: 'old_too_large' }
  /** The old size is not that of the tree that was cosigned last. */
  | { readonly kind: 'size_differs' }
  /** The tree is not grown from the one that was cosigned last, or the proof does not show it. */
  | { readonly kind: 'inconsistent' };

/**
 * Whether a log signed its checkpoint. Lines of unknown keys are skipped; one wrong signature of a known
 * key refuses all of it, because such a note is malformed (c2sp.org/signed-note, "Signatures").
 */
export function judgeSignatures(checkpoint: Checkpoint, keys: readonly LogKey[]): Signing {
  const message = utf8(checkpoint.body);
  const lines: string[] = [];
  for (const line of checkpoint.signatures) {
    const key = keys.find(({ name, keyId }) => name === line.name && keyId === line.keyId);
    if (key === undefined) continue;
    const { signature } = line;
    if (signature.length !== SIGNATURE_BYTES || !key.verify(message, signature)) {
      return { kind: 'unsigned' };
    }
    lines.push(signatureLine(line));
  }
  return lines.length === 0 ? { kind: 'unsigned' } : { kind: 'signed', lines };
}

/** Whether the tree of a request is grown from the one that was cosigned last. */
export function judgeGrowth(
  { oldSize, proof, checkpoint }: AddCheckpoint,
  { cosigned, hash }: { readonly cosigned: CosignedTree; readonly hash: HashBytes },
): Growth {
  if (oldSize > checkpoint.size) return { kind: 'old_too_large' };
  if (oldSize !== cosigned.size) return { kind: 'size_differs' };
  const isGrown = verifyConsistency({
    from: cosigned.size,
    to: checkpoint.size,
    fromRoot: cosigned.root,
    toRoot: checkpoint.root,
    proof,
    hash,
  });
  return { kind: isGrown ? 'grown' : 'inconsistent' };
}
