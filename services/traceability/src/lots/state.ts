// What can be said of a lot now: its status, and whether it is on hold.
import sql from 'sql-template-tag';
import { RECALLED } from '../terms.ts';
import type { HoldStatus, LotStatus } from '../terms.ts';

export interface LotState {
  readonly status: LotStatus;
  readonly holdStatus: HoldStatus;
}

/** What a query on `lots` reads of it. */
export interface LotStateRow {
  readonly status: LotStatus;
  readonly onHold: 0 | 1;
}

/** For a recalled lot, nobody needs to know whether some of it is left. */
export const LOT_STATE = sql`
  case when recalled = 1 then ${RECALLED} else status end as status, on_hold as "onHold"`;

/** Of the open holds of a tenant, in the words of the index that only queries which list them may read. */
export const IS_LISTED_OPEN = sql`released_at is null and hold_no > 0`;

export function stateOf(row: LotStateRow): LotState {
  return { status: row.status, holdStatus: row.onHold === 1 ? 'on_hold' : 'released' };
}
