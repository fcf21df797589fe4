// Opens the ledger's database for an operator's command, on the engine that the settings name.
import type { LedgerPlace, OperatedDatabase } from '../operated-database.ts';
import { databasePlace } from '@lothub/kit/postgres/database-place';
import { databaseFile } from '../sqlite/store.ts';

/**
 * @throws LedgerMissingError when there is none
 * @throws DatabaseError when it cannot be opened
 */
export async function openOperated(place: LedgerPlace): Promise<OperatedDatabase> {
  const { databaseUrl, dataDir } = place;
  // A module for each engine: a service loads neither, and a command loads only one.
  if (databaseUrl === undefined) {
    const { openSqliteOperated } = await import('../sqlite/operated-database.ts');
    return openSqliteOperated(dataDir);
  }
  const { openPostgresOperated } = await import('../postgres/operated-database.ts');
  return await openPostgresOperated(databaseUrl);
}

/** Names the database for a message; never with a password. */
export function placeText({ databaseUrl, dataDir }: LedgerPlace): string {
  return databaseUrl === undefined ? databaseFile(dataDir) : databasePlace(databaseUrl);
}
