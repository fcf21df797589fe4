// Opens the ledger's store on the engine that the settings name.
import type { DatabaseReader } from '@lothub/kit/database';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { WriterWatch } from '@lothub/kit/writer/thread';
import type { LogSettings } from './log/log-identity.ts';
import type { LedgerStore } from './store.ts';
import { SqliteLedgerStore, databaseFile } from './sqlite/store.ts';

export interface StoreOptions extends UpgradeOptions {
  /** Holds the SQLite database, and with every engine the record of the tip. */
  readonly dataDir: string;
  readonly hubName: string;
  readonly onFatal: (error: Error) => void;
  /** Counts what the writer thread does. */
  readonly watch?: WriterWatch | undefined;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl?: string | undefined;
  /** A standby of that database that may answer reads. */
  readonly databaseReadUrl?: string | undefined;
  /** Undefined: the log is off. */
  readonly log?: LogSettings | undefined;
}

/** @throws DatabaseError when the database cannot be opened */
export async function openStore(options: StoreOptions): Promise<LedgerStore> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return await SqliteLedgerStore.open(options);
  // Loaded where it is used: its packages take as long as a tenth of a start.
  const { PostgresLedgerStore } = await import('./postgres/store.ts');
  return await PostgresLedgerStore.open({ ...options, databaseUrl });
}

/** Connections to a PostgreSQL server, while the store opens its own. */
const READ_CONNECTIONS_MAX = 2;

/**
 * Loads what opens a reader of the ledger beside a store that is not open yet, and has the schema of this
 * version.
 */
export async function loadReader({
  dataDir,
  databaseUrl,
}: Pick<StoreOptions, 'dataDir' | 'databaseUrl'>): Promise<() => DatabaseReader> {
  if (databaseUrl === undefined) return () => new SqliteConnection(databaseFile(dataDir), 'read');
  const { PostgresConnection } = await import('@lothub/kit/postgres/connection');
  return () => PostgresConnection.openLater(databaseUrl, { connectionsMax: READ_CONNECTIONS_MAX });
}
