// Log-ins that come one at a time begin at once; many within a second begin together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogInGathering } from './log-in-gathering.ts';

/** How many of some log-ins have begun before any time passes. */
async function begunAtOnce(gathering: LogInGathering, count: number): Promise<number> {
  let begun = 0;
  for (let n = 0; n < count; n += 1) void gathering.join().then(() => (begun += 1));
  await new Promise(setImmediate);
  return begun;
}

test('a few log-ins within a second begin at once, those behind them are gathered', async () => {
  const gathering = new LogInGathering(() => 0);

  assert.equal(await begunAtOnce(gathering, 20), 8);
});

test('log-ins that come slowly are never gathered, however many there were before', async () => {
  let nowMs = 0;
  const gathering = new LogInGathering(() => nowMs);
  const begun: number[] = [];

  await begunAtOnce(gathering, 20);
  for (let n = 0; n < 20; n += 1) {
    nowMs += 2_000;
    begun.push(await begunAtOnce(gathering, 1));
  }

  assert.deepEqual(new Set(begun), new Set([1]));
});

test('what is gathered begins together', async () => {
  const gathering = new LogInGathering(() => 0);
  const order: string[] = [];
  for (let n = 0; n < 8; n += 1) await gathering.join();

  await Promise.all(['a', 'b', 'c'].map((name) => gathering.join().then(() => order.push(name))));
  assert.equal(await begunAtOnce(gathering, 1), 0);

  assert.deepEqual(order, ['a', 'b', 'c']);
});
