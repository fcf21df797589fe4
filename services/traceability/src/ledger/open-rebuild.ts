// Opens a ledger to have its derived rows made anew, on the engine that the settings name.
import { DatabaseError } from '@lothub/kit/database';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { LedgerPlace } from './operated-database.ts';
import type { RebuildLedger } from './rebuild.ts';
import { SqliteRebuild } from './sqlite/rebuild.ts';
import { databaseFile } from './sqlite/store.ts';

/** A ledger that is open for nothing but a rebuild. */
export interface OpenRebuild extends AsyncDisposable {
  readonly ledger: RebuildLedger;
}

/** @throws DatabaseError when it cannot be opened */
export function openRebuild({ dataDir, databaseUrl }: LedgerPlace): Promise<OpenRebuild> {
  if (databaseUrl !== undefined) {
    return Promise.reject(
      new DatabaseError(
        'database_unsupported',
        'rebuilding: this version does it in the embedded database only',
      ),
    );
  }
  const connection = new SqliteConnection(databaseFile(dataDir), 'write');
  return Promise.resolve({
    ledger: new SqliteRebuild(connection),
    [Symbol.asyncDispose]: () => connection.close(),
  });
}
