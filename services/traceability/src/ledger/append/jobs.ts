// The jobs that take the head, and how a group of them is applied: one after the other, in the
// transaction of the group, each answered with the tip that the whole group leaves.
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type {
  AppendAnswer,
  CorrectionAnswer,
  CorrectionSubmission,
  Submission,
  Tip,
} from '../draft.ts';
import type { SignedGroup } from '../log/signed-group.ts';
import type { Appender } from './appender.ts';

/** Plain values only: a job crosses a thread. */
export type HeadJob =
  | { readonly kind: 'append'; readonly submission: Submission }
  | { readonly kind: 'correct'; readonly submission: CorrectionSubmission };

/** The answers to jobs, by the kind of the job. */
export interface HeadAnswers {
  readonly append: AppendAnswer;
  readonly correct: CorrectionAnswer;
}

export type HeadAnswer = AnswerOf<HeadAnswers>;

/** Weight of a correction in events of a group: its lots are recounted from their lines. */
const CORRECTION_WEIGHT = 20;

/** Returns the share of a group that a job takes; an event weighs one. */
export function weighJob(job: HeadJob): number {
  switch (job.kind) {
    case 'append':
      return Math.max(1, job.submission.drafts.length);
    case 'correct':
      return CORRECTION_WEIGHT * job.submission.corrections.length;
  }
}

/**
 * Does one job of a group.
 * @returns a function that makes the answer from the group's last block; the answer of the log is
 * added after the commit
 */
export function applyJob(appender: Appender, job: HeadJob): (tip: Tip) => HeadAnswer {
  switch (job.kind) {
    case 'append': {
      const { outcomes } = appender.append(job.submission);
      return (tip) => ({ kind: 'append', answer: { outcomes, tip, log: undefined } });
    }
    case 'correct': {
      const outcomes = appender.correct(job.submission);
      return (tip) => ({ kind: 'correct', answer: { outcomes, tip, log: undefined } });
    }
  }
}

/** Puts into the answer to a job what the log says of its group, once that is on disk and signed. */
export function withLog(job: HeadJob, given: HeadAnswer, signed: SignedGroup): HeadAnswer {
  switch (given.kind) {
    case 'append': {
      const wantsProofs = job.kind === 'append' && job.submission.wantsProofs === true;
      return { kind: 'append', answer: appendedWithLog(given.answer, { wantsProofs, signed }) };
    }
    case 'correct': {
      const wantsProofs = job.kind === 'correct' && job.submission.wantsProofs === true;
      return { kind: 'correct', answer: appendedWithLog(given.answer, { wantsProofs, signed }) };
    }
  }
}

/** @param wantsProofs of each block that was appended */
function appendedWithLog<Answer extends AppendAnswer | CorrectionAnswer>(
  answer: Answer,
  { wantsProofs, signed }: { readonly wantsProofs: boolean; readonly signed: SignedGroup },
): Answer {
  const heights = wantsProofs
    ? answer.outcomes.flatMap((one) => (one.kind === 'appended' ? [one.height] : []))
    : [];
  const proofs = heights.map((height) => signed.buildProof(height));
  return { ...answer, log: { checkpoint: signed.checkpoint, proofs } };
}
