// When keys were used last: noted beside requests, to the minute, the latest of all processes.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { KeyUses, readLastUses } from '../../src/keys/key-uses.ts';
import { openTestLedger, type TestLedger } from '../ledger.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1, 12, 30, 59, 999);
const START = '2026-01-01T12:30:00.000Z';
const NEXT = '2026-01-01T12:31:00.000Z';

interface Noting {
  readonly uses: KeyUses;
  readonly clock: { ms: number };
  /** Statements of each write. */
  readonly writes: (readonly Sql[])[];
  readonly errors: unknown[];
}

/** A process of its own on a ledger; `fails` says whether its writes fail. */
function notingOn({ store }: Pick<TestLedger, 'store'>, fails = { now: false }): Noting {
  const clock = { ms: START_MS };
  const writes: (readonly Sql[])[] = [];
  const errors: unknown[] = [];
  const uses = new KeyUses({
    write: async (statements) => {
      writes.push(statements);
      if (fails.now) throw new Error('away');
      return await store.write(statements);
    },
    clock: { nowMs: () => clock.ms },
    onError: (error) => errors.push(error),
  });
  return { uses, clock, writes, errors };
}

async function openLedger(t: TestContext): Promise<TestLedger> {
  const ledger = await openTestLedger();
  t.after(() => ledger[Symbol.asyncDispose]());
  return ledger;
}

async function usesIn({ store }: TestLedger, ...keyIds: readonly string[]): Promise<object> {
  return Object.fromEntries(await readLastUses(store.reader, keyIds));
}

test('a use is stored to the minute, and a key that was never used has none', async (t) => {
  const ledger = await openLedger(t);
  const { uses } = notingOn(ledger);

  uses.note('one');
  await uses.flush();

  assert.deepEqual(await usesIn(ledger, 'one', 'two'), { one: START });
});

test('however often a key is used, it is written once a minute', async (t) => {
  const ledger = await openLedger(t);
  const { uses, clock, writes } = notingOn(ledger);

  for (let count = 0; count < 100; count += 1) uses.note('one');
  await uses.flush();
  uses.note('one');
  await uses.flush();
  clock.ms += 1;
  uses.note('one');
  await uses.flush();

  assert.equal(writes.length, 2);
  assert.deepEqual(await usesIn(ledger, 'one'), { one: NEXT });
});

test('of two processes the later minute stays', async (t) => {
  const ledger = await openLedger(t);
  const [early, late] = [notingOn(ledger), notingOn(ledger)];
  late.clock.ms += MINUTE_MS;

  for (const { uses } of [early, late]) for (const key of ['one', 'two']) uses.note(key);
  await late.uses.flush();
  await early.uses.flush();

  assert.deepEqual(await usesIn(ledger, 'one', 'two'), { one: NEXT, two: NEXT });
});

test('noting waits for nothing, and what cannot be written is kept and reported once', async (t) => {
  const ledger = await openLedger(t);
  const fails = { now: true };
  const { uses, errors } = notingOn(ledger, fails);

  uses.note('one');
  await uses.flush();
  uses.note('two');
  await uses.flush();
  fails.now = false;
  await uses.flush();

  assert.equal(errors.length, 1);
  assert.deepEqual(await usesIn(ledger, 'one', 'two'), { one: START, two: START });
});

test('a clock that goes back takes no use back', async (t) => {
  const ledger = await openLedger(t);
  const { uses, clock } = notingOn(ledger);

  uses.note('one');
  await uses.flush();
  clock.ms -= 10 * MINUTE_MS;
  uses.note('one');
  await uses.flush();

  assert.deepEqual(await usesIn(ledger, 'one'), { one: START });
});

test('what is noted is written when the process ends', async (t) => {
  const ledger = await openLedger(t);
  const { uses } = notingOn(ledger);

  uses.note('one');
  await uses[Symbol.asyncDispose]();

  assert.deepEqual(await usesIn(ledger, 'one'), { one: START });
});

test('thousands of keys are written together', async (t) => {
  const ledger = await openLedger(t);
  const { uses, writes } = notingOn(ledger);
  const keyIds = Array.from({ length: 3_000 }, (_, index) => `key ${index}`);

  for (const keyId of keyIds) uses.note(keyId);
  await uses.flush();

  assert.equal(writes.length, 1);
  assert.equal(Object.keys(await usesIn(ledger, ...keyIds)).length, 3_000);
});
