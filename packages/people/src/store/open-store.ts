// Opens the store of people on the engine that the settings name.
import type { UpgradeOptions } from '@lothub/kit/upgrade';
import { SqlitePeopleStore } from './sqlite/store.ts';
import type { PeopleStore } from './store.ts';

export interface StoreOptions extends UpgradeOptions {
  /** Holds the SQLite database. */
  readonly dataDir: string;
  /** `postgresql://…`; undefined: SQLite. */
  readonly databaseUrl: string | undefined;
  readonly onFatal: (error: Error) => void;
}

/** @throws DatabaseError when the database cannot be opened */
export async function openStore(options: StoreOptions): Promise<PeopleStore> {
  const { databaseUrl } = options;
  if (databaseUrl === undefined) return await SqlitePeopleStore.open(options);
  // Loaded where it is used: its packages take as long as a tenth of a start.
  const { PostgresPeopleStore } = await import('./postgres/store.ts');
  return await PostgresPeopleStore.open({ ...options, databaseUrl });
}
