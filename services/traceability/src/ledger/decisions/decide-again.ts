// Decisions that are planned again when another change was committed first.
import { DatabaseError } from '@lothub/kit/database';
import type { LedgerStore } from '../store.ts';
import type { DecidedChange, DecidedOutcome } from './draft.ts';

/**
 * As `decide`, but also returns `stale` when it is unknown whether the change was committed: the
 * caller then reads the current state, and does not decide the same a second time.
 * @throws DatabaseError as the store's, except `database_unsure`
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
