// What checks need of the accounts of a lot: where it came from, and whether they can be added up. Pure.
import { ADDING_PARTS } from '../ledger/record/event-types.ts';
import type { StoredParts } from '../lots/balances.ts';

export interface LotAccountState {
  readonly accounts: number;
  /** Something of it was received, produced or packed. */
  readonly hasOrigin: boolean;
  /** No SKU of it is counted in two units. */
  readonly unitsAgree: boolean;
}

export function accountState(accounts: readonly StoredParts[]): LotAccountState {
  return {
    accounts: accounts.length,
    hasOrigin: accounts.some((account) => ADDING_PARTS.some((part) => account[part] !== null)),
    unitsAgree: new Set(accounts.map(({ productSku }) => productSku)).size === accounts.length,
  };
}
