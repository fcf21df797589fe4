/** Verifies the checkpoint that a log shows as its newest, against the one that is kept. */
import { sha256 } from '@lothub/chain';
import { consistencyProof, LogError, parseCheckpoint, subtreesFromTiles } from '@lothub/chain/log';
import type { HashBytes, ReadTile } from '@lothub/chain/log';
import { followEpochs, newestAfter, unconfirmedText } from './epochs.ts';
import { compareWithKept, type ReadConsistency } from './kept.ts';
import { judgeHead, readPolicy } from './signed-head.ts';
import { verifyEd25519 } from './signatures.ts';
import { KeptRefusal, Refusal, sentenceOf, type Step } from './verdict.ts';
import type { Believed, Report } from './judge-evidence.ts';

/** Consistency proofs out of the tiles of a log. */
export function consistencyFromTiles(
  readTile: ReadTile,
  hash: HashBytes = sha256,
): ReadConsistency {
  return async ({ from, to }) =>
    await consistencyProof({
      from,
      to,
      subtree: subtreesFromTiles({ size: to, readTile, hash }),
      hash,
    });
}

/**
 * Judges the signatures of the checkpoint, and, when `kept` is given, that its tree continues from the
 * one that was kept. A smaller tree than the kept one is `rolled_back`.
 *
 * @throws as `verifyEvidence` does, and whatever reading a tile does
 */
export async function verifyCheckpoint(
  given: Believed & { readonly checkpoint: string },
): Promise<Report> {
  const believedIn = { policy: readPolicy(given.policy), verify: given.verify ?? verifyEd25519 };
  const { kept, readConsistency, hash = sha256, checkpoint: note } = given;
  const steps: Step[] = [];
  let at: Step['name'] = 'file';
  try {
    const head = read(note);
    at = 'epochs';
    const {
      trust,
      statements,
      steps: followed,
      unconfirmed,
    } = await followEpochs(given.epochs ?? [], believedIn);
    steps.push(...followed);
    at = 'log';
    const ended = unconfirmed.find(
      (statement) => statement.old === head.origin || statement.new === head.origin,
    );
    if (ended !== undefined) throw new Refusal('unknown_log', unconfirmedText(ended));
    if (newestAfter(head.origin, statements) !== head.origin) {
      throw new Refusal(
        'unknown_log',
        `The log ${head.origin} has ended: ask for the one that goes on.`,
      );
    }
    const { outcome, steps: believed } = await judgeHead(head, trust);
    steps.push(...believed);
    at = 'kept';
    const report = { outcome, sentence: sentenceOf(outcome), steps, blocks: [] };
    if (kept === undefined) return report;
    const compared = await compareWithKept(
      { note, head, isNewest: true },
      {
        kept,
        trust,
        hash,
        statements,
        ...(readConsistency === undefined ? {} : { readConsistency }),
      },
    );
    steps.push(compared.step);
    const { lost } = compared;
    return { ...report, kept: compared.kept, ...(lost === undefined ? {} : { lost }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message: reason } = error;
    const outcome = { verdict: 'refused', code, reason } as const;
    steps.push({ name: code === 'no_quorum' ? 'witnesses' : at, isGood: false, text: reason });
    const report = { outcome, sentence: sentenceOf(outcome), steps, blocks: [] };
    return error instanceof KeptRefusal
      ? { ...report, contradiction: error.contradiction }
      : report;
  }
}

function read(note: string): ReturnType<typeof parseCheckpoint> {
  try {
    return parseCheckpoint(note);
  } catch (error) {
    if (error instanceof LogError) throw new Refusal('malformed', error.message, { cause: error });
    throw error;
  }
}
