// Cases that are opened while other processes continue: what is appended, corrected and erased meanwhile is in
// the scope, the holds and the notifications exactly as a plain model of all events says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { nextTurn } from '@lothub/kit/in-turns';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { pino } from 'pino';
import type { EventInput } from '../../src/events/schema.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import { eraseCustomer } from '../../src/privacy/erase.ts';
import { CaseOpener } from '../../src/recall/case/open-case.ts';
import { followStep } from '../../src/recall/follow/follow.ts';
import { testEngine } from '../engine.ts';
import {
  TEST_CALLER,
  makeDraft,
  makeEvent,
  makeLine,
  openTestLedger,
  openTestStore,
} from '../ledger.ts';
import type { TestLedger } from '../ledger.ts';
import { correct, follow, openCase } from './case-ledger.ts';
import { coveredLots, readNotifications } from './following.ts';

const ROUNDS = chooseRounds({ usual: 2, long: 10 });
/** Lots that are there before: several slices of each statement. */
const RUNS = 14;
const LOTS_OF_RUN = 50;
/** Events that each process appends while a case is opened. */
const LATE = 12;
const CASES = 3;
const SEED = 'FLOUR';

let ledger: TestLedger;
/** As of another process where the engine has several. */
let beside: Pick<TestLedger, 'store' | 'reader'>;
let closing: AsyncDisposableStack;

before(async () => {
  closing = new AsyncDisposableStack();
  ledger = closing.use(await openTestLedger());
  beside = testEngine === 'sqlite' ? ledger : await openSecond();
});

after(async () => {
  await closing.disposeAsync();
});

async function openSecond(): Promise<typeof beside> {
  const store = closing.use(await openTestStore(ledger.database));
  const state = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  return { store, reader: new LedgerReader({ database: store.reader, state }) };
}

/** What was made of what, and who bought what, of all events that happened. */
class PlainModel {
  readonly #made: { readonly from: string; readonly to: string }[] = [];
  readonly #sold: { readonly lot: string; readonly customer: string }[] = [];

  made(from: string, to: readonly string[]): EventInput {
    this.#made.push(...to.map((lot) => ({ from, to: lot })));
    return makeEvent('PRODUCE', [makeLine('in', from), ...to.map((lot) => makeLine('out', lot))]);
  }

  sold(lot: string, customer: string): EventInput {
    this.#sold.push({ lot, customer });
    return makeEvent('SELL', [
      makeLine('out', lot, { customer_ref: customer, channel: 'webshop' }),
    ]);
  }

  /** Distances of the lots that were made of a lot. */
  covered(seed: string): ReadonlyMap<string, number> {
    const distances = new Map([[seed, 0]]);
    for (const [lot, distance] of distances) {
      for (const { from, to } of this.#made) {
        if (from === lot && !distances.has(to)) distances.set(to, distance + 1);
      }
    }
    return distances;
  }

