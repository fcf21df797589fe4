// What an outbox is made of: its tables, the store they stand in, and what its service alone knows.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Turn } from '@lothub/kit/turn';
import type { ChangeOutcome, PlannedChange } from '@lothub/kit/writer/planned-change';
import type { Sql } from 'sql-template-tag';
import type { ClaimedRow } from './due-queries.ts';
import type { OutboxTables } from './tables.ts';

/** The store of a service, as far as its outbox needs it. */
export interface OutboxStore {
  readonly reader: DatabaseReader;
  /** All statements or none. @returns the rows of each, once they are on disk */
  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
  change(change: PlannedChange): Promise<ChangeOutcome>;
  turn(name: string): Turn;
  /** Calls `listener` soon after commits. @returns ends it */
  onCommit?(listener: () => void): () => void;
}

export interface Outbox<Row extends ClaimedRow> {
  readonly tables: OutboxTables;
  /** Of requests. */
  readonly userAgent: string;
  /** Reads deliveries that were claimed, with what is sent. @param ids at most IN_LIST_MAX, or none */
  readonly readClaimed: (reader: DatabaseReader, ids: readonly string[]) => Promise<readonly Row[]>;
  /** The body of a request; undefined when there is nothing to send any more. */
  readonly bodyOf: (row: Row) => string | undefined;
  /** More statements of the transaction that disables the webhook of a delivery, such as its audit entry. */
  readonly onDisabled: (
    row: Row,
    disabled: { readonly at: number; readonly reason: string },
  ) => readonly Sql[];
}
