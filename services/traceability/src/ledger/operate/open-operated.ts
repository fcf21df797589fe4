// Opens the ledger's database for an operator's command, on the engine that the settings name.
import type { LedgerPlace, OperatedDatabase } from '../operated-database.ts';
import { databasePlace } from '@lothub/kit/postgres/database-place';
import { openPostgresOperated } from '../postgres/operated-database.ts';
import { openSqliteOperated } from '../sqlite/operated-database.ts';
import { databaseFile } from '../sqlite/store.ts';

/**
 * @throws LedgerMissingError when there is none
 * @throws DatabaseError when it cannot be opened
 */
export async function openOperated(place: LedgerPlace): Promise<OperatedDatabase> {
  const { databaseUrl, dataDir } = place;
  return databaseUrl === undefined
    ? openSqliteOperated(dataDir)
    : await openPostgresOperated(databaseUrl);
}

/** Names the database for a message; never with a password. */
export function placeText({ databaseUrl, dataDir }: LedgerPlace): string {
  return databaseUrl === undefined ? databaseFile(dataDir) : databasePlace(databaseUrl);
}
