// Several processes over one database: a late event widens the cases for all of them, whichever process
// accepted it, and whichever of them follow the chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { pino } from 'pino';
import { ChainState } from '../../src/ledger/verify/chain-state.ts';
import { LedgerReader } from '../../src/ledger/read.ts';
import { followStep } from '../../src/recall/follow/follow.ts';
import { aLine, anEvent, boot, bootSecond } from '../boot.ts';
import { follow, openCase } from './case-ledger.ts';
import { caughtUp, coveredLots, readNotifications } from './following.ts';
import { makeEvent, makeLine, openTestLedger, openTestStore } from '../ledger.ts';

const CASE = {
  seed_lot_code: 'FLOUR-1',
  title: 'Metal in flour',
  reason: 'A sieve broke',
  opened_by: 'Ada',
};
const EVENTS = 12;
const ROUNDS = 15;

function made(to: string): object {
  const lines = [aLine({ direction: 'in' }), aLine({ lot_code: to, direction: 'out' })];
  return anEvent({ event_type: 'PRODUCE', lines });
}

test('events that any process accepts widen a case, also after the one that follows has ended', async () => {
  await using first = await boot();
  await using second = await bootSecond(first);
  await first.post('/v1/events', anEvent());
  const caseNo = String((await second.post('/v1/recall/cases', CASE)).json['case_no']);

  const numbers = Array.from({ length: EVENTS }, (_, index) => index);
  await Promise.all(
    numbers.map((index) => [first, second][index % 2]!.post('/v1/events', made(`BREAD-${index}`))),
  );
  await caughtUp(second);
  const before = await coveredLots(second, caseNo);
  await first.service.close();
  await second.post('/v1/events', made('CAKE-1'));
  await caughtUp(second);

  assert.equal(before.length, EVENTS + 1);
  assert.equal((await coveredLots(second, caseNo)).length, EVENTS + 2);
});

test('two that follow the same blocks at the same moment write everything once', async () => {
  await using ledger = await openTestLedger();
  await using store = await openTestStore(ledger.database);
  const state = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  const beside = {
    store,
    clock: systemClock,
    reader: new LedgerReader({ database: store.reader, state }),
  };
  const tenantId = 'bakery';
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR')])]);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  for (let round = 0; round < ROUNDS; round += 1) {
    const sold = makeLine('out', `BREAD-${round}`, { customer_ref: `C-${round}` });
    await ledger.record([
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', `BREAD-${round}`)]),
      makeEvent('SELL', [sold]),
    ]);
    await Promise.all([follow(ledger), followStep(beside), followStep(beside)]);
  }
  await follow(ledger);

  const covered = await coveredLots(ledger, caseNo);
  const entries = await ledger.database.rows(
    `select count(*) as entries from audit_entries where action = 'widen_case'`,
  );
  assert.equal(covered.length, ROUNDS + 1);
  assert.ok(
    covered.every((lot) => lot.endsWith('on_hold')),
    covered.join(', '),
  );
  const notifications = await readNotifications(ledger, caseNo);
  assert.equal(notifications.filter((one) => one.startsWith('customer')).length, ROUNDS);
  assert.equal(entries[0]?.['entries'], ROUNDS);
});
