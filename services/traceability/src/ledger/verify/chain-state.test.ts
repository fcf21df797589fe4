// The chain's state: a finding is in force at once and stays so, whatever happens to its row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Sql } from 'sql-template-tag';
import { systemClock } from '@lothub/kit/clock';
import { ChainState, type Mismatch } from './chain-state.ts';
import { ClockTrust } from '../clock-trust.ts';
import { NO_LOG } from '../log/writer-log.ts';
import type { LedgerStore } from '../store.ts';

const FINDING: Mismatch = { height: 7, code: 'hash_mismatch', message: 'block 7' };

/** A store whose table of alarms and whose writes the test decides on. */
class TestStore implements LedgerStore {
  alarms: readonly Mismatch[] = [];
  settleWrite: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  readonly verifierSource = { module: new URL(import.meta.url), workerData: {} };
  readonly reader = {
    all: <Row>(_query: Sql) => Promise.resolve(this.alarms as unknown as readonly Row[]),
    first: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };

  readonly log = NO_LOG;
  readonly clockTrust = ClockTrust.begin(systemClock);
  readonly lotSearch = { lotsWithText: () => Promise.resolve({ lotNos: [], next: null }) };
  readonly hashSearch = { heightsWithPrefix: () => Promise.resolve([]) };

  rateLimit(): undefined {
    return undefined;
  }

  clockFacts(): never {
    throw new Error('the clock is not asked for here');
  }

  append(): never {
    throw new Error('nothing is appended here');
  }

  correct(): never {
    throw new Error('nothing is corrected here');
  }

  decide(): never {
    throw new Error('nothing is decided here');
  }

  change(): never {
    throw new Error('nothing beside the chain is changed here');
  }

  erase(): never {
    throw new Error('nothing is erased here');
  }

  settleErased(): never {
    throw new Error('nothing is erased here');
  }

  turn(): never {
    throw new Error('nothing is done by turns here');
  }

  write(): Promise<readonly (readonly unknown[])[]> {
    return new Promise((resolve, reject) => {
      this.settleWrite.push({ resolve: () => resolve([]), reject });
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function newState(store: LedgerStore, nowMs = () => 0): ChainState {
  return new ChainState({ store, clock: { nowMs }, log: pino({ level: 'silent' }) });
}

test('a finding that is not stored yet outlives a refresh', async () => {
  const state = newState(new TestStore());

  state.report(FINDING);
  await state.refresh();

  assert.equal(state.valid, false);
  assert.equal(state.condition.firstBadHeight, 7);
});

test('a finding that could not be stored stays in force', async () => {
  const store = new TestStore();
  const state = newState(store);
  state.report(FINDING);

  store.settleWrite[0]!.reject(new Error('disk full'));
  await state.refresh();
  await state.refresh();

  assert.equal(state.valid, false);
});

test('a finding that was stored goes when an operator has cleared it', async () => {
  const store = new TestStore();
  const state = newState(store);
  state.report(FINDING);
  store.alarms = [FINDING];
  store.settleWrite[0]!.resolve();
  await state.refresh();
  assert.equal(state.valid, false);

  store.alarms = [];
  await state.refresh();

  assert.equal(state.valid, true);
  assert.equal(state.condition.firstBadHeight, null);
});

test('a finding about the tip that was on its way when an operator accepted it is of before', async () => {
  const store = new TestStore();
  let nowMs = 0;
  const state = newState(store, () => nowMs);
  const finding: Mismatch = { height: 9, code: 'tail_missing', message: 'blocks 9 to 12' };
  store.alarms = [finding];
  await state.refresh();
  store.alarms = [];
  await state.refresh();

  state.report(finding);
  assert.equal(state.valid, true);
  nowMs = 60_000;
  state.report(finding);

  assert.equal(state.valid, false);
});

test('no acceptance of a tip keeps another finding back', async () => {
  const store = new TestStore();
  const state = newState(store);
  store.alarms = [{ height: 9, code: 'tip_differs', message: 'block 9' }];
  await state.refresh();
  store.alarms = [];
  await state.refresh();

  state.report(FINDING);

  assert.equal(state.valid, false);
});

test('a finding of the same kind at a greater height adds nothing, at a lower one it does', () => {
  const store = new TestStore();
  const state = newState(store);

  state.report(FINDING);
  state.report({ ...FINDING, height: 9 });
  state.report({ ...FINDING, height: 3 });

  assert.equal(store.settleWrite.length, 2);
  assert.equal(state.condition.firstBadHeight, 3);
});
