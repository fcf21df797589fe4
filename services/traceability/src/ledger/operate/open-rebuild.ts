// Opens a ledger to rebuild its derived rows, on the engine that the settings name.
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { LedgerPlace } from '../operated-database.ts';
import { PostgresRebuild } from '../postgres/rebuild.ts';
import { openWriteConnection } from '../postgres/write-connection.ts';
import type { RebuildLedger } from '../rebuild/rebuild.ts';
import { SqliteRebuild } from '../sqlite/rebuild.ts';
import { databaseFile } from '../sqlite/store.ts';

/** A ledger that is open for nothing but a rebuild. */
export interface OpenRebuild extends AsyncDisposable {
  readonly ledger: RebuildLedger;
}

/** @throws DatabaseError when it cannot be opened */
export async function openRebuild({ dataDir, databaseUrl }: LedgerPlace): Promise<OpenRebuild> {
  if (databaseUrl !== undefined) {
    const connection = await openWriteConnection(databaseUrl);
    return {
      ledger: new PostgresRebuild(connection, { scope: 'all_rows' }),
      [Symbol.asyncDispose]: () => connection.close(),
    };
  }
  const connection = new SqliteConnection(databaseFile(dataDir), 'write');
  return {
    ledger: new SqliteRebuild(connection),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
