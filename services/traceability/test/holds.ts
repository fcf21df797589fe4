// Holds of lots, set and ended as the service does it, and as a case leaves them.
import { systemClock } from '@lothub/kit/clock';
import { insertRow } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { LedgerStore } from '../src/ledger/store.ts';
import { LOT_HOLDS } from '../src/ledger/tables/lots.ts';
import { changeHolds } from '../src/lots/change-holds.ts';
import type { HoldsChange } from '../src/lots/change-holds.ts';

type ByHand = Partial<HoldsChange> & { readonly lotCode: string };

const DEFAULTS = {
  tenantId: 'acme',
  caseNo: null,
  reason: 'smells',
  by: 'Jane Miller',
  caller: { actor: 'test', requestId: null },
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

/** A hold as a case sets it, without the case. */
export async function holdForCase(
  store: LedgerStore,
  of: { readonly tenantId: string; readonly lotCode: string; readonly caseNo: string },
): Promise<void> {
  const [lot] = await store.reader.all<{ readonly lot_no: number; readonly tenant_no: number }>(sql`
    select l.lot_no, l.tenant_no
    from lots l
    join tenants t on t.tenant_no = l.tenant_no
    where t.tenant_id = ${of.tenantId} and l.lot_code = ${of.lotCode}`);
  if (lot === undefined) throw new Error(`no lot ${of.lotCode}`);
  const hold = { reason: 'recall', held_by: 'Jane Miller', held_since: '2026-03-04T10:00:00.000Z' };
  await store.write([
    insertRow(LOT_HOLDS, { ...lot, ...hold, source: of.caseNo, held_height: null }),
    sql`update lots set on_hold = 1 where lot_no = ${lot.lot_no}`,
  ]);
}
