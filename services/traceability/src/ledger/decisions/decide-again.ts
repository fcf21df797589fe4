// Decisions that are planned anew when somebody else was first.
import { DatabaseError } from '@lothub/kit/database';
import type { LedgerStore } from '../store.ts';
import type { DecidedChange, DecidedOutcome } from './draft.ts';

/**
 * As `decide`, and `stale` also when nobody knows whether it was committed: what is looked for again is
 * not decided a second time.
 * @throws DatabaseError as the store's, but for `database_unsure`
 */
export async function decideOrStale(
  store: Pick<LedgerStore, 'decide'>,
  change: DecidedChange,
): Promise<DecidedOutcome> {
  try {
    return await store.decide(change);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'database_unsure') throw error;
    return { kind: 'stale' };
  }
}
