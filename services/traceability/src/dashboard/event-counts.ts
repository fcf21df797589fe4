// How many events a tenant has recorded since a block, up to a limit. Of a tenant that records more than the limit in
// a day, counting them is most of the dashboard's time: how far its newest events reach back is kept instead.
import type { DatabaseReader } from '@lothub/kit/database';
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';
import { countEventsAbove } from './queries.ts';

/** Events that are counted, some milliseconds of them. */
export const EVENTS_COUNTED_MAX = 20_000;
/** Tenants of which a height is kept: some bytes each. */
const TENANTS_MAX = 1_000;

export class EventCounts {
  /**
   * By tenant, the height of an event with as many newer ones as are counted. It stays true: events are only added,
   * and heights never change.
   */
  readonly #fullFrom = new RecentlyUsed<number, number>(TENANTS_MAX);

  /** @returns at most one more than EVENTS_COUNTED_MAX */
  async countAbove(
    database: DatabaseReader,
    { tenantNo, above }: { readonly tenantNo: number; readonly above: number },
  ): Promise<number> {
    const limit = EVENTS_COUNTED_MAX + 1;
    if ((this.#fullFrom.get(tenantNo) ?? above) > above) return limit;
    const { count, lowest } = await countEventsAbove(database, { tenantNo, above, limit });
    if (count === limit && lowest !== null) this.#fullFrom.set(tenantNo, lowest);
    return count;
  }
}
