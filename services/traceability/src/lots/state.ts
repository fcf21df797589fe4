// What can be said of a lot now: its status, and whether it is on hold.
import type { LotStatus } from '../ledger/quantities.ts';

export type HoldStatus = 'released' | 'on_hold';

export interface LotState {
  readonly status: LotStatus;
  readonly holdStatus: HoldStatus;
}

export function stateOf(row: { readonly status: LotStatus; readonly onHold: 0 | 1 }): LotState {
  return { status: row.status, holdStatus: row.onHold === 1 ? 'on_hold' : 'released' };
}
