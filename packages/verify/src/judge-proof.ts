/** Judges a `.tlog-proof`, and compares it with kept checkpoints by whatever compares them. */
import { sha256 } from '@lothub/chain';
import { LogError, parseTlogProof, textOfUtf8, type ParsedTlogProof } from '@lothub/chain/log';
import { judgeHash, judgeText, type Tree } from './blocks.ts';
import { findLostEntries, followEpochs, lostText } from './epochs.ts';
import { judgeHead, readPolicy } from './signed-head.ts';
import { verifyEd25519 } from './signatures.ts';
import type { Believed, BelievedAlone, CompareKept, Report } from './judge-evidence.ts';
import { KeptRefusal, Refusal, sentenceOf, type ProvenBlock, type Step } from './verdict.ts';

/** What the proof is to be about: the text of a block, its hash, or the text that the file carries. */
export type ProofSubject =
  | { readonly canonical: string; readonly blockHash?: never }
  | { readonly blockHash: string; readonly canonical?: never }
  | { readonly canonical?: never; readonly blockHash?: never };

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** As `verifyProof`, for pages that keep no checkpoints and need not load what compares them. */
export async function judgeProof(
  given: BelievedAlone & { readonly proof: string | Uint8Array } & ProofSubject,
): Promise<Report> {
  return await judgeProofWith(given, undefined);
}

/** @param compareKept undefined: nothing is kept and nothing compared; throws as `verifyProof` does */
export async function judgeProofWith(
  given: Believed & { readonly proof: string | Uint8Array } & ProofSubject,
  compareKept: CompareKept | undefined,
): Promise<Report> {
  if (given.blockHash !== undefined && !SHA256_HEX.test(given.blockHash)) {
    throw new TypeError('A block hash is 64 lower-case hex digits.');
  }
  const believedIn = { policy: readPolicy(given.policy), verify: given.verify ?? verifyEd25519 };
  const hash = given.hash ?? sha256;
  const steps: Step[] = [];
  const blocks: ProvenBlock[] = [];
  let at: Step['name'] = 'file';
  try {
    const parsed = read(given.proof);
    const { head, index, checkpoint } = parsed;
    steps.push({ name: 'file', isGood: true, text: `The file is about block ${index}.` });
    at = 'epochs';
    const {
      trust,
      statements,
      steps: followed,
    } = await followEpochs(given.epochs ?? [], believedIn);
    steps.push(...followed);
    at = 'log';
    const believed = await judgeHead(head, trust);
    steps.push(...believed.steps);
    at = 'blocks';
    const block = judge(given, parsed, { head, hash });
    blocks.push(block);
    steps.push({
      name: 'blocks',
      isGood: true,
      text: `Block ${index} with the hash ${block.blockHash} is in this tree. Contents ${block.contents}.`,
    });
    const gone = findLostEntries(head, { statements, last: index });
    if (gone !== undefined) steps.push({ name: 'epochs', isGood: true, text: lostText(gone) });
    at = 'kept';
    const { kept, readConsistency } = given;
    const compared =
      kept === undefined || compareKept === undefined
        ? undefined
        : await compareKept(
            { note: checkpoint, head, isNewest: false },
            {
              kept,
              trust,
              hash,
              statements,
              ...(readConsistency === undefined ? {} : { readConsistency }),
            },
          );
    if (compared !== undefined) steps.push(compared.step);
    const { outcome } = believed;
    const lost = gone ?? compared?.lost;
    const report = {
      outcome,
      sentence: sentenceOf(outcome),
      steps,
      blocks,
      ...(lost === undefined ? {} : { lost }),
    };
    return compared === undefined ? report : { ...report, kept: compared.kept };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message: reason } = error;
    const outcome = { verdict: 'refused', code, reason } as const;
    steps.push({ name: code === 'no_quorum' ? 'witnesses' : at, isGood: false, text: reason });
    const report = { outcome, sentence: sentenceOf(outcome), steps, blocks };
    return error instanceof KeptRefusal
      ? { ...report, contradiction: error.contradiction }
      : report;
  }
}

function judge(subject: ProofSubject, parsed: ParsedTlogProof, tree: Tree): ProvenBlock {
  const { index, proof, extra } = parsed;
  if (subject.blockHash !== undefined) {
    return judgeHash({ index, proof, blockHash: subject.blockHash }, tree);
  }
  const canonical = subject.canonical ?? textOfExtra(extra);
  const { blockHash, contents } = judgeText({ index, proof, canonical }, tree);
  return { index, blockHash, contents };
}

function textOfExtra(extra: Uint8Array | undefined): string {
  if (extra === undefined) {
    throw new Refusal(
      'malformed',
      'The proof carries no text of a block, and none was given with it: give the text or the hash.',
    );
  }
  return decoded(extra);
}

function read(proof: string | Uint8Array): ParsedTlogProof {
  const text = typeof proof === 'string' ? proof : decoded(proof);
  try {
    return parseTlogProof(text);
  } catch (error) {
    if (error instanceof LogError) throw new Refusal('malformed', error.message, { cause: error });
    throw error;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return textOfUtf8(bytes);
  } catch (cause) {
    throw new Refusal('malformed', 'The proof file is not UTF-8.', { cause });
  }
}
