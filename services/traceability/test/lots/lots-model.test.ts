// Random supply chains, posted to a hub and played through a plain model: whatever is asked of a lot, both
// answer the same; and the rows derived of it are those that the blocks give.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds, isLongRun } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { boot, type Booted } from '../boot.ts';
import { chainsToPlay } from '../engine.ts';
import type { PostedEvent, PostedLine } from '../model/records.ts';
import { compareAnswers, type Questions } from '../model/compare.ts';
import { playChain, rest } from '../model/play.ts';
import { DENSE, LONG, supplyChain, type ChangePlan, type Step } from '../model/supply-chains.ts';
import { rebuildRows, verifiedCodes } from '../verified.ts';

const DENSE_QUESTIONS: Questions = {
  depths: [1, 2, 50],
  searches: ['a', 'FLOUR', 'ill', 'S-1', '%', 'É'],
  supplierLotCodes: ['S-1', 'S-2', 'nothing'],
  isAsked: () => true,
};
const LONG_QUESTIONS: Questions = {
  depths: [2, 10],
  searches: ['a', 'FLOUR', 'A.1'],
  supplierLotCodes: ['S-1'],
  isAsked: (index) => index % 47 === 0,
};

/** A slow machine plays fewer chains, and makes a failing one less small. */
const IN_TIME = { interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false };
/** Each takes half a minute of a processor: they are for the long run. */
const LONG_CHAINS = 2;
/** The first long chain has to come to its end. */
const LONG_IN_TIME = { ...IN_TIME, interruptAfterTimeLimit: PATIENCE_MS };

/** Plays a chain on a hub of its own, and compares before and after its rows are made anew. */
async function assertAsModelled(steps: readonly Step[], questions: Questions): Promise<void> {
  const hub = await boot();
  let reborn: Booted | undefined;
  try {
    const model = await playChain(hub, steps);
    await compareAnswers(hub, model, questions);
    await hub.service.close();
    assert.deepEqual(await verifiedCodes(hub.database), []);
    await rebuildRows(hub.database);
    assert.deepEqual(await verifiedCodes(hub.database), []);
    reborn = await boot({ database: hub.database });
    await rest(reborn);
    await compareAnswers(reborn, model, questions);
  } finally {
    await (reborn ?? hub)[Symbol.asyncDispose]();
  }
}

function received(lines: readonly Partial<PostedLine>[]): PostedEvent {
  return {
    event_type: 'RECEIVE',
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY',
    reference: 'R-1',
    lines: lines.map((changes) => ({ ...LINE, ...changes })),
  };
}

const LINE: PostedLine = {
  lot_code: 'A',
  product_sku: 'FLOUR',
  direction: 'in',
  quantity: 2,
  unit: 'kg',
};

function posted(...events: readonly PostedEvent[]): Step {
  return { kind: 'post', tenantId: 'acme', events };
}

/** Voids the tenant's event of this index. */
function voided(pick: number): Step {
  return { kind: 'void', tenantId: 'acme', pick };
}

// Chains that once were answered for otherwise.

test('a lot whose event was voided is of the SKU of the next event, and found by that alone', async () => {
  await assertAsModelled(
    [posted(received([LINE])), voided(0), posted(received([{ product_sku: 'roll' }]))],
    DENSE_QUESTIONS,
  );
});

test('a lot whose line was corrected to another lot is of the SKU that names it next', async () => {
  const away: ChangePlan = { field: 'lot_code', pick: 0, spelling: 'bare', newValue: 'B' };
  await assertAsModelled(
    [
      posted(received([LINE])),
      { kind: 'correct', tenantId: 'acme', pick: 0, changes: [away], claims: 'right' },
      posted(received([{ product_sku: 'roll' }])),
    ],
    DENSE_QUESTIONS,
  );
});

test('a supplier lot is of the SKU it was received as first, whichever own lot was known first', async () => {
  const delivered = { supplier_name: 'Mill', supplier_lot_code: 'S-1' };
  const made: PostedEvent = {
    ...received([
      { lot_code: 'A', direction: 'in' },
      { lot_code: 'B', direction: 'in' },
      { lot_code: 'BREAD', direction: 'out' },
    ]),
    event_type: 'PRODUCE',
  };
  await assertAsModelled(
    [
      posted(received([{ lot_code: 'A' }])),
      posted(received([{ lot_code: 'B', product_sku: 'FLOUR', ...delivered }])),
      posted(received([{ lot_code: 'A', product_sku: 'roll', ...delivered }])),
      posted(made),
    ],
    DENSE_QUESTIONS,
  );
});

test('a supplier lot that came in twice has one edge, of the first event', async () => {
  const delivered = received([{ supplier_name: 'Mill', supplier_lot_code: 'S-1' }]);
  await assertAsModelled([posted(delivered), posted(delivered)], DENSE_QUESTIONS);
});

test('one event gives several lots a SKU that they are found by from then on', async () => {
  const both = (sku: string): PostedEvent =>
    received(['A', 'B'].map((lot_code) => ({ lot_code, product_sku: sku })));
  await assertAsModelled(
    [posted(both('FLOUR')), { kind: 'rest' }, posted(both('roll'))],
    DENSE_QUESTIONS,
  );
});

test('lots that meet again and again are answered for as the plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(supplyChain(DENSE), async (steps) => {
      await assertAsModelled(steps, DENSE_QUESTIONS);
    }),
    { numRuns: chainsToPlay(chooseRounds({ usual: 1, long: 6 })), ...IN_TIME },
  );
});

if (isLongRun) {
  test('long chains of many lots are answered for as the plain model says', async () => {
    const found = await fc.check(
      fc.asyncProperty(supplyChain(LONG), async (steps) => {
        await assertAsModelled(steps, LONG_QUESTIONS);
      }),
      // A chain of hundreds of events is neither made smaller in the time of a test, nor printed.
      {
        numRuns: chainsToPlay(LONG_CHAINS),
        endOnFailure: true,
        ...LONG_IN_TIME,
      },
    );

    if (found.failed) {
      throw new Error(`a chain made with the seed ${found.seed}`, { cause: found.errorInstance });
    }
  });
}
