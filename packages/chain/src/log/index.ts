/**
 * The log over the chain: a Merkle tree whose entries are the block hashes, its checkpoints, tiles,
 * proofs and policies (docs/chain-format.md#the-log).
 *
 * Nothing here reads a clock, a disk, a network or the environment, and nothing depends on a package
 * or on Node. Hashing, signing and verifying of signatures are arguments.
 */
export { bytesOfHex, concatBytes, sameBytes, strictBase64, toBase64, toHex } from './bytes.ts';
export { textOfUtf8, utf8 } from './bytes.ts';
export {
  checkpointBody,
  cosignatureBody,
  cosignatureLine,
  logSignatureLine,
  parseCheckpoint,
  parseCosignature,
  SIGNATURE_BYTES,
} from './checkpoint.ts';
export type { Checkpoint, Cosignature, TreeHead } from './checkpoint.ts';
export { BUNDLED_ENTRY_BYTES, entryBundle, parseEntryBundle } from './entry-bundles.ts';
export {
  EMPTY_MARK,
  EPOCH_REASONS,
  EPOCHS_MAX,
  epochListText,
  epochStatementBody,
  judgeEpochStatement,
  parseEpochList,
  parseEpochStatement,
} from './epoch-statement.ts';
export type {
  EpochReason,
  EpochRefusal,
  EpochStatement,
  ParsedEpochStatement,
  TreeMark,
} from './epoch-statement.ts';
export { groupProof, GroupTree } from './group-proofs.ts';
export { judgeCheckpoint } from './judge-checkpoint.ts';
export type { CheckpointRefusal, CheckpointVerdict, VerifySignature } from './judge-checkpoint.ts';
export { LogError } from './log-error.ts';
export type { LogErrorCode } from './log-error.ts';
export { NOTE_BYTES_MAX, noteText, parseNote, SIGNATURE_LINES_MAX, signatureLine } from './note.ts';
export type { Note, NoteSignature } from './note.ts';
export { parsePolicy, POLICY_BYTES_MAX } from './policy.ts';
export type { Policy, PolicyLog, PolicyWitness, Quorum } from './policy.ts';
export {
  consistencyProof,
  inclusionProof,
  PROOF_HASHES_MAX,
  verifyConsistency,
  verifyInclusion,
} from './proofs.ts';
export type { ReadSubtree } from './proofs.ts';
export { judgeQuorum, listWitnesses } from './quorum.ts';
export type { QuorumVerdict, Witnessing } from './quorum.ts';
export {
  consistencyParts,
  findParent,
  inclusionParts,
  isWholeTree,
  subtreesBetween,
} from './subtrees.ts';
export type { ProofPart, Subtree } from './subtrees.ts';
export {
  hashesOfTile,
  parseTilePath,
  placeOfSubtree,
  subtreeInTile,
  subtreesFromTiles,
  TILE_HEIGHT,
  TILE_LEVEL_MAX,
  TILE_WIDTH,
  tileIndexPath,
  tilePath,
  tileWidthAt,
} from './tiles.ts';
export type { ReadTile, SubtreePlace, Tile, TileLevel } from './tiles.ts';
export {
  EXTRA_BYTES_MAX,
  parseTlogProof,
  TLOG_PROOF_BYTES_MAX,
  tlogProofLines,
  tlogProofText,
} from './tlog-proof.ts';
export type { ParsedTlogProof, TlogProof } from './tlog-proof.ts';
export {
  appendLeaves,
  computeRoot,
  EMPTY_FRONTIER,
  foldSubtrees,
  frontierBytes,
  frontierFromBytes,
  HASH_BYTES,
  leafHash,
  nodeHash,
} from './tree.ts';
export type { Frontier, HashBytes } from './tree.ts';
export {
  formatVkey,
  isKeyName,
  KEY_NAME_BYTES_MAX,
  keyId,
  LOG_KEY_TYPE,
  parseVkey,
  PUBLIC_KEY_BYTES,
  WITNESS_KEY_TYPE,
} from './vkey.ts';
export type { KeyType, VerifierKey } from './vkey.ts';
