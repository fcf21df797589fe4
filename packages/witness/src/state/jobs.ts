/** What the thread that writes the state of a witness is given, and what it answers; plain values only. */
import type { ListedLog } from '../log-list.ts';

/** Given to the worker. */
export interface StateWriterData {
  /** The database. */
  readonly file: string;
}

/** A checkpoint that is to be the last one of its log, while the one before it still is. */
export interface NextCheckpoint {
  readonly origin: string;
  readonly before: { readonly size: number; readonly root: Uint8Array };
  readonly after: { readonly size: number; readonly root: Uint8Array };
  /** With the log's signatures. */
  readonly checkpoint: string;
  /** Seconds since 1970. */
  readonly time: number;
}

/** Takes each checkpoint whose log still has the one before it. */
export interface CosignJob {
  readonly kind: 'cosign';
  readonly next: readonly NextCheckpoint[];
}

/** Adds keys of logs. Those that are there already stay as they are. */
export interface AddJob {
  readonly kind: 'add';
  readonly logs: readonly ListedLog[];
}

export type StateJob = CosignJob | AddJob;

/** Of each checkpoint of a `CosignJob`, in order, whether it was taken; of an `AddJob` nothing. */
export type StateAnswer = readonly boolean[];
