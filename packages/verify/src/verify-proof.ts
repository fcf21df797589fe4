/** Verifies a `.tlog-proof`: that one block is in the tree of a signed checkpoint. */
import type { Believed, Report } from './judge-evidence.ts';
import { judgeProofWith, type ProofSubject } from './judge-proof.ts';
import { compareWithKept } from './kept.ts';

/**
 * Takes the same steps as `verifyEvidence`, for one block.
 *
 * Without a text and a hash the proof's `extra` counts as the text of the block: it is hashed like
 * any other, so nothing is believed of it.
 *
 * @throws as `verifyEvidence` does, and a TypeError when `blockHash` is no hash
 */
export async function verifyProof(
  given: Believed & { readonly proof: string | Uint8Array } & ProofSubject,
): Promise<Report> {
  return await judgeProofWith(given, compareWithKept);
}