  customers(lots: ReadonlyMap<string, number>): ReadonlySet<string> {
    return new Set(this.#sold.filter(({ lot }) => lots.has(lot)).map(({ customer }) => customer));
  }
}

async function append(store: LedgerStore, tenantId: string, event: EventInput): Promise<void> {
  const drafts = [makeDraft(event)];
  await store.append({ tenantId, caller: TEST_CALLER, drafts, unit: 'all' });
}

/** Makes lots of lots, old and new, and sells of them. */
async function appendLate(
  { store }: Pick<TestLedger, 'store'>,
  tenant: { readonly model: PlainModel; readonly tenantId: string; readonly name: string },
): Promise<void> {
  let last = SEED;
  for (let count = 0; count < LATE; count += 1) {
    const lot = `${tenant.name}-${count}`;
    const from = count % 3 === 0 ? `BREAD-${count}-${count}` : last;
    await append(store, tenant.tenantId, tenant.model.made(from, [lot]));
    await append(store, tenant.tenantId, tenant.model.sold(lot, `C-${lot}`));
    last = lot;
  }
}

async function recordBase(model: PlainModel, tenantId: string): Promise<void> {
  const events = [makeEvent('RECEIVE', [makeLine('in', SEED)])];
  for (let run = 0; run < RUNS; run += 1) {
    const lots = Array.from({ length: LOTS_OF_RUN }, (_, index) => `BREAD-${run}-${index}`);
    events.push(model.made(SEED, lots));
    for (const lot of lots) events.push(model.sold(lot, `C-${lot}`));
  }
  await ledger.record(events, tenantId);
}

/** Lots whose flag says otherwise than their holds. */
async function wronglyFlagged(): Promise<readonly unknown[]> {
  return await ledger.database.rows(
    `select l.lot_code
    from lots l
    where l.on_hold <> case when exists (
      select 1 from lot_holds h where h.lot_no = l.lot_no and h.released_at is null
    ) then 1 else 0 end`,
  );
}

test('what comes while cases are opened is in all of them, once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const tenantId = `tenant-${round}`;
    const model = new PlainModel();
    await recordBase(model, tenantId);
    const [goneHeight = 0] = await ledger.record(
      [
        makeEvent('PRODUCE', [makeLine('in', SEED), makeLine('out', 'GONE')]),
        makeEvent('SELL', [makeLine('out', 'BREAD-0-0', { customer_ref: 'C-ERASED' })]),
      ],
      tenantId,
    );
    let isDone = false;
    const following = [ledger, beside].map(async ({ store, reader }) => {
      while (!isDone) {
        await followStep({ store, reader, clock: systemClock });
        await nextTurn();
      }
    });

    const [first, ...others] = await Promise.all([
      ...Array.from({ length: CASES }, (_, index) =>
        openCaseFrom(index % 2 === 0 ? ledger : beside, tenantId),
      ),
      appendLate(ledger, { model, tenantId, name: 'OURS' }),
      appendLate(beside, { model, tenantId, name: 'THEIRS' }),
      correct(ledger, { tenantId, height: goneHeight }, [
        { field: 'status', old_value: 'accepted', new_value: 'voided' },
      ]),
      eraseCustomer(
        { ...beside, clock: systemClock, newSalt },
        { tenantId, customerRef: 'C-ERASED', caller: TEST_CALLER },
      ),
    ]);
    isDone = true;
    await Promise.all(following);
    await follow(ledger);

    const covered = model.covered(SEED);
    const lots = [...covered]
      .map(([lot, distance]) => `${lot} ${distance === 0 ? 'self' : 'downstream'} ${distance}`)
      .map((lot) => `${lot} on_hold`);
    const concerned = [
      'channel webshop pending',
      ...[...model.customers(covered)].map((customer) => `customer ${customer} pending`),
      ...['internal_qa', 'public', 'regulator'].map((one) => `${one} ${one} pending`),
    ];
    for (const caseNo of [first, ...others.slice(0, CASES - 1)].map(String)) {
      const notifications = await readNotifications(ledger, caseNo);
      assert.deepEqual((await coveredLots(ledger, caseNo)).toSorted(), lots.toSorted(), caseNo);
      // Who was erased meanwhile is listed without a name.
      const named = notifications.filter((one) => isNamed(one) && one !== 'customer  pending');
      assert.deepEqual(named.toSorted(), concerned.toSorted(), caseNo);
    }
    assert.deepEqual(await wronglyFlagged(), []);
  }
});

/** A case that was opened before the erasure was done keeps a notification without its customer. */
function isNamed(notification: string): boolean {
  return !notification.includes(' null ');
}

async function openCaseFrom(
  { store, reader }: Pick<TestLedger, 'store' | 'reader'>,
  tenantId: string,
): Promise<string> {
  const opener = new CaseOpener({ store, reader, clock: systemClock });
  const opened = await opener.open({
    tenantId,
    caller: { ...TEST_CALLER, person: 'Ada' },
    request: {
      seed_lot_code: SEED,
      title: 'Metal in flour',
      reason: 'A sieve broke',
      direction: 'downstream',
    },
  });
  return opened.recallCase.caseNo;
}

test('cases that many open at once are numbered one by one', async () => {
  const tenantId = 'tenant-of-many';
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', SEED)])], tenantId);
  const [{ last } = { last: 0 }] = await ledger.database.rows(
    'select coalesce(max(case_id), 0) as last from recall_cases',
  );

  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      openCaseFrom(index % 2 === 0 ? ledger : beside, tenantId),
    ),
  );

  const numbers = await ledger.database.rows(
    'select case_id from recall_cases where case_id > ? order by case_id',
    Number(last),
  );
  assert.deepEqual(
    numbers.map((row) => row['case_id']),
    Array.from({ length: 12 }, (_, index) => Number(last) + index + 1),
  );
});

test('a customer that is erased while a case is opened is not in its notifications', async () => {
  const tenantId = 'tenant-of-erased';
  const customers = Array.from({ length: 8 }, (_, index) => `E-${index}`);
  await ledger.record(
    [
      makeEvent('RECEIVE', [makeLine('in', SEED)]),
      ...customers.map((customer_ref) =>
        makeEvent('SELL', [makeLine('out', SEED, { customer_ref })]),
      ),
    ],
    tenantId,
  );

  for (const customerRef of customers) {
    const [caseNo] = await Promise.all([
      openCase(ledger, SEED, { tenantId }),
      eraseCustomer(
        { ...beside, clock: systemClock, newSalt },
        { tenantId, customerRef, caller: TEST_CALLER },
      ),
    ]);
    const notifications = await readNotifications(ledger, caseNo);
    assert.deepEqual(
      notifications.filter((one) => one.includes(customerRef)),
      [],
    );
  }
});
