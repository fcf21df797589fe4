// A ledger with recall cases, without HTTP and without anybody who follows the chain by himself: tests
// follow it when they say so.
import { systemClock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { correctEvent } from '../../src/corrections/correct.ts';
import type { CorrectionInput } from '../../src/corrections/schema.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import type { CaseRequest } from '../../src/recall/case/schema.ts';
import { followStep } from '../../src/recall/follow/follow.ts';
import { moveCase } from '../../src/recall/case/move-case.ts';
import { CaseOpener } from '../../src/recall/case/open-case.ts';
import type { CaseStatus } from '../../src/terms.ts';
import { TEST_CALLER, type TestLedger } from '../ledger.ts';

/** Steps until the tip is reached; more of them would be a loop without an end. */
const STEPS_MAX = 500;

/** Opens a case on a lot; answers its number. */
export async function openCase(
  ledger: TestLedger,
  seedLotCode: string,
  request: Partial<CaseRequest> & { readonly tenantId: string },
): Promise<string> {
  const { tenantId, ...changes } = request;
  const opener = new CaseOpener({
    store: ledger.store,
    reader: ledger.reader,
    clock: systemClock,
  });
  const opened = await opener.open({
    tenantId,
    caller: { ...TEST_CALLER, person: 'Ada' },
    request: {
      seed_lot_code: seedLotCode,
      title: 'Metal in flour',
      reason: 'A sieve broke',
      ...changes,
    },
  });
  return opened.recallCase.caseNo;
}

export async function moveTo(
  ledger: TestLedger,
  move: { readonly tenantId: string; readonly caseNo: string; readonly to: CaseStatus },
): Promise<void> {
  await moveCase(
    { store: ledger.store, clock: systemClock },
    { ...move, note: null, releaseHolds: false, caller: TEST_CALLER },
  );
}

export async function correct(
  ledger: TestLedger,
  event: { readonly tenantId: string; readonly height: number },
  changes: CorrectionInput['changes'],
): Promise<void> {
  await correctEvent(
    { corrects_event_id: event.height, reason: 'typing error', requested_by: 'Ada', changes },
    {
      tenantId: event.tenantId,
      caller: TEST_CALLER,
      store: ledger.store,
      reader: ledger.reader,
      newSalt,
    },
  );
}

/** Widens all open cases by everything that was recorded. */
export async function follow(ledger: TestLedger, store: LedgerStore = ledger.store): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { reader } = ledger;
    if ((await followStep({ store, reader, clock: systemClock })) === 'idle') return;
  }
  throw new Error(`the chain is not followed after ${STEPS_MAX} steps`);
}
