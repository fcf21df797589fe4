// A chain grows while its last block changes, and for a moment after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainGrowth } from './growth.ts';

test('a chain grows until its last block has been the same for a second', async () => {
  let tip = 7;
  const growth = new ChainGrowth(() => Promise.resolve(tip));

  // It is not known yet whether the chain grows.
  assert.equal(await growth.isGrowing(0), true);
  assert.equal(await growth.isGrowing(999), true);
  assert.equal(await growth.isGrowing(1_000), false);
  tip = 8;
  assert.equal(await growth.isGrowing(1_300), true);
  assert.equal(await growth.isGrowing(2_299), true);
  assert.equal(await growth.isGrowing(2_300), false);
});

test('the last block is read four times a second at most', async () => {
  let reads = 0;
  const growth = new ChainGrowth(() => Promise.resolve((reads += 1)));

  for (let ms = 0; ms < 1_000; ms += 2) await growth.isGrowing(ms);

  assert.equal(reads, 4);
});
