// What crosses the thread between the service and the ledger's writer; plain values only.
import type { ChangeOutcome } from '@lothub/kit/writer/planned-change';
import type { ChangeJob, StatementJob, WriteJob } from '@lothub/kit/sqlite/statement-jobs';
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type { LogWriterData } from '../log/writer-log.ts';
import type { HeadAnswers, HeadJob } from '../append/jobs.ts';

export interface LedgerWriterData {
  readonly file: string;
  readonly dataDir: string;
  readonly hubName: string;
  /** Of the `ClockTrust` that both threads share. */
  readonly clockTrust: SharedArrayBuffer;
  /** Undefined when the log is off. */
  readonly log: LogWriterData | undefined;
}

export type LedgerJob =
  | HeadJob
  /** Small writes beside the chain (keys, brands), all or none, in their order. */
  | WriteJob
  /** The same, unless the guard answers no row. */
  | ChangeJob
  /** As `write`; `settle` takes what it deletes out of the file. */
  | { readonly kind: 'erase'; readonly statements: readonly StatementJob[] }
  /** Outside of any transaction. */
  | { readonly kind: 'settle' };

/** What the writer answers to a job, by the kind of the job. */
export interface LedgerAnswers extends HeadAnswers {
  /** Rows of each statement, in order. */
  readonly write: readonly (readonly unknown[])[];
  readonly change: ChangeOutcome;
  readonly erase: readonly (readonly unknown[])[];
  /** False when somebody reads what stands in the log alone. */
  readonly settle: boolean;
}

export type LedgerAnswer = AnswerOf<LedgerAnswers>;
