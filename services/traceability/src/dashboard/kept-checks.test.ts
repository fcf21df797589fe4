// When checks are made anew, and when those that were made are good enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptChecks, type Checked } from './kept-checks.ts';

interface Numbered extends Checked {
  readonly no: number;
}

const TENANT = { tenantNo: 1, lastHeight: 10 } as const;
const TAKEN_MS = 100;

/** Checks that take a tenth of a second by the clock; each answers how many were made before it. */
function keeping(events: number) {
  const clock = { ms: 0 };
  const kept = new KeptChecks<Numbered>({ nowMs: () => clock.ms });
  let made = 0;
  const ask = async (tenant: { readonly tenantNo: number; readonly lastHeight: number }) => {
    const { result } = await kept.of(tenant, async () => {
      await Promise.resolve();
      clock.ms += TAKEN_MS;
      return { no: (made += 1), lookedAt: { events, lots: 0 } };
    });
    return result.no;
  };
  return { clock, ask };
}

test('as long as a tenant records nothing its checks are those that were made', async () => {
  const { ask, clock } = keeping(1);

  const first = await ask(TENANT);
  clock.ms += 1_000_000;
  const later = await ask(TENANT);

  assert.deepEqual([first, later], [1, 1]);
});

test('few events are checked anew for each block of the tenant', async () => {
  const { ask } = keeping(1_000);

  const first = await ask(TENANT);
  const next = await ask({ ...TENANT, lastHeight: 11 });

  assert.deepEqual([first, next], [1, 2]);
});

test('many events are checked anew after twenty times as long as it takes', async () => {
  const { ask, clock } = keeping(1_001);
  const next = { ...TENANT, lastHeight: 11 };

  await ask(TENANT);
  clock.ms += 20 * TAKEN_MS - 1;
  const before = await ask(next);
  clock.ms += 1;
  const after = await ask(next);

  assert.deepEqual([before, after], [1, 2]);
});

test('whoever asks at the same time waits for one check', async () => {
  const { ask } = keeping(1);

  const answers = await Promise.all([ask(TENANT), ask(TENANT), ask({ ...TENANT, tenantNo: 2 })]);

  assert.deepEqual(answers.toSorted(), [1, 1, 2]);
});

test('whoever asks for a newer block does not get what was checked before it', async () => {
  const { ask } = keeping(1);

  const [older, newer] = await Promise.all([ask(TENANT), ask({ ...TENANT, lastHeight: 11 })]);

  assert.deepEqual([older, newer], [1, 2]);
});

test('a check that fails is made again by whoever asks next', async () => {
  const kept = new KeptChecks<Numbered>({ nowMs: () => 0 });
  const failed = kept.of(TENANT, () => Promise.reject(new Error('away')));
  await assert.rejects(failed, /away/);

  const { result } = await kept.of(TENANT, () =>
    Promise.resolve({ no: 7, lookedAt: { events: 0, lots: 0 } }),
  );

  assert.equal(result.no, 7);
});
