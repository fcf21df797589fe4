// Holds of lots, set and ended as the service does it.
import { systemClock } from '@lothub/kit/clock';
import type { LedgerStore } from '../src/ledger/store.ts';
import { changeHolds, type HoldsChange } from '../src/lots/change-holds.ts';

type ByHand = Partial<HoldsChange> & { readonly lotCode: string };

const DEFAULTS = {
  tenantId: 'acme',
  caseNo: null,
  reason: 'smells',
  caller: { actor: 'test', requestId: null, person: 'Jane Miller' },
} as const;

export async function holdLot(store: LedgerStore, { lotCode, ...change }: ByHand): Promise<void> {
  const deps = { store, clock: systemClock };
  await changeHolds(deps, { ...DEFAULTS, ...change, lotCodes: [lotCode], state: 'held' });
}

/** @param change `caseNo` of a hold that a case has set */
export async function releaseLot(
  store: LedgerStore,
  { lotCode, ...change }: ByHand,
): Promise<void> {
  const deps = { store, clock: systemClock };
  await changeHolds(deps, { ...DEFAULTS, ...change, lotCodes: [lotCode], state: 'released' });
}
