// What crosses the thread between the service and the ledger's writer; plain values only.
import type { SqlValue } from '@lothub/kit/database';
import type {
  AppendAnswer,
  CorrectionOutcome,
  CorrectionSubmission,
  HoldChange,
  HoldOutcome,
  Submission,
} from '../draft.ts';

export interface LedgerWriterData {
  readonly file: string;
  readonly dataDir: string;
  readonly hubName: string;
}

export interface StatementJob {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export type LedgerJob =
  | { readonly kind: 'append'; readonly submission: Submission }
  | { readonly kind: 'correct'; readonly submission: CorrectionSubmission }
  | { readonly kind: 'hold'; readonly change: HoldChange }
  /** Small writes beside the chain (keys, brands), all or none, in their order. */
  | { readonly kind: 'write'; readonly statements: readonly StatementJob[] };

/** What the writer answers to a job, by the kind of the job. */
export interface LedgerAnswers {
  readonly append: AppendAnswer;
  readonly correct: CorrectionOutcome;
  readonly hold: HoldOutcome;
  /** Rows of each statement, in order. */
  readonly write: readonly (readonly unknown[])[];
}

export type LedgerAnswer = {
  readonly [Kind in keyof LedgerAnswers]: {
    readonly kind: Kind;
    readonly answer: LedgerAnswers[Kind];
  };
}[keyof LedgerAnswers];
