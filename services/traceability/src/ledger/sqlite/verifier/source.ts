// What the background verifier's worker on SQLite is started with.
import type { VerifierSource } from '../../verifier-source.ts';

export interface SqliteVerifierData {
  readonly dataDir: string;
  readonly begin: 'running' | 'paused';
}

/** The background verifier of the ledger in this folder (`DATA_DIR`). */
export function sqliteVerifier(dataDir: string): VerifierSource {
  return {
    module: new URL('./thread.ts', import.meta.url),
    workerData: { dataDir },
  };
}
