// What can be said of a lot now: its status, and whether it is on hold.
import type { DatabaseReader } from '@lothub/kit/database';
import type { LotStatus } from '../ledger/quantities.ts';
import { standingsOfLots } from './record-queries.ts';

export type HoldStatus = 'released' | 'on_hold';

export interface LotState {
  readonly status: LotStatus;
  readonly holdStatus: HoldStatus;
}

/** The state of a lot that is listed. */
export async function lotStateOf(options: {
  readonly database: DatabaseReader;
  readonly lotNo: number;
}): Promise<LotState> {
  const [row] = await standingsOfLots(options.database, [options.lotNo]);
  if (row === undefined) throw new Error(`reading lot ${options.lotNo}, which is not listed`);
  return stateOf(row);
}

export function stateOf(row: { readonly status: LotStatus; readonly onHold: 0 | 1 }): LotState {
  return { status: row.status, holdStatus: row.onHold === 1 ? 'on_hold' : 'released' };
}
