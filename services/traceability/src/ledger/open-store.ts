// Opens the ledger's store on the engine that the settings name.
import type { DatabaseReader } from '@lothub/kit/database';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { WriterWatch } from '@lothub/kit/writer/thread';
import type { LogSettings } from './log/log-identity.ts';
import type { LedgerStore } from './store.ts';
import { PostgresLedgerStore } from './postgres/store.ts';
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
  return await PostgresLedgerStore.open({ ...options, databaseUrl });
}

/** Of a PostgreSQL server, while the store makes its own. */
const READ_CONNECTIONS_MAX = 2;

/** Reads the ledger beside a store that is not open yet, and has the schema of this version. */
export function openReader({
  dataDir,
  databaseUrl,
}: Pick<StoreOptions, 'dataDir' | 'databaseUrl'>): DatabaseReader {
  if (databaseUrl === undefined) return new SqliteConnection(databaseFile(dataDir), 'read');
  return PostgresConnection.openLater(databaseUrl, { connectionsMax: READ_CONNECTIONS_MAX });
}
