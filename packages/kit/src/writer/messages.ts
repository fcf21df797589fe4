// What crosses between the thread that serves requests and its writer thread; plain values only.
import { DatabaseError, type DatabaseErrorCode } from '../database.ts';
import type { UpgradeProgress } from '../upgrade.ts';

export interface JobMessage<Job> {
  readonly id: number;
  readonly weight: number;
  /** When its caller has to be answered; on the clock that all threads share. */
  readonly dueMs: number;
  readonly job: Job;
}

export interface RefusalMessage {
  readonly id: number;
  readonly failure: Failure;
}

export type AnswerMessage<Answer> =
  { readonly id: number; readonly answer: Answer } | RefusalMessage;

/** The jobs of one message (crossing.ts). */
export interface SentJobs {
  /** Id, weight and `dueMs` of each job. */
  readonly numbers: readonly number[];
  readonly jobs: readonly unknown[];
}

/** The answers of one message (crossing.ts). */
export interface SentAnswers {
  readonly ids: readonly number[];
  readonly answers: readonly unknown[];
  /** The failure of each job, undefined for a job that was done; absent when all were done. */
  readonly failures?: readonly (Failure | undefined)[];
}

/** The first messages of the writer thread; the last of them reports that its database is open, or why it is not. */
export type StartMessage =
  | { readonly kind: 'upgrading'; readonly progress: UpgradeProgress }
  | { readonly kind: 'opened' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Jobs; or that the database is not to be waited for any more; or that the thread is to end. */
export type Order = SentJobs | 'abandon' | 'close';

export interface Failure {
  readonly code: DatabaseErrorCode;
  readonly message: string;
}

/** What of an error crosses the thread. */
export function toFailure(error: unknown): Failure {
  if (error instanceof DatabaseError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'database_failed', message };
}

/** As `toFailure`, with the reason: for the operator who starts the process, not for callers. */
export function toReasonedFailure(error: unknown): Failure {
  const failure = toFailure(error);
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return failure.message.includes(reason)
    ? failure
    : { ...failure, message: `${failure.message} (${reason})` };
}

export function toDatabaseError({ code, message }: Failure): DatabaseError {
  return new DatabaseError(code, message);
}
