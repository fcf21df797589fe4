// The seam between the service and the engine its ledger stands on. `open-store.ts` picks the
// engine; everything above sees only this.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import type { AppendAnswer, Submission } from './draft.ts';
import type { VerifierSource } from './verifier-thread.ts';

export interface LedgerStore extends AsyncDisposable {
  /** Reads the newest committed state. */
  readonly reader: DatabaseReader;
  /** How the background verifier reads this store, on a connection of its own. */
  readonly verifierSource: VerifierSource;
  /**
   * Appends a submission; answers once it is on disk.
   * @throws DatabaseError `database_busy` (queue full), `database_full` (disk refuses)
   */
  append(submission: Submission): Promise<AppendAnswer>;
  /** Small writes beside the chain, all or none; answers the rows that each statement returned. */
  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}
