// Tests the edges of links: in order, each once, and with work only for the shown ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinEdges, type LinkJunction } from './edges.ts';

const byEvent = (height: number, ins: number[], outs: number[]): LinkJunction => ({
  basis: 'event',
  height,
  ins,
  outs,
  inHeights: [],
  outHeights: [],
});

/** Edges as `height: from > to`, with the height of the in-side where it is another event. */
async function edgesAsText(
  junctions: readonly LinkJunction[],
  options: {
    readonly deliveries?: readonly { from: number; to: number; height: number }[];
    readonly edgesMax?: number;
  } = {},
): Promise<{ readonly edges: readonly string[]; readonly isCut: boolean }> {
  const { edges, isCut } = await joinEdges({
    junctions,
    deliveries: options.deliveries ?? [],
    edgesMax: options.edgesMax ?? 100,
  });
  return {
    isCut,
    edges: edges.map(({ from, to, height, inHeight }) => {
      const inSide = inHeight === undefined ? '' : ` (in ${inHeight})`;
      return `${height}: ${from} > ${to}${inSide}`;
    }),
  };
}

test('edges come by height, then by what went in, then by what came out', async () => {
  const { edges } = await edgesAsText([byEvent(20, [3, 1], [4, 2]), byEvent(7, [9], [8])]);

  assert.deepEqual(edges, ['7: 9 > 8', '20: 1 > 2', '20: 1 > 4', '20: 3 > 2', '20: 3 > 4']);
});

test('no lot leads to itself', async () => {
  const { edges, isCut } = await edgesAsText([byEvent(1, [1, 2], [1, 2])]);

  assert.deepEqual(edges, ['1: 1 > 2', '1: 2 > 1']);
  assert.equal(isCut, false);
});

test('an event that both walks went along gives each edge once', async () => {
  const up = byEvent(5, [1, 2], [3]);
  const down = byEvent(5, [2], [3, 4]);

  const { edges } = await edgesAsText([up, down]);

  assert.deepEqual(edges, ['5: 1 > 3', '5: 2 > 3', '5: 2 > 4']);
});

test('an edge by reference names the first event of each side', async () => {
  const { edges } = await edgesAsText([
    {
      basis: 'reference',
      height: 0,
      ins: [2, 1],
      inHeights: [10, 30],
      outs: [4, 3],
      outHeights: [20, 15],
    },
  ]);

  assert.deepEqual(edges, [
    '15: 1 > 3 (in 30)',
    '15: 2 > 3 (in 10)',
    '20: 1 > 4 (in 30)',
    '20: 2 > 4 (in 10)',
  ]);
});

test('deliveries are among the links of their height', async () => {
  const deliveries = [
    { from: 9, to: 1, height: 5 },
    { from: 0, to: 1, height: 5 },
  ];

  const { edges } = await edgesAsText([byEvent(5, [1], [2]), byEvent(4, [1], [3])], { deliveries });

  assert.deepEqual(edges, ['4: 1 > 3', '5: 0 > 1', '5: 1 > 2', '5: 9 > 1']);
});

test('the bound cuts at the last edge that fits, and says so', async () => {
  const junctions = [byEvent(1, [1, 2], [3, 4]), byEvent(2, [5], [6])];

  const exact = await edgesAsText(junctions, { edgesMax: 5 });
  const cut = await edgesAsText(junctions, { edgesMax: 3 });

  assert.deepEqual([exact.edges.length, exact.isCut], [5, false]);
  assert.deepEqual(cut, { edges: ['1: 1 > 3', '1: 1 > 4', '1: 2 > 3'], isCut: true });
});

test('links that stand for a hundred million edges cost what is shown of them', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => index);
  const reference: LinkJunction = {
    basis: 'reference',
    height: 0,
    ins: many,
    inHeights: many,
    outs: many.map((lot) => lot + 10_000),
    outHeights: many.map((lot) => lot + 10_000),
  };

  const { edges, isCut } = await joinEdges({
    junctions: [reference],
    deliveries: [],
    edgesMax: 50_000,
  });

  assert.deepEqual([edges.length, isCut], [50_000, true]);
});
