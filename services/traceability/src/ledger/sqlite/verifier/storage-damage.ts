// Damage of a SQLite file that its rows do not show.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { LedgerMismatch } from '../../verify/mismatch.ts';
import { findMissingHash } from '../hash-search.ts';

/**
 * Runs SQLite's own check of the file: pages, column constraints, and each index against its table.
 * The faster quick_check skips the indexes, and a wrong index hides events from readers.
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

/**
 * Checks that the search by hashes finds every block. Another check compares its results with the
 * blocks.
 */
function findHashDamage(connection: SqliteConnection): LedgerMismatch | undefined {
  const height = findMissingHash(connection);
  if (height === undefined) return undefined;
  const message = `block ${height} is not found by its hash: rebuild the tables`;
  return { height, code: 'storage_damaged', message };
}
