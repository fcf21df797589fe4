/** Verifies an evidence file of a lot, without the hub that made it. */
import { judgeEvidenceWith, type Believed, type EvidenceReport } from './judge-evidence.ts';
import { compareWithKept } from './kept.ts';

/**
 * Takes the steps of docs/chain-format.md#verifying-a-proof, and stops at the first that fails.
 *
 * @throws {LogError} `policy_invalid` when the policy is none, {@link KeptUnreadable} when what is
 *   kept is not, {@link SignaturesUnsupported} when signatures cannot be checked here
 */
export async function verifyEvidence(
  given: Believed & { readonly file: string | Uint8Array },
): Promise<EvidenceReport> {
  return await judgeEvidenceWith(given, compareWithKept);
}
