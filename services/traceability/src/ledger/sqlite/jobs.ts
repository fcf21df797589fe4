// Messages between the threads of the service and of the ledger's writer; plain values only.
import type { ChangeJob, StatementJob, WriteJob } from '@lothub/kit/sqlite/statement-jobs';
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type { BlockDraft, DecidedOutcome } from '../decisions/draft.ts';
import type { LogWriterData } from '../log/writer-log.ts';
import type { HeadAnswers, HeadJob } from '../append/jobs.ts';

export interface LedgerWriterData {
  readonly file: string;
  readonly dataDir: string;
  readonly hubName: string;
  /** Memory of the `ClockTrust` that both threads share. */
  readonly clockTrust: SharedArrayBuffer;
  /** Undefined when the log is off. */
  readonly log: LogWriterData | undefined;
}

/** The blocks of decisions come behind the guard; with none it is a change beside the chain. */
export interface DecideJob extends ChangeJob {
  readonly decisions: readonly BlockDraft[];
}

export type LedgerJob =
  | HeadJob
  /** Small writes beside the chain (keys, brands), all or none, in their order. */
  | WriteJob
  /** The same, unless the guard answers no row. */
  | DecideJob
  /** As `write`; a `settle` afterwards removes the deleted rows from the file. */
  | {
      readonly kind: 'erase';
      readonly decisions: readonly BlockDraft[];
      readonly statements: readonly StatementJob[];
    }
  /** Outside of any transaction. */
  | { readonly kind: 'settle' };

/** The writer's answers to jobs, by the kind of the job. */
export interface LedgerAnswers extends HeadAnswers {
  /** Rows of each statement, in order. */
  readonly write: readonly (readonly unknown[])[];
  readonly change: DecidedOutcome;
  readonly erase: readonly (readonly unknown[])[];
  /** False when a reader holds a state that is only in the log. */
  readonly settle: boolean;
}

export type LedgerAnswer = AnswerOf<LedgerAnswers>;
