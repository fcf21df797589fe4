// Opens the ledger's store on the engine that the settings name.
import type { LedgerStore } from './store.ts';
import { SqliteLedgerStore } from './sqlite/store.ts';
import type { SqliteStoreOptions } from './sqlite/store.ts';

export async function openStore(options: SqliteStoreOptions): Promise<LedgerStore> {
  return await SqliteLedgerStore.open(options);
}
