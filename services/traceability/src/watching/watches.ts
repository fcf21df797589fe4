// The states of a watch: it is confirmed, renewed, or ended; and all of an address is erased.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import type { LedgerStore } from '../ledger/store.ts';
import { COUNT_SHOWN_MIN, WATCHES_PER_TARGET_MAX, WATCH_MS } from './limits.ts';
import { sameTarget, type Target } from './target.ts';
import {
  activate,
  countActive,
  deleteAddress,
  deleteWatch,
  findWatch,
  renew,
  watchesOfAddress,
  whileWatch,
} from './watch-queries.ts';
import type { TargetCode, WatchRow } from './watch-queries.ts';

export interface WatchesDeps {
  readonly store: Pick<LedgerStore, 'change' | 'reader' | 'write'>;
  readonly clock: Clock;
}

/**
 * From here on it is notified. Nothing that is sealed after it is missed: changes are made one after the other.
 * @returns false when it has ended
 */
export async function confirmWatch({ store, clock }: WatchesDeps, id: string): Promise<boolean> {
  const { kind } = await store.change({
    guard: whileWatch(id, 'pending'),
    statements: [activate(id, clock.nowMs() + WATCH_MS)],
  });
  if (kind === 'done') return true;
  // The button was pressed twice.
  return (await findWatch(store.reader, id)) !== undefined;
}

/** @returns false when it has ended */
export async function renewWatch({ store, clock }: WatchesDeps, id: string): Promise<boolean> {
  const { kind } = await store.change({
    guard: whileWatch(id, 'active'),
    statements: [renew(id, clock.nowMs() + WATCH_MS)],
  });
  return kind === 'done';
}

/** Deletes a watch with its waiting messages; does nothing when it has ended before. */
export async function endWatch({ store }: Pick<WatchesDeps, 'store'>, id: string): Promise<void> {
  await store.write([deleteWatch(id)]);
}

/** The watch of an address; undefined: it has none. */
export async function findWatchByAddress(
  reader: DatabaseReader,
  { address, target }: { readonly address: string; readonly target: Target },
): Promise<WatchRow | undefined> {
  const watches = await watchesOfAddress(reader, address);
  return watches.find((one) => sameTarget(one, target));
}

/** @returns how many there were */
export async function eraseAddress(
  store: { write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]> },
  address: string,
): Promise<number> {
  const [deleted = []] = await store.write([deleteAddress(address)]);
  return deleted.length;
}

/** How many people watch a lot or a product; `few`: more than none, and too few to name without revealing people. */
export type WatchCount = number | 'few';

export async function countWatches(
  reader: DatabaseReader,
  query: { readonly tenantId: string; readonly targets: readonly TargetCode[] },
): Promise<WatchCount> {
  const count = await countActive(reader, { ...query, most: WATCHES_PER_TARGET_MAX });
  return count > 0 && count < COUNT_SHOWN_MIN ? 'few' : count;
}
