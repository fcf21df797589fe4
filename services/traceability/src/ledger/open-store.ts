// Opens the ledger's store on the engine that the settings name.
import type { LedgerStore } from './store.ts';
import { PostgresLedgerStore } from './postgres/store.ts';
import { SqliteLedgerStore } from './sqlite/store.ts';

export interface StoreOptions {
  /** Holds the SQLite database, and with every engine the record of the tip. */
  readonly dataDir: string;
  readonly hubName: string;
  readonly onFatal: (error: Error) => void;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl?: string | undefined;
  /** A standby of that database that may answer reads. */
  readonly databaseReadUrl?: string | undefined;
}

/** @throws DatabaseError when the database cannot be opened */
export async function openStore(options: StoreOptions): Promise<LedgerStore> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return await SqliteLedgerStore.open(options);
  return await PostgresLedgerStore.open({ ...options, databaseUrl });
}
