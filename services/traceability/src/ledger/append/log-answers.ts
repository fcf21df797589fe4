// Puts what the log says of a group, once it is on disk and signed, into the answers to its jobs.
import { tlogProofText } from '@lothub/chain/log';
import type { AppendAnswer, CorrectionAnswer } from '../draft.ts';
import type { SignedGroup } from '../log/log-keeper.ts';
import type { GroupLog } from '../log/signed-log.ts';

/** @param wantsProofs of each block that was appended */
export function appendedWithLog<Answer extends AppendAnswer | CorrectionAnswer>(
  answer: Answer,
  { wantsProofs, signed }: { readonly wantsProofs: boolean; readonly signed: SignedGroup },
): Answer {
  const heights = wantsProofs
    ? answer.outcomes.flatMap((one) => (one.kind === 'appended' ? [one.height] : []))
    : [];
  return { ...answer, log: logOf(signed, heights) };
}

function logOf({ checkpoint, tree }: SignedGroup, heights: readonly number[]): GroupLog {
  return {
    checkpoint,
    proofs: heights.map((index) => ({
      index,
      text: tlogProofText({ index, proof: tree.proofOf(index), checkpoint: checkpoint.note }),
    })),
  };
}
