// What can be said of a lot now: its status, whether it is on hold, its mass balance.
import { setImmediate } from 'node:timers/promises';
import type { DatabaseReader } from '@lothub/kit/database';
import { movementsOfLot } from './queries.ts';
import { LotTally } from './quantities.ts';
import type { Balance, LotStatus } from './quantities.ts';

/** Lines read in one query; more than an event can have, so a page always ends a whole event. */
const LINES_PER_PAGE = 2_000;

export interface LotState {
  readonly status: LotStatus;
  readonly holdStatus: 'released' | 'on_hold';
  readonly balances: readonly Balance[];
}

export async function lotStateOf(options: {
  readonly database: DatabaseReader;
  readonly lotNo: number;
}): Promise<LotState> {
  const { database, lotNo } = options;
  const tally = new LotTally();
  let above = 0;
  for (;;) {
    const rows = await movementsOfLot(database, { lotNo, above, limit: LINES_PER_PAGE });
    const last = rows.at(-1);
    const isFull = rows.length >= LINES_PER_PAGE;
    for (const row of rows) {
      // The last event of a full page may go on behind it: it is left to the next page.
      if (isFull && row.height === last?.height) break;
      tally.add(row);
      above = row.height;
    }
    if (!isFull) break;
    await setImmediate();
  }
  return { status: tally.status, holdStatus: 'released', balances: tally.balances };
}
