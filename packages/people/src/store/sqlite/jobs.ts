// What crosses the thread between people and the writer on SQLite; plain values only.
import type { ChangeJob, WriteJob } from '@lothub/kit/sqlite/statement-jobs';
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type { ChangeOutcome } from '@lothub/kit/writer/planned-change';

export interface SqliteWriterData {
  readonly file: string;
}

export type StoreJob = WriteJob | ChangeJob;

/** What the writer answers to a job, by the kind of the job. */
export interface StoreAnswers {
  /** Rows of each statement, in order. */
  readonly write: readonly (readonly unknown[])[];
  readonly change: ChangeOutcome;
}

export type StoreAnswer = AnswerOf<StoreAnswers>;
