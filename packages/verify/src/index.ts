/**
 * Verifies what a Lothub hub proves, without the hub: evidence files of lots and proof files of
 * blocks, by a policy of the reader's own (docs/chain-format.md#verifying-a-proof).
 *
 * Runs in browsers and in Node, from plain ES modules and without a dependency. Nothing is fetched,
 * read or written here: files, policy and kept checkpoints are arguments.
 */
export {
  EVIDENCE_BLOCKS_MAX,
  EVIDENCE_BYTES_MAX,
  EVIDENCE_FORMAT,
  parseEvidence,
} from './evidence-file.ts';
export type { Evidence, EvidenceBlock } from './evidence-file.ts';
export { followEpochs, newestAfter, sharedWith } from './epochs.ts';
export type { FollowedEpochs, LostEntries } from './epochs.ts';
export { compareWithKept, keptText, KeptUnreadable, parseKept } from './kept.ts';
export type { Comparison, Kept, ReadConsistency } from './kept.ts';
export { namesLot } from './lot.ts';
export { instantOf, judgeHead, readPolicy } from './signed-head.ts';
export type { Trust } from './signed-head.ts';
export { SignaturesUnsupported, verifyEd25519 } from './signatures.ts';
export { KeptRefusal, Refusal, sentenceOf } from './verdict.ts';
export type {
  Contradiction,
  Outcome,
  ProvenBlock,
  RefusalCode,
  Step,
  StepName,
  WitnessCount,
} from './verdict.ts';
export { consistencyFromTiles, verifyCheckpoint } from './verify-checkpoint.ts';
export { verifyEvidence } from './verify-evidence.ts';
export { judgeEvidence } from './judge-evidence.ts';
export type { Believed, BelievedAlone, EvidenceReport, Report } from './judge-evidence.ts';
export { verifyProof } from './verify-proof.ts';
export { judgeProof } from './judge-proof.ts';
export type { ProofSubject } from './judge-proof.ts';
