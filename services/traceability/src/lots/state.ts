// The present state of a lot: its status, and whether it is on hold.
import sql from 'sql-template-tag';
import { RECALLED, type HoldStatus, type LotStatus } from '../terms.ts';

export interface LotState {
  readonly status: LotStatus;
  readonly holdStatus: HoldStatus;
}

/** The columns that a query on `lots` reads for the state. */
export interface LotStateRow {
  readonly status: LotStatus;
  readonly onHold: 0 | 1;
}

/** A recalled lot has no other status: readers need not know whether some of it is left. */
export const LOT_STATE = sql`
  case when recalled = 1 then ${RECALLED} else status end as status, on_hold as "onHold"`;

/**
 * Selects the open holds of a tenant, in the words of the index that only queries of lists may
 * read.
 */
export const IS_LISTED_OPEN = sql`released_at is null and hold_no > 0`;

export function toLotState(row: LotStateRow): LotState {
  return { status: row.status, holdStatus: row.onHold === 1 ? 'on_hold' : 'released' };
}
