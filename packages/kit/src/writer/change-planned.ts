// Changes that are planned from rows that were read. They are written under a guard, and planned again if the guard
// fails because the rows have changed.
import { repeatWhileStale, type ChangeOutcome, type PlannedChange } from './planned-change.ts';

/** Each time somebody else has got ahead: of callers by the hundred all are done long before. */
const TRIES_MAX = 20;
const TOO_LATE = `changing what others change at the same moment: ${TRIES_MAX} attempts came too late`;

export interface Planned<Result> extends PlannedChange {
  /** What to answer once it is written. */
  readonly result: Result;
}

/**
 * Writes what `plan` returns, and plans again each time somebody else has changed the rows that it read.
 * @param plan reads and judges; it throws what should be refused, and leaves out the guard and the
 * statements when there is nothing to write
 * @throws what `plan` throws; DatabaseError as the store's `change`
 */
export async function changePlanned<Result>(
  store: { readonly change: (change: PlannedChange) => Promise<ChangeOutcome> },
  plan: () => Promise<Planned<Result> | { readonly result: Result }>,
): Promise<Result> {
  return await repeatWhileStale({ busy: TOO_LATE, attemptsMax: TRIES_MAX }, async () => {
    const planned = await plan();
    if (!('guard' in planned)) return planned.result;
    const { kind } = await store.change(planned);
    return kind === 'stale' ? kind : planned.result;
  });
}
