// How a verification reads one state of PostgreSQL: transactions that see what was committed when they
// began, and that write nothing.
import type { PostgresConnection, PostgresTransaction } from '@lothub/kit/postgres/connection';
import type { SnapshotReader } from '../../verify/snapshot-reader.ts';

/**
 * A verification takes ranges of keys, in the order of an index and up to a limit, and looks up what
 * each row points at. Where the server has no figures of a table, as after a restore, or has old ones,
 * it would rather read the whole of what is looked up, or sort all lines of a lot to take the first of
 * them, slice after slice.
 */
const BEGINNING = `
  set transaction isolation level repeatable read, read only;
  set local enable_hashjoin = off;
  set local enable_mergejoin = off;
  set local enable_seqscan = off;
  set local enable_sort = off`;

/**
 * Snapshots for one reader, which asks for one thing after the other. They should be short: the server
 * keeps what was replaced meanwhile for as long as somebody can see it. Inside a snapshot of the
 * caller, that one is the snapshot.
 */
export function postgresSnapshots(connection: PostgresConnection): SnapshotReader {
  let current: PostgresTransaction | undefined;
  return {
    all: (query) => (current ?? connection).all(query),
    inSnapshot: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (current !== undefined) return await work();
      const ended = connection.transaction(async (transaction): Promise<never> => {
        await transaction.execute(BEGINNING);
        current = transaction;
        try {
          throw new SnapshotEnd(await work());
        } finally {
          current = undefined;
        }
      });
      return await ended.catch((end: unknown) => {
        if (end instanceof SnapshotEnd) return end.result as Result;
        throw end;
      });
    },
  };
}

/**
 * Nothing was written, and so the transaction is undone: to commit one in which rows could not be read
 * fails, and would hide what was found there.
 */
class SnapshotEnd extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('the snapshot is not needed any more');
    this.result = result;
  }
}
