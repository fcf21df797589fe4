// What crosses the thread between the service and the writer on SQLite; plain values only.
import type { ChangeOutcome } from '@lothub/kit/writer/planned-change';
import type { ChangeJob, WriteJob } from '@lothub/kit/sqlite/statement-jobs';
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type { PostAnswers, PostJob } from '../jobs.ts';

export interface SqliteWriterData {
  readonly file: string;
  /** The database of people, which is attached for reading. */
  readonly people: string;
}

/** Overwrites what was taken away; outside of any transaction. */
export interface SettleJob {
  readonly kind: 'settle';
}

export type StoreJob = PostJob | WriteJob | ChangeJob | SettleJob;

/** What the writer answers to a job, by the kind of the job. */
export interface StoreAnswers extends PostAnswers {
  /** Rows of each statement, in order. */
  readonly write: readonly (readonly unknown[])[];
  readonly change: ChangeOutcome;
  /** False when it is to be tried again. */
  readonly settle: boolean;
}

export type StoreAnswer = AnswerOf<StoreAnswers>;
