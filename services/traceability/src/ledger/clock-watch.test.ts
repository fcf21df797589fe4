// The watch over the clock, with a clock that the test sets: alarms that are raised, accepted and end, and
// what of them outlives the process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock, type MachineClock } from '@lothub/kit/clock';
import { testEngine } from '../../test/engine.ts';
import { makeEvent, makeLine, openTestLedger, type TestLedger } from '../../test/ledger.ts';
import { acceptClockAlarms, readOpenClockAlarms } from './clock-alarms.ts';
import { ClockTrust } from './clock-trust.ts';
import { ClockWatch } from './clock-watch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Watched extends AsyncDisposable {
  readonly watch: ClockWatch;
  readonly log: readonly string[];
  /** Sets the clock, and has it checked. */
  set(aheadMs: number): Promise<void>;
}

/** Begins like a new process: only the clock as it is at the start is accepted. */
async function watchOver(
  ledger: TestLedger,
  start: { readonly aheadMs: number; readonly machine?: string },
): Promise<Watched> {
  let { aheadMs } = start;
  const clock: MachineClock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + aheadMs,
  };
  const log: string[] = [];
  const note = (...given: readonly unknown[]): void => void log.push(String(given.at(-1)));
  const { store } = ledger;
  const watch = await ClockWatch.open({
    store: {
      reader: store.reader,
      write: (statements) => store.write(statements),
      clockFacts: () => store.clockFacts(),
      clockTrust: ClockTrust.begin(clock),
    },
    clock,
    machine: start.machine ?? 'mill-1',
    log: { error: note, warn: note, info: note },
  });
  return {
    watch,
    log,
    set: async (ms) => {
      aheadMs = ms;
      await watch.check();
    },
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}

async function readAlarms({ store }: TestLedger): Promise<readonly string[]> {
  const alarms = await readOpenClockAlarms(store.reader);
  return alarms.map(({ machine, code }) => `${machine} ${code}`).toSorted();
}

async function accept({ store }: TestLedger): Promise<void> {
  const alarms = await readOpenClockAlarms(store.reader);
  const atMs = systemClock.nowMs();
  await store.write(acceptClockAlarms(alarms, { actor: 'test', atMs }));
}

/** PostgreSQL has a clock of its own to compare with. */
const JUMPED =
  testEngine === 'sqlite'
    ? ['mill-1 clock_jumped']
    : ['mill-1 clock_differs', 'mill-1 clock_jumped'];

test('a clock that jumps ahead raises an alarm once, and ends it by going back', async () => {
  await using ledger = await openTestLedger();
  await using watched = await watchOver(ledger, { aheadMs: 0 });

  await watched.set(365 * DAY_MS);
  await watched.set(365 * DAY_MS);
  const open = await readAlarms(ledger);
  assert.throws(() => watched.watch.assertTrusted(), { code: 'clock_untrusted' });
  await watched.set(0);

  assert.deepEqual(open, JUMPED);
  assert.deepEqual(await readAlarms(ledger), []);
  assert.equal(watched.watch.fault, undefined);
  watched.watch.assertTrusted();
  assert.equal(watched.log.filter((line) => /nothing is written/.test(line)).length, JUMPED.length);
  assert.match(watched.log.at(-1)!, /is believed again: writing goes on/);
});

test('a jump that is accepted is believed, and the next one is not', async () => {
  await using ledger = await openTestLedger();
  await using watched = await watchOver(ledger, { aheadMs: 0 });
  await watched.set(3 * HOUR_MS);

  await accept(ledger);
  await watched.set(3 * HOUR_MS);
  const accepted = watched.watch.fault;
  await watched.set(6 * HOUR_MS);

  assert.equal(accepted, undefined);
  assert.notEqual(watched.watch.fault, undefined);
  assert.deepEqual(await readAlarms(ledger), JUMPED);
  const audit = await ledger.database.rows(
    "select actor, entity_id, details from audit_entries where action = 'accept_clock'",
  );
  assert.equal(audit.length, JUMPED.length);
  assert.equal(audit[0]?.['entity_id'], 'mill-1');
});

test('a restart believes no clock that had jumped, until it is accepted or goes back', async () => {
  await using ledger = await openTestLedger();
  {
    await using watched = await watchOver(ledger, { aheadMs: 0 });
    await watched.set(365 * DAY_MS);
  }
  await using again = await watchOver(ledger, { aheadMs: 365 * DAY_MS });
  const inherited = [again.watch.fault !== undefined, await readAlarms(ledger)];
  await again.set(0);
  const putRight = [again.watch.fault, await readAlarms(ledger)];
  await again.set(365 * DAY_MS);
  await using third = await watchOver(ledger, { aheadMs: 365 * DAY_MS });
  await accept(ledger);
  await third.watch.check();

  assert.deepEqual(inherited, [true, JUMPED]);
  assert.deepEqual(putRight, [undefined, []]);
  assert.equal(third.watch.fault, undefined);
  assert.deepEqual(await readAlarms(ledger), []);
});

test("a clock that jumped is no other machine's", async () => {
  await using ledger = await openTestLedger();
  await using watched = await watchOver(ledger, { aheadMs: 0 });
  await watched.set(365 * DAY_MS);

  await using other = await watchOver(ledger, { aheadMs: 0, machine: 'mill-2' });

  assert.equal(other.watch.fault, undefined);
  assert.deepEqual(await readAlarms(ledger), JUMPED);
});

test('a clock behind the last block may be put right by a jump, or be accepted for good', async () => {
  await using ledger = await openTestLedger();
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')])]);
  await using watched = await watchOver(ledger, { aheadMs: -2 * DAY_MS });
  const found = await readAlarms(ledger);

  await watched.set(0);
  const putRight = [watched.watch.fault, await readAlarms(ledger)];
  await using again = await watchOver(ledger, { aheadMs: -2 * DAY_MS });
  await accept(ledger);
  await again.watch.check();
  const accepted = again.watch.fault;
  await using later = await watchOver(ledger, { aheadMs: -2 * DAY_MS });

  const code = testEngine === 'sqlite' ? 'clock_behind_tip' : 'clock_differs';
  assert.deepEqual(found, [`mill-1 ${code}`]);
  assert.deepEqual(putRight, [undefined, []]);
  assert.equal(accepted, undefined);
  assert.equal(later.watch.fault, undefined);
});

test('an old last block is warned about at the start, and is no fault', async () => {
  await using ledger = await openTestLedger();

  await using watched = await watchOver(ledger, { aheadMs: 2 * DAY_MS });

  assert.match(watched.log[0]!, /the last block is more than a day old/);
  // It is the database server alone that may say more.
  assert.equal(watched.watch.fault === undefined, testEngine === 'sqlite');
});
