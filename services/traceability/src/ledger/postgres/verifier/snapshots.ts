// Lets a verification read one state of PostgreSQL: transactions that see the rows committed before
// they began, and that write nothing.
import type { PostgresConnection, PostgresTransaction } from '@lothub/kit/postgres/connection';
import type { SnapshotReader } from '../../verify/snapshot-reader.ts';

/**
 * A verification reads ranges of keys, in the order of an index and up to a limit, and looks up the
 * rows that each row references. Where the server has no statistics of a table, as after a restore,
 * or has old ones, it would rather read the whole referenced table, or sort all lines of a lot to
 * find the first of them, in every slice.
 */
const BEGINNING = `
  set transaction isolation level repeatable read, read only;
  set local enable_hashjoin = off;
  set local enable_mergejoin = off;
  set local enable_seqscan = off;
  set local enable_sort = off`;

/**
 * Makes snapshots for one reader, which sends one query after the other. They should be short: the
 * server keeps replaced rows as long as a snapshot can see them. Inside a snapshot of the caller,
 * that one is the snapshot.
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
 * Ends a snapshot by a rollback, because nothing was written. A commit fails if rows could not be
 * read, and would hide that fault.
 */
class SnapshotEnd extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('the snapshot is not needed any more');
    this.result = result;
  }
}
