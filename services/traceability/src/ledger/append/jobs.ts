// The jobs that take the head, and how a group of them is applied: one after the other, in the
// transaction of the group, each answered with the tip that the whole group leaves.
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type {
  AppendAnswer,
  CorrectionOutcome,
  CorrectionSubmission,
  HoldChange,
  HoldOutcome,
  Submission,
  Tip,
} from '../draft.ts';
import type { Appender } from './appender.ts';

/** Plain values only: a job crosses a thread. */
export type HeadJob =
  | { readonly kind: 'append'; readonly submission: Submission }
  | { readonly kind: 'correct'; readonly submission: CorrectionSubmission }
  | { readonly kind: 'hold'; readonly change: HoldChange };

/** What is answered to a job, by the kind of the job. */
export interface HeadAnswers {
  readonly append: AppendAnswer;
  readonly correct: CorrectionOutcome;
  readonly hold: HoldOutcome;
}

export type HeadAnswer = AnswerOf<HeadAnswers>;

/** Of the events of a group: the lots of a correction are added up anew from their lines. */
const CORRECTION_WEIGHT = 20;

/** How much of a group a job takes up; an event weighs one. */
export function weightOf(job: HeadJob): number {
  switch (job.kind) {
    case 'append':
      return Math.max(1, job.submission.drafts.length);
    case 'correct':
      return CORRECTION_WEIGHT;
    case 'hold':
      return 1;
  }
}

/** Does one job of a group. @returns its answer, once the group's last block is known */
export function applyJob(appender: Appender, job: HeadJob): (tip: Tip) => HeadAnswer {
  switch (job.kind) {
    case 'append': {
      const { outcomes } = appender.append(job.submission);
      return (tip) => ({ kind: 'append', answer: { outcomes, tip } });
    }
    case 'correct': {
      const done = appender.correct(job.submission);
      return (tip) => ({
        kind: 'correct',
        answer: 'kind' in done ? done : { kind: 'appended', ...done, tip },
      });
    }
    case 'hold': {
      const answer = appender.changeHold(job.change);
      return () => ({ kind: 'hold', answer });
    }
  }
}
