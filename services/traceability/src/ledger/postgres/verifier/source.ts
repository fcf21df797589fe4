// The source that threads which verify a ledger on PostgreSQL are started with.
import type { VerifierSource } from '../../verifier-source.ts';

export interface PostgresVerifierData {
  /** URL of the primary database: a standby may lack rows that were already answered to callers. */
  readonly url: string;
  readonly begin: 'running' | 'paused';
}

/** The background verifier of the ledger at this address (`DATABASE_URL`). */
export function postgresVerifier(url: string): VerifierSource {
  return { module: new URL('./thread.ts', import.meta.url), workerData: { url } };
}

export interface PostgresRangesData {
  readonly url: string;
}

/** Threads that verify ranges of that ledger. */
export function postgresRanges(url: string): VerifierSource {
  return {
    module: new URL('./range-thread.ts', import.meta.url),
    workerData: { url } satisfies PostgresRangesData,
  };
}
