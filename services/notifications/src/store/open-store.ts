// Opens the store on the engine that the settings name.
import type { Clock } from '@lothub/kit/clock';
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import type { WriterWatch } from '@lothub/kit/writer/thread';
import { SqliteNotificationStore } from './sqlite/store.ts';
import type { NotificationStore } from './store.ts';

export interface StoreOptions extends UpgradeOptions {
  /** Holds the SQLite database. */
  readonly dataDir: string;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
  readonly clock: Clock;
  readonly onFatal: (error: Error) => void;
  /** Counts what the writer thread does. */
  readonly watch?: WriterWatch | undefined;
}

/** @throws DatabaseError when the database cannot be opened */
export async function openStore(options: StoreOptions): Promise<NotificationStore> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return await SqliteNotificationStore.open(options);
  // Loaded where it is used: its packages take as long as a tenth of a start.
  const { PostgresNotificationStore } = await import('./postgres/store.ts');
  return await PostgresNotificationStore.open({ ...options, databaseUrl });
}
