// Distinguishes rows that cannot be read from a database that cannot be read just now.
import { DatabaseError } from '@lothub/kit/database';
import type { LedgerMismatch } from './mismatch.ts';

export type Attempt<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'unreadable'; readonly cause: DatabaseError };

/** @throws DatabaseError when the database cannot be read for a passing reason */
export async function attempt<Value>(read: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { kind: 'read', value: await read() };
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'database_failed') {
      return { kind: 'unreadable', cause: error };
    }
    throw error;
  }
}

export function unreadableRows(height: number, cause: DatabaseError): LedgerMismatch {
  return { height, code: 'unreadable', message: `rows of block ${height}: ${cause.message}` };
}
