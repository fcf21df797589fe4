// Damage of a SQLite file that its rows do not show.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { LedgerMismatch } from '../../verify/mismatch.ts';
import { findMissingHash } from '../hash-search.ts';

/**
 * SQLite's own check of the file: pages, column constraints, and each index against its table. The
 * faster quick_check leaves the indexes out, and a wrong one hides events from whoever looks for
 * them.
 */
export function findStorageDamage(
  connection: SqliteConnection,
  height: number,
): LedgerMismatch | undefined {
  let first: string;
  try {
    const row = connection.statement('pragma integrity_check(1)').get();
    first = String(row?.['integrity_check']);
    if (first === 'ok') return findHashDamage(connection);
  } catch (error) {
    first = error instanceof Error ? error.message : String(error);
  }
  return { height, code: 'storage_damaged', message: `the database file is damaged: ${first}` };
}

/** What the search by hashes finds is compared with the blocks; that it finds all of them is looked for here. */
function findHashDamage(connection: SqliteConnection): LedgerMismatch | undefined {
  const height = findMissingHash(connection);
  if (height === undefined) return undefined;
  const message = `block ${height} is not found by its hash: rebuild the tables`;
  return { height, code: 'storage_damaged', message };
}
