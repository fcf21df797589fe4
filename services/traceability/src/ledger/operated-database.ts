// The ledger's database as an operator's command uses it: beside running services or without one,
// never making a database and never changing its schema.
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import type { LedgerMismatch } from './verify/mismatch.ts';
import type { VerifierSource } from './verifier-source.ts';
import type { SnapshotReader } from './verify/snapshot-reader.ts';

/** The place of a hub's ledger: `DATA_DIR` and `DATABASE_URL`. */
export interface LedgerPlace {
  readonly dataDir: string;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl?: string | undefined;
}

export interface OperatedDatabase extends AsyncDisposable {
  /** For messages: the name of the database, without secrets. */
  readonly place: string;
  readonly reader: DatabaseReader;
  readonly snapshots: SnapshotReader;
  /** Threads that read the same database to verify it (verify/ranges). */
  readonly ranges: VerifierSource;
  /**
   * The processes that keep a record of the tip outside of the database: the one that serves it, or
   * each of several, whose records may name different blocks.
   */
  readonly witnesses: 'one' | 'several';
  /** Number of the newest schema file that the database has, and of the newest one there is. */
  readonly schema: { readonly present: number; readonly known: number };
  /** Does small writes, all or none; returns the rows of each statement. */
  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
  /**
   * Searches for damage that the rows do not show, however long that takes.
   * @param height height of the findings
   */
  findStorageDamage(height: number): Promise<LedgerMismatch | undefined>;
}

/** There is no ledger at that place. */
export class LedgerMissingError extends DatabaseError {
  constructor(message: string) {
    super('database_failed', message);
    this.name = 'LedgerMissingError';
  }
}
