// What an outbox is made of: its tables, the store that holds them, and what sends its deliveries.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Turn } from '@lothub/kit/turn';
import type { ChangeOutcome, PlannedChange, WriteOptions } from '@lothub/kit/writer/planned-change';
import type { Sql } from 'sql-template-tag';
import type { TryResult } from '../sending/answer.ts';
import type { ClaimedRow } from './due-queries.ts';
import type { TriesMax } from './places.ts';
import type { OutboxTables } from './tables.ts';

/** The store of a service, as far as its outbox needs it. */
export interface OutboxStore {
  readonly reader: DatabaseReader;
  /** All statements or none. @returns the rows of each, once they are on disk or may be lost */
  write(
    statements: readonly Sql[],
    options?: WriteOptions,
  ): Promise<readonly (readonly unknown[])[]>;
  change(change: PlannedChange): Promise<ChangeOutcome>;
  turn(name: string): Turn;
  /** Writes the deliveries of what was committed before. Not given: they are committed with it. */
  distribute?(): Promise<void>;
  /** Whether so much is being posted that deliveries should wait a moment. Not given: never. */
  isBurst?(): boolean;
  /** Calls `listener` soon after commits. @returns ends it */
  onCommit?(listener: () => void): () => void;
}

export type SendResult =
  | TryResult
  /** There is nothing to send any more; the deliveries end without a try. */
  | { readonly kind: 'nothing' }
  /** It is not the time; the deliveries are due then, and no try is counted. */
  | { readonly kind: 'later'; readonly dueAt: number };

/** A receiver is disabled after this many failed tries in a row, over at least this time. */
export interface FailuresMax {
  readonly failures: number;
  readonly forMs: number;
  readonly reason: string;
}

/** Why a receiver is disabled, and whether by an answer that says it wants no more. */
export interface Disabled {
  readonly at: number;
  readonly reason: string;
  readonly isGone: boolean;
}

export interface Outbox<Row extends ClaimedRow> {
  /** The name of its turn among the processes, and its name in the log. */
  readonly name: string;
  readonly tables: OutboxTables;
  /** Due deliveries of one receiver that one try sends at most. */
  readonly togetherMax: number;
  /** Tries under way at a time, fewer than those that Places grants; not given: as many. */
  readonly triesMax?: TriesMax;
  /** What disables a receiver; not given: as webhooks are disabled. */
  readonly disabling?: FailuresMax;
  /** Reads claimed deliveries with what is sent. @param ids at most IN_LIST_MAX, or none */
  readonly readClaimed: (reader: DatabaseReader, ids: readonly string[]) => Promise<readonly Row[]>;
  /**
   * Makes one try.
   * @param rows 1 to `togetherMax` deliveries of one receiver
   * @param on.signal aborted when the service stops
   */
  readonly send: (
    rows: readonly Row[],
    on: { readonly atMs: number; readonly signal: AbortSignal },
  ) => Promise<SendResult>;
  /** More conditions of the guard that disables a receiver: what answered is still its address. */
  readonly whileSame?: (row: Row) => Sql;
  /** More statements of the transaction that disables a receiver, such as its audit entry. */
  readonly onDisabled: (row: Row, disabled: Disabled) => readonly Sql[];
}
