// Lets a verification read one state of SQLite: a read transaction sees no later commit.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { SnapshotReader } from '../../verify/snapshot-reader.ts';

/**
 * Makes snapshots on a connection that has no other user. They should be short: a WAL checkpoint
 * cannot pass one. Inside a transaction of the caller, that transaction is the snapshot.
 */
export function sqliteSnapshots(connection: SqliteConnection): SnapshotReader {
  const { database } = connection;
  return {
    all: (query) => connection.all(query),
    inSnapshot: async (work) => {
      if (database.isTransaction) return await work();
      database.exec('begin');
      try {
        return await work();
      } finally {
        // Nothing was written. A commit would fail on a damaged file and hide what was found there.
        if (database.isTransaction) database.exec('rollback');
      }
    },
  };
}
