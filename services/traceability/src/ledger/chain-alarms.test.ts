// Findings in a real database: a process that starts later reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@lothub/kit/clock';
import { pino } from 'pino';
import { openTestLedger } from '../../test/ledger.ts';
import { ChainState } from './verify/chain-state.ts';

/** Far longer than a finding takes to be stored. */
const DEADLINE_MS = 10_000;

test('a finding is stored once, and a process that starts later knows of it', async () => {
  await using ledger = await openTestLedger();
  const { store, state } = ledger;
  const finding = { height: 7, code: 'hash_mismatch', message: 'block 7' };
  const stored = () =>
    ledger.database.rows('select height, code, message, cleared_at from chain_alarms');

  state.report(finding);
  state.report(finding);

  const signal = AbortSignal.timeout(DEADLINE_MS);
  while ((await stored()).length === 0) {
    assert.equal(signal.aborted, false, 'the finding was never stored');
    await sleep(10);
  }
  const later = new ChainState({ store, clock: systemClock, log: pino({ level: 'silent' }) });
  await later.refresh();
  assert.equal(later.valid, false);
  assert.equal(later.condition.firstBadHeight, 7);
  assert.deepEqual(
    (await stored()).map((row) => ({ ...row })),
    [{ ...finding, cleared_at: null }],
  );
});
