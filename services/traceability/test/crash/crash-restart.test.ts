// That a hub of many blocks serves again after it was killed: nothing at the start may grow with the
// length of the chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { prepareEvent } from '../../src/events/prepare.ts';
import type { EventInput } from '../../src/events/schema.ts';
import type { Draft } from '../../src/ledger/draft.ts';
import { startCrashChild } from './crash-hub.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { TEST_CALLER, openTestStore } from '../ledger.ts';
import { newRecord, postOnce } from '../posting.ts';
import { storedHeight } from '../stored.ts';

const BLOCKS = chooseRounds({ usual: 5_000, long: 100_000 });
const BLOCKS_PER_APPEND = 1_000;
/**
 * A start that reads the chain takes longer than one of an empty hub, the more the longer the chain is;
 * one that does not takes about as long. Both start at the same moment, so that whatever else the
 * machine does slows both down.
 */
const READY_RATIO_MAX = 4;

function makeDraft(index: number): Draft {
  const event: EventInput = {
    external_id: `e-${index}`,
    event_type: 'PRODUCE',
    occurred_at: '2026-03-02T07:15:00Z',
    location: 'PLANT-1',
    reference: `WO-${index}`,
    lines: [
      {
        lot_code: `LOT-${index >> 4}`,
        product_sku: 'CAKE',
        direction: 'out',
        quantity: 1,
        unit: 'kg',
      },
    ],
  };
  const prepared = prepareEvent(event, { root: [], nowMs: 0, newSalt, identity: 'external_id' });
  if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
  return prepared.draft;
}

async function buildChain(database: TestDatabase): Promise<void> {
  await using store = await openTestStore(database);
  for (let from = 0; from < BLOCKS; from += BLOCKS_PER_APPEND) {
    const drafts = Array.from({ length: BLOCKS_PER_APPEND }, (_, index) => makeDraft(from + index));
    await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts, unit: 'all' });
  }
}

test(`a killed hub of ${BLOCKS} blocks serves again at once`, async (t) => {
  await using database = await newTestDatabase();
  const fresh = await startCrashChild({ database });
  await fresh.end();
  await buildChain(database);
  const killed = await startCrashChild({ database });
  const record = newRecord();
  for (let count = 0; count < 20; count += 1)
    await postOnce(killed.base, [`late-${count}`], record);
  await killed.end();

  await using emptyDatabase = await newTestDatabase();
  const again = newRecord();
  const [restarted, empty] = await Promise.all(
    [database, emptyDatabase].map((one) => startCrashChild({ database: one })),
  );
  await postOnce(restarted!.base, ['after'], again);
  for (const child of [restarted!, empty!]) {
    await child.end();
  }

  t.diagnostic(`an empty hub served after ${Math.round(empty!.readyMs)} ms`);
  t.diagnostic(`ready again after ${Math.round(restarted!.readyMs)} ms`);
  assert.equal(again.acknowledged.length, 1);
  assert.equal(await storedHeight(database), BLOCKS + record.acknowledged.length + 1);
  assert.ok(restarted!.readyMs < READY_RATIO_MAX * empty!.readyMs);
});
