// The corrections, holds and recalls of the small ledger: each kind of change, an event corrected twice, one
// that did not happen, lots that a correction names first and lots that no line names any more.
import { systemClock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { pino } from 'pino';
import { correctEvent } from '../../src/corrections/correct.ts';
import type { CorrectionInput } from '../../src/corrections/schema.ts';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import { recallLots } from '../../src/recall/case/scope-writes.ts';
import type { CaseHeader } from '../../src/recall/case/steps.ts';
import { holdLot, releaseLot } from '../holds.ts';
import { sealCase } from '../sealed-cases.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { TEST_CALLER } from '../ledger.ts';

interface Correction extends Pick<
  CorrectionInput,
  'corrects_event_id' | 'external_id' | 'changes'
> {
  readonly tenantId: string;
}

/** Blocks 11 to 19, in this order. */
const CORRECTIONS: readonly Correction[] = [
  {
    tenantId: 'acme',
    external_id: 'fix-1',
    corrects_event_id: 1,
    changes: [
      { field: 'lines[0].quantity', old_value: 250.5, new_value: 240 },
      { field: 'lines[0].supplier_name', old_value: 'Mühle Brandt', new_value: 'Mühle Brand' },
      { field: 'lines[0].supplier_lot_code', old_value: 'BR-118', new_value: 'BR-119' },
      { field: 'lines[1].origin_facility', old_value: null, new_value: 'FARM-2' },
    ],
  },
  {
    // Names a lot first, and of a lot that others name, too.
    tenantId: 'acme',
    corrects_event_id: 2,
    changes: [
      { field: 'lines[0].lot_code', old_value: 'FLOUR-1', new_value: 'FLOUR-2' },
      { field: 'lines[1].lot_code', old_value: 'SUGAR-1', new_value: 'FLOUR-1' },
      { field: 'lines[1].product_sku', old_value: 'SUGAR', new_value: 'FLOUR' },
    ],
  },
  {
    tenantId: 'acme',
    corrects_event_id: 3,
    changes: [
      { field: 'notes', old_value: 'asked for a receipt', new_value: 'paid in cash' },
      { field: 'lines[0].customer_ref', old_value: 'CUST-4711', new_value: 'CUST-4712' },
      { field: 'lines[0].channel', old_value: 'webshop', new_value: 'Restaurant Adler' },
      { field: 'lines[1].customer_ref', old_value: null, new_value: 'CUST-5' },
    ],
  },
  {
    tenantId: 'acme',
    corrects_event_id: 2,
    changes: [
      {
        field: 'occurred_at',
        old_value: '2026-03-02T06:15:00Z',
        new_value: '2026-03-01T06:15:00Z',
      },
      { field: 'reference', old_value: 'WO-7', new_value: 'WO-70' },
      { field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-3' },
    ],
  },
  {
    // Nothing counts of this lot any more.
    tenantId: 'acme',
    corrects_event_id: 9,
    changes: [{ field: 'status', old_value: 'accepted', new_value: 'voided' }],
  },
  {
    // No line names LOT-b any more.
    tenantId: 'acme',
    corrects_event_id: 10,
    changes: [{ field: 'lines[0].lot_code', old_value: 'LOT-b', new_value: 'LOT-c' }],
  },
  {
    tenantId: 'bolt',
    corrects_event_id: 5,
    changes: [
      { field: 'lines[0].unit', old_value: 'kg', new_value: 'g' },
      { field: 'notes', old_value: null, new_value: 'weighed again' },
    ],
  },
  {
    tenantId: 'bolt',
    corrects_event_id: 8,
    changes: [{ field: 'lines[0].direction', old_value: 'in', new_value: 'out' }],
  },
  {
    // Back to what it was: the event is still listed for the lot it named in between.
    tenantId: 'acme',
    corrects_event_id: 2,
    changes: [{ field: 'lines[1].lot_code', old_value: 'FLOUR-1', new_value: 'SUGAR-1' }],
  },
];

/** Corrects the events of an open ledger that it holds up to block 10. */
export async function correctSmallLedger(store: LedgerStore): Promise<void> {
  for (const { tenantId, ...correction } of CORRECTIONS) {
    await correctOne(store, tenantId, correction);
  }
}

/** Appends one correction, as the route does. */
export async function correctOne(
  store: LedgerStore,
  tenantId: string,
  correction: Pick<CorrectionInput, 'corrects_event_id' | 'external_id' | 'changes'>,
): Promise<void> {
  const state = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  const reader = new LedgerReader({ database: store.reader, state });
  await correctEvent(
    { ...correction, reason: 'typing error', requested_by: 'Jane Miller' },
    { tenantId, caller: TEST_CALLER, store, reader, newSalt },
  );
}

/** Three lots are held, two of them released again. */
export async function holdSmallLedger(store: LedgerStore): Promise<void> {
  await holdLot(store, { lotCode: 'FLOUR-2', reason: 'smells' });
  await holdLot(store, { lotCode: 'SUGAR-1', reason: 'wet' });
  await releaseLot(store, { lotCode: 'SUGAR-1', reason: 'dried' });
  await holdLot(store, { lotCode: 'CAKE-9', reason: 'wrong label' });
  await releaseLot(store, { lotCode: 'CAKE-9', reason: 'labelled anew' });
}

const AT = '2026-03-04T10:00:00.000Z';

const HEADER: Omit<CaseHeader, 'caseNo'> = {
  seedLotCode: 'FLOUR-1',
  seedLotNo: 1,
  seedSupplierName: null,
  confidential: 0,
  notifiedAt: null,
  title: 'Glass in flour',
  reason: 'a customer found a shard',
  severity: 'class_i',
  direction: 'downstream',
  autoHold: 0,
};

/** Lots that a case covers and lots that left it; of another one, which was cancelled, they are the same. */
export async function recallSmallLedger(store: LedgerStore): Promise<void> {
  const opening = (codes: readonly string[]) => ({
    change: 'opened' as const,
    at: AT,
    state: 'investigation' as const,
    as_of: { height: 19, hash: 'ab'.repeat(32) },
    entered: codes.map((lot) => ({ lot, relation: 'downstream' as const, distance: 1 })),
    opened: { opened_by: 'Jane Miller', snapshot: '{}' },
  });
  const moved = (state: 'notification' | 'cancelled') => ({
    change: 'moved' as const,
    at: '2026-03-04T11:00:00.000Z',
    state,
    opened: { changed_by: 'Jane Miller', note: 'as agreed' },
  });
  await sealCase(store, {
    brand: 'acme',
    header: { ...HEADER, caseNo: 'RC-2026-0001' },
    steps: [
      opening(['FLOUR-1', 'CAKE-9', 'LOT-a']),
      moved('notification'),
      {
        change: 'widened',
        at: '2026-03-04T12:00:00.000Z',
        state: 'notification',
        as_of: { height: 19, hash: 'ab'.repeat(32) },
        left: ['LOT-a'],
      },
    ],
    statements: recallLots([1, 3]),
  });
  await sealCase(store, {
    brand: 'acme',
    header: { ...HEADER, caseNo: 'RC-2026-0002' },
    steps: [opening(['SUGAR-1', 'CAKE-9']), moved('cancelled')],
    statements: [],
  });
}
