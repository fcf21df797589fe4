/**
 * The chain: canonical text, sealing and verification.
 *
 * Nothing here reads a clock, a disk, a network or the environment, and nothing depends on a
 * package or on Node, so an auditor or a browser can run it alone. The format is frozen in
 * docs/chain-format.md; vectors/ holds chains that every verifier must judge alike.
 */
export { canonicalize, jsonString, toCanonicalText } from './canonical.ts';
export type { JsonObject, JsonValue } from './canonical.ts';
export {
  BEFORE_GENESIS,
  GENESIS_PREV_HASH,
  isJsonObject,
  parseBlock,
  payloadText,
  sealBlock,
} from './block.ts';
export type {
  ChainPosition,
  ParsedBlock,
  SealedBlock,
  StoredBlock,
  UnsealedBlock,
} from './block.ts';
export { Disclosures, findCaseDecision, opensParts } from './confidential.ts';
export type { CaseDecision, DisclosedParts, DisclosureFault } from './confidential.ts';
export { computeCommitment } from './commitment.ts';
export type { Disclosure } from './commitment.ts';
export { ChainError } from './chain-error.ts';
export type { ChainErrorCode } from './chain-error.ts';
export { isSha256Hex, sha256, sha256Hex } from './sha256.ts';
export type { HashText } from './sha256.ts';
export { ChainVerifier, verifyBlock, verifyContents } from './verify.ts';
export type { ChainFault, ChainFaultCode, VerificationDepth } from './verify.ts';
export type { PayloadFinding } from './payload.ts';
