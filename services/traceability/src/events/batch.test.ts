// Appending a batch: the turns that others have while it is prepared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import { appendBatch } from './batch.ts';

const EVENTS = 1_000;
const LINES = 100;

function anEvent(n: number): unknown {
  const line = { product_sku: 'S', direction: 'out', quantity: 1, unit: 'kg', customer_ref: 'C' };
  return {
    external_id: `e${n}`,
    event_type: 'SELL',
    occurred_at: '2026-03-02T07:15:00Z',
    location: 'SHOP',
    reference: 'R',
    lines: Array.from({ length: LINES }, (_, index) => ({ ...line, lot_code: `L${index}` })),
  };
}

const unused = (): Promise<never> => Promise.reject(new Error('no event is unfit'));
const unasked: DatabaseReader = {
  all: unused,
  first: unused,
  close: unused,
  [Symbol.asyncDispose]: unused,
};

/** Counts the turns that others get until the batch is handed over to be appended, or refused. */
async function countTurns(events: readonly unknown[]): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  const handedOver = new Error('handed over');
  const appended = appendBatch({
    tenantId: 'acme',
    caller: { actor: 'key', requestId: 'r' },
    events,
    onError: 'abort',
    store: { append: () => Promise.reject(handedOver) },
    reader: { head: () => Promise.reject(handedOver), database: unasked },
    state: { valid: true },
    clock: { nowMs: () => Date.UTC(2026, 2, 3) },
  });

  await assert.rejects(appended);

  clearImmediate(waiting);
  return turns;
}

test('preparing 100,000 lines lets others have their turn', async () => {
  const turns = await countTurns(Array.from({ length: EVENTS }, (_, n) => anEvent(n)));

  assert.ok(turns >= 100, `${turns} turns`);
});

test('refusing 100,000 wrong lines lets others have their turn', async () => {
  const wrong = { ...Object(anEvent(0)), lines: Array.from({ length: LINES }, () => 0) } as unknown;

  const turns = await countTurns(Array.from({ length: EVENTS }, () => wrong));

  assert.ok(turns >= 100, `${turns} turns`);
});

test('a small batch is prepared at once', async () => {
  assert.equal(await countTurns([anEvent(0)]), 0);
});
