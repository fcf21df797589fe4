// The source that threads which verify a ledger on SQLite are started with.
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

export interface SqliteRangesData {
  readonly file: string;
}

/** Threads that verify ranges of the ledger in a file. */
export function sqliteRanges(file: string): VerifierSource {
  return {
    module: new URL('./range-thread.ts', import.meta.url),
    workerData: { file } satisfies SqliteRangesData,
  };
}
