// Counting the groups of lots that lead back to themselves, by examples and against the plain words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countCycles, type Junction } from './cycles.ts';

const link = (ins: readonly number[], outs: readonly number[]): Junction => ({ ins, outs });

test('a chain of lots has no cycle', async () => {
  const cycles = await countCycles(3, [link([0], [1]), link([1], [2]), link([0], [2])]);

  assert.equal(cycles, 0);
});

test('two lots that lead to each other are one cycle', async () => {
  const cycles = await countCycles(3, [link([0], [1]), link([1], [0]), link([1], [2])]);

  assert.equal(cycles, 1);
});

test('a lot on both sides of an event does not lead to itself', async () => {
  const cycles = await countCycles(3, [link([0, 1], [0, 2]), link([2], [2])]);

  assert.equal(cycles, 0);
});

test('cycles that share a lot are one group', async () => {
  const cycles = await countCycles(5, [
    link([0], [1]),
    link([1], [0, 2]),
    link([2], [1]),
    link([3], [4]),
    link([4], [3]),
  ]);

  assert.equal(cycles, 2);
});

test('a ring of 200,000 lots is one cycle, found without a deep stack and in turns', async () => {
  const count = 200_000;
  const ring = Array.from({ length: count }, (_, lot) => link([lot], [(lot + 1) % count]));
  let turns = 0;
  const waiting = setInterval(() => (turns += 1), 0);

  const cycles = await countCycles(count, ring);

  clearInterval(waiting);
  assert.equal(cycles, 1);
  assert.ok(turns > 0);
});

const LOT_COUNT = 8;
const lots = fc.array(fc.nat({ max: LOT_COUNT - 1 }), { maxLength: 3 });
const anyJunctions = fc.array(fc.record({ ins: lots, outs: lots }), { maxLength: 8 });

/** By the plain words: groups of lots of which each leads to each other. */
function plainCycles(junctions: readonly Junction[]): number {
  const leads = Array.from({ length: LOT_COUNT }, () => new Set<number>());
  for (const { ins, outs } of junctions) {
    for (const from of ins) for (const to of outs) if (to !== from) leads[from]!.add(to);
  }
  for (let hops = 0; hops < LOT_COUNT; hops += 1) {
    for (const to of leads) for (const next of [...to]) for (const far of leads[next]!) to.add(far);
  }
  const groups = leads.map((to, lot) =>
    leads.flatMap((back, other) => (to.has(other) && back.has(lot) ? [other] : [])),
  );
  return new Set(groups.filter((group) => group.length > 1).map(String)).size;
}

test('random links have the cycles that the plain words say', async () => {
  await fc.assert(
    fc.asyncProperty(anyJunctions, async (junctions) => {
      const cycles = await countCycles(LOT_COUNT, junctions);

      assert.equal(cycles, plainCycles(junctions));
    }),
    { numRuns: 500 },
  );
});
