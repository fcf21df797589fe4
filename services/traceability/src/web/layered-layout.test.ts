// Tests layouts of small graphs that can be read at a glance, and of random ones by the rules of
// all layouts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layOutLayers, type LayeredGraph, type LayeredLayout } from './layered-layout.ts';

/**
 * A limit of processor time that is many times the usual time, because other machines are slower.
 */
const LARGE_MS_MAX = 5_000;
/** Lines over more layers are straight. */
const BENT_MAX = 8;

const GRAPHS = fc.integer({ min: 1, max: 30 }).chain((nodeCount) => {
  const node = fc.integer({ min: 0, max: nodeCount - 1 });
  return fc.record<LayeredGraph>({
    nodeCount: fc.constant(nodeCount),
    lines: fc.array(fc.record({ from: node, to: node }), { maxLength: 60 }),
  });
});

function buildKey({ layer, row }: { readonly layer: number; readonly row: number }): string {
  return `${layer}/${row}`;
}

function layersOfLine(layout: LayeredLayout, index: number): readonly number[] {
  const line = layout.lines[index]!;
  const ends = [layout.places[line.from]!, ...line.bends, layout.places[line.to]!];
  return ends.map(({ layer }) => layer);
}

test('a chain of lots goes straight from left to right', () => {
  const layout = layOutLayers({
    nodeCount: 3,
    lines: [
      { from: 2, to: 0 },
      { from: 0, to: 1 },
    ],
  });

  assert.deepEqual(layout.places, [
    { layer: 1, row: 0 },
    { layer: 2, row: 0 },
    { layer: 0, row: 0 },
  ]);
});

test('what one lot was made into is in one layer, with the lot beside the middle', () => {
  const layout = layOutLayers({
    nodeCount: 4,
    lines: [1, 2, 3].map((to) => ({ from: 0, to })),
  });

  assert.deepEqual(layout.places, [
    { layer: 0, row: 1 },
    { layer: 1, row: 0 },
    { layer: 1, row: 1 },
    { layer: 1, row: 2 },
  ]);
});

test('an ingredient that comes in late is right before what it went into', () => {
  const layout = layOutLayers({
    nodeCount: 4,
    lines: [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 3, to: 2 },
    ],
  });

  assert.equal(layout.places[3]?.layer, 1);
});

test('of a cycle one line leads back, and the rest leads on', () => {
  const layout = layOutLayers({
    nodeCount: 3,
    lines: [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 2, to: 0 },
    ],
  });

  assert.deepEqual(
    layout.lines.map(({ isBack }) => isBack),
    [false, false, true],
  );
});

test('no two nodes or bends of any graph share a place', () => {
  fc.assert(
    fc.property(GRAPHS, (graph) => {
      const layout = layOutLayers(graph);

      const nodes = layout.places.map(buildKey);
      const bends = new Set(layout.lines.flatMap((line) => line.bends.map(buildKey)));
      assert.equal(new Set(nodes).size, graph.nodeCount);
      assert.deepEqual(
        nodes.filter((place) => bends.has(place)),
        [],
      );
      assert.ok(
        layout.places.every(({ layer, row }) => layer < layout.layers && row < layout.rows),
      );
      assert.ok(layout.places.every(({ layer, row }) => layer >= 0 && row >= 0));
    }),
  );
});

test('every line of any graph leads on, layer by layer, or back where it closes a cycle', () => {
  fc.assert(
    fc.property(GRAPHS, (graph) => {
      const layout = layOutLayers(graph);

      for (const [index, { isBack }] of layout.lines.entries()) {
        const layers = layersOfLine(layout, index);
        const steps = layers.slice(1).map((layer, at) => layer - (layers[at] ?? 0));
        const onward = isBack ? steps.map((step) => -step) : steps;
        assert.ok(onward.every((step) => step === 1 || (onward.length === 1 && step > BENT_MAX)));
      }
    }),
  );
});

test('a graph without a cycle has no line that leads back', () => {
  fc.assert(
    fc.property(GRAPHS, ({ nodeCount, lines }) => {
      const acyclic = lines.map(({ from, to }) => ({
        from: Math.min(from, to),
        to: Math.max(from, to),
      }));

      const layout = layOutLayers({ nodeCount, lines: acyclic });

      assert.ok(layout.lines.every(({ isBack }) => !isBack));
    }),
  );
});

test('two thousand nodes take no time that anybody would notice, and come out the same twice', () => {
  // Each made of one or two of those some hundreds before it: a dozen layers.
  const lines = Array.from({ length: 3_600 }, (_, index) => {
    const to = 200 + (index % 1_800);
    return { from: to - 150 - ((to * 7_919 + index) % 50), to };
  });
  const graph = { nodeCount: 2_000, lines };
  const first = layOutLayers(graph);
  const before = process.cpuUsage();

  const second = layOutLayers(graph);

  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1_000 < LARGE_MS_MAX);
  assert.deepEqual(second, first);
});
