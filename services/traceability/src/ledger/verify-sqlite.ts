// Verifying on SQLite: how a read transaction holds one state still, and what the background
// verifier's worker needs.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { VerifierSource } from './verifier-thread.ts';
import type { SnapshotReader } from './verify-queries.ts';

/**
 * Snapshots of a connection that nobody else uses. They should be short: a WAL checkpoint cannot
 * pass one. Inside a transaction of the caller, that transaction is the snapshot.
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

/** What the worker is started with. */
export interface SqliteVerifierData {
  readonly dataDir: string;
  readonly begin: 'running' | 'paused';
}

/** The background verifier of the ledger in this folder (`DATA_DIR`). */
export function sqliteVerifier(dataDir: string): VerifierSource {
  return {
    module: new URL('./verifier-thread-sqlite.ts', import.meta.url),
    workerData: { dataDir },
  };
}
