// The seam between the services and a database engine: what every engine must offer.
// A query is written once with sql-template-tag, in the words both engines share.
import type { Sql } from 'sql-template-tag';

/** Codes of everything a database can refuse; the routes map them to statuses. */
export type DatabaseErrorCode =
  | 'database_too_new'
  | 'database_unsupported'
  | 'database_busy'
  | 'database_full'
  | 'database_failed';

export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseError';
    this.code = code;
  }
}

export type SqlValue = string | number | bigint | null | Uint8Array;

/** Reads; each call sees the newest committed state. Rows are trusted to have the shape asked for. */
export interface DatabaseReader extends AsyncDisposable {
  all<Row>(query: Sql): Promise<readonly Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
  close(): Promise<void>;
}

/** One numbered schema file; applied once, in order, inside a transaction of its own. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}
