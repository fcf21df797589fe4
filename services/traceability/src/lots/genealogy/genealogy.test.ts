// Tests what a genealogy shows: by examples, and against the definition in plain words on random
// supply chains, with and without reached bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { chainsToPlay } from '../../../test/engine.ts';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import {
  plainCycles,
  plainDeliveries,
  plainDistances,
  plainLinks,
  plainSupplyChain,
  reversed,
  supplierKey,
} from '../../../test/lots/plain-links.ts';
import type { PlainEdge } from '../../../test/lots/plain-links.ts';
import type { EventInput, LineInput } from '../../events/schema.ts';
import { GENEALOGY_BOUNDS, findGenealogy, type GenealogyBounds } from './genealogy.ts';
import type { GraphNode } from './nodes.ts';
import type { PageSizes } from './link-reader.ts';

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;
/** Every test has its own tenant, so that all can share one ledger. */
const newTenant = (): string => `tenant-${(tenantCount += 1)}`;

/** A genealogy as texts: nodes as `code relation distance`, edges as `event: from > to`. */
interface PlainGenealogy {
  readonly nodes: readonly string[];
  readonly upstream: readonly string[];
  readonly downstream: readonly string[];
  readonly edges: readonly string[];
  readonly frontier: readonly string[];
  readonly cycles: number;
  readonly edgesAreCut: boolean;
}

const buildKey = ({ lotCode, supplierLot }: GraphNode): string =>
  supplierLot === undefined
    ? (lotCode ?? '')
    : supplierKey(
        supplierLot.supplier_name,
        supplierLot.origin_facility,
        supplierLot.supplier_lot_code,
      );

const nodeText = (node: GraphNode): string => `${buildKey(node)} ${node.relation} ${node.distance}`;

/** @param heights of the events, so that edges can be identified by the number of their event */
async function genealogy(
  tenantId: string,
  asked: {
    readonly lotCode: string;
    readonly depth?: number;
    readonly heights?: readonly number[];
    readonly bounds?: Partial<GenealogyBounds>;
  },
): Promise<PlainGenealogy | undefined> {
  const { lotCode, depth = 10, heights = [], bounds = {} } = asked;
  const found = await findGenealogy(
    { database: ledger.store.reader, tenantId, lotCode, depth },
    { ...GENEALOGY_BOUNDS, ...bounds },
  );
  if (found === undefined) return undefined;
  const getNumber = (height: number): number => heights.indexOf(height) + 1;
  return {
    nodes: found.nodes.map(nodeText),
    upstream: found.upstream.map(nodeText),
    downstream: found.downstream.map(nodeText),
    edges: [...found.edges].map(({ from, to, event, inHeight }) =>
      edgeText({
        from: buildKey(from),
        to: buildKey(to),
        basis: inHeight === undefined ? 'event' : 'reference',
        event: getNumber(event.height),
        ...(inHeight === undefined ? {} : { inEvent: getNumber(inHeight) }),
      }),
    ),
    frontier: found.frontier,
    cycles: found.cycles,
    edgesAreCut: found.edgesAreCut,
  };
}

const edgeText = ({ from, to, basis, event, inEvent }: PlainEdge): string =>
  `${event}: ${from} > ${to} by ${basis}${inEvent === undefined ? '' : ` with ${inEvent}`}`;

/**
 * Finds what is shown according to the definition in plain words. `shown` are the lots and supplier
 * lots that may be shown, `ends` those at which a walk may end.
 */
function plainShown(
  edges: readonly PlainEdge[],
  seeds: readonly string[],
  shown: ReadonlySet<string>,
  ends: readonly string[] = [],
): Pick<PlainGenealogy, 'upstream' | 'downstream' | 'edges' | 'frontier' | 'cycles'> {
  const between = edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
  const onwards = ({ from }: PlainEdge): boolean => !ends.includes(from);
  const below = plainDistances(between.filter(onwards), seeds);
  const above = plainDistances(between.map(reversed).filter(onwards), seeds);
  const stops = edges.flatMap(({ from, to }) => [
    ...(above.has(to) && !shown.has(from) ? [to] : []),
    ...(below.has(from) && !shown.has(to) ? [from] : []),
  ]);
  const inDirection = (relation: string, hops: ReadonlyMap<string, number>): readonly string[] =>
    [...hops].flatMap(([key, distance]) =>
      distance === 0 ? [] : [`${key} ${relation} ${distance}`],
    );
  return {
    upstream: inDirection('upstream', above),
    downstream: inDirection('downstream', below),
    edges: between.filter(({ from, to }) => above.has(to) || below.has(from)).map(edgeText),
    frontier: [...new Set(stops)],
    cycles: plainCycles(between),
  };
}

/** Links and deliveries around a lot as edges of one kind, and where the walks begin. */
function plainGraph(
  events: readonly EventInput[],
  lotCode: string,
): { readonly edges: readonly PlainEdge[]; readonly seeds: readonly string[] } {
  const deliveries = plainDeliveries(events);
  const isOwn = events.some((event) => event.lines.some((line) => line.lot_code === lotCode));
  const leaves = deliveries.filter(({ isLeaf, supplierLotCode }) =>
    isOwn ? isLeaf : supplierLotCode === lotCode,
  );
  const firsts = new Map(leaves.toReversed().map((one) => [`${one.from} > ${one.to}`, one]));
  return {
    edges: [...plainLinks(events), ...firsts.values()],
    seeds: isOwn ? [lotCode] : [...new Set(leaves.map((one) => one.from))],
  };
}

function plainGenealogy(
  events: readonly EventInput[],
  { lotCode, depth }: { readonly lotCode: string; readonly depth: number },
): PlainGenealogy | undefined {
  const { edges, seeds } = plainGraph(events, lotCode);
  if (seeds.length === 0) return undefined;
  const down = plainDistances(edges, seeds);
  const up = plainDistances(edges.map(reversed), seeds);
  const places = new Map<string, string>();
  for (const key of new Set([...up.keys(), ...down.keys()])) {
    const [above, below] = [up.get(key) ?? Infinity, down.get(key) ?? Infinity];
    const distance = Math.min(above, below);
    const relation = distance === 0 ? 'self' : above <= below ? 'upstream' : 'downstream';
    if (distance <= depth) places.set(key, `${key} ${relation} ${distance}`);
  }
  return {
    nodes: [...places.values()],
    ...plainShown(edges, seeds, new Set(places.keys())),
    edgesAreCut: false,
  };
}

const sorted = (answer: PlainGenealogy | undefined): PlainGenealogy | undefined =>
  answer && {
    ...answer,
    nodes: answer.nodes.toSorted(),
    upstream: answer.upstream.toSorted(),
    downstream: answer.downstream.toSorted(),
    edges: answer.edges.toSorted(),
    frontier: answer.frontier.toSorted(),
  };

const CODES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'S-1', 'S-2'] as const;

/** Also pages that end in the middle of everything; the chains have events of up to 4 lines. */
const anyPages: fc.Arbitrary<PageSizes> = fc.record({
  lots: fc.constantFrom(1, 2, 500),
  rows: fc.constantFrom(5, 6, 1_200),
  lines: fc.constantFrom(5, 6, 20_000),
  events: fc.constantFrom(1, 2, 64),
});

test('random supply chains have the genealogy of the plain words, at every depth', async () => {
  await fc.assert(
    fc.asyncProperty(plainSupplyChain, anyPages, async (events, pages) => {
      const tenantId = newTenant();
      const heights = await ledger.record(events, tenantId);

      for (const lotCode of CODES) {
        for (const depth of [1, 2, 3, 50]) {
          const answer = await genealogy(tenantId, { lotCode, depth, heights, bounds: { pages } });

          const plain = plainGenealogy(events, { lotCode, depth });
          assert.deepEqual(sorted(answer), sorted(plain), `${lotCode} at depth ${depth}`);
        }
      }
    }),
    { numRuns: chainsToPlay(chooseRounds({ usual: 20, long: 200 })) },
  );
});

const anyBounds: fc.Arbitrary<GenealogyBounds> = fc.record({
  lotsMax: fc.nat({ max: 5 }),
  eventsMax: fc.constantFrom(0, 1, 2, 4, 100),
  linesMax: fc.constantFrom(0, 2, 5, 10, 100),
  supplierLotsMax: fc.nat({ max: 3 }),
  deliveryLinesMax: fc.constantFrom(0, 2, 100),
  edgesMax: fc.constantFrom(0, 1, 3, 100),
  pages: anyPages,
});

test('whatever bound is met, what is not shown is never left out silently', async () => {
  await fc.assert(
    fc.asyncProperty(plainSupplyChain, anyBounds, async (events, bounds) => {
      const tenantId = newTenant();
      const heights = await ledger.record(events, tenantId);

      for (const lotCode of CODES) {
        const { edges, seeds } = plainGraph(events, lotCode);
        const answer = await genealogy(tenantId, { lotCode, depth: 3, heights, bounds });
        if (answer === undefined) continue;

        const shown = new Set(answer.nodes.map((text) => text.replace(/ \w+ \d+$/, '')));
        // A supplier's lot code in the frontier means all supplier lots of this code.
        const ends = answer.frontier.flatMap((code) =>
          code === lotCode ? [code, ...seeds] : [code],
        );
        const { frontier } = plainShown(edges, seeds, shown, ends);
        assert.deepEqual(
          frontier.filter((code) => !ends.includes(code)),
          [],
          `${lotCode}: more follows and nothing says so`,
        );
        const plain = plainShown(edges, seeds, shown);
        assert.ok(answer.edges.every((edge) => plain.edges.includes(edge)));
        if (answer.edges.length < plain.edges.length) {
          assert.ok(answer.edgesAreCut || ends.length > 0, `${lotCode}: edges are missing`);
        }
      }
    }),
    { numRuns: chainsToPlay(chooseRounds({ usual: 30, long: 300 })) },
  );
});

const received = (
  lotCode: string,
  provenance: Partial<LineInput>,
  changes: Partial<EventInput> = {},
): EventInput => makeEvent('RECEIVE', [makeLine('in', lotCode, provenance)], changes);

const MILL = { supplier_name: 'Mill', supplier_lot_code: 'S-1' };

test('a supplier lot is one node with one edge for each lot, of the first delivery', async () => {
  const tenantId = newTenant();
  const heights = await ledger.record(
    [
      received('FLOUR-1', MILL),
      received('FLOUR-1', MILL),
      received('FLOUR-2', MILL),
      makeEvent('PRODUCE', [
        makeLine('in', 'FLOUR-1'),
        makeLine('in', 'FLOUR-2'),
        makeLine('out', 'BREAD'),
      ]),
    ],
    tenantId,
  );

  const answer = await genealogy(tenantId, { lotCode: 'BREAD', heights });

  assert.deepEqual(answer, {
    nodes: [
      'BREAD self 0',
      'FLOUR-1 upstream 1',
      'FLOUR-2 upstream 1',
      'supplier Mill - S-1 upstream 2',
    ],
    upstream: ['FLOUR-1 upstream 1', 'FLOUR-2 upstream 1', 'supplier Mill - S-1 upstream 2'],
    downstream: [],
    edges: [
      '1: supplier Mill - S-1 > FLOUR-1 by event',
      '3: supplier Mill - S-1 > FLOUR-2 by event',
      '4: FLOUR-1 > BREAD by event',
      '4: FLOUR-2 > BREAD by event',
    ],
    frontier: [],
    cycles: 0,
    edgesAreCut: false,
  });
});

test('supplier lots above the depth are not shown, and the frontier says where', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      received('FLOUR', MILL),
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'BREAD')]),
    ],
    tenantId,
  );

  const answer = await genealogy(tenantId, { lotCode: 'BREAD', depth: 1 });

  assert.deepEqual(answer?.nodes, ['BREAD self 0', 'FLOUR upstream 1']);
  assert.deepEqual(answer.frontier, ['FLOUR']);
});

test('a descendant that is an ancestor beyond the depth has its suppliers in view, too', async () => {
  const tenantId = newTenant();
  const heights = await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('in', 'BREAD'), makeLine('out', 'CRUMBS')]),
      makeEvent('PRODUCE', [makeLine('in', 'CRUMBS'), makeLine('out', 'SOUR')]),
      makeEvent('PRODUCE', [makeLine('in', 'SOUR'), makeLine('out', 'DOUGH')]),
      makeEvent('PRODUCE', [makeLine('in', 'DOUGH'), makeLine('out', 'BREAD')]),
      received('CRUMBS', MILL),
    ],
    tenantId,
  );

  const answer = await genealogy(tenantId, { lotCode: 'BREAD', depth: 2, heights });

  assert.deepEqual(answer?.nodes, [
    'BREAD self 0',
    'CRUMBS downstream 1',
    'DOUGH upstream 1',
    'SOUR upstream 2',
  ]);
  assert.deepEqual(answer.upstream, ['DOUGH upstream 1', 'SOUR upstream 2', 'CRUMBS upstream 3']);
  assert.deepEqual(answer.downstream, [
    'CRUMBS downstream 1',
    'SOUR downstream 2',
    'DOUGH downstream 3',
  ]);
  assert.deepEqual(answer.frontier, ['CRUMBS']);
  assert.equal(answer.cycles, 1);
});

test('nodes come by distance, and then by code in the order of code units', async () => {
  const tenantId = newTenant();
  const lots = ['b', 'a10', 'a9', 'B', 'é', 'z'];
  await ledger.record(
    [
      makeEvent('PRODUCE', [...lots.map((lot) => makeLine('in', lot)), makeLine('out', 'M')]),
      makeEvent('PRODUCE', [makeLine('in', '0'), makeLine('out', 'z')]),
    ],
    tenantId,
  );

  const answer = await genealogy(tenantId, { lotCode: 'M' });

  const codes = answer?.nodes.map((text) => text.split(' ')[0]);
  assert.deepEqual(codes, ['M', 'B', 'a10', 'a9', 'b', 'z', 'é', '0']);
});

test('links around the lot, between an ancestor and a descendant, are not edges of it', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'DOUGH')]),
      makeEvent('PRODUCE', [makeLine('in', 'DOUGH'), makeLine('out', 'BREAD')]),
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'BREAD')]),
    ],
    tenantId,
  );

  const answer = await genealogy(tenantId, { lotCode: 'DOUGH' });

  assert.equal(answer?.edges.length, 2);
  assert.deepEqual(answer.frontier, []);
});

test('of a lot with more relatives than are shown the frontier names that lot alone', async () => {
  const tenantId = newTenant();
  const children = Array.from({ length: 3_000 }, (_, index) =>
    makeEvent('PRODUCE', [makeLine('in', 'SILO'), makeLine('out', `BATCH-${index}`)]),
  );
  await ledger.record(children, tenantId);

  const answer = await genealogy(tenantId, { lotCode: 'SILO', bounds: { lotsMax: 2_500 } });

  assert.equal(answer?.nodes.length, 2_501);
  assert.deepEqual(answer.frontier, ['SILO']);
  assert.equal(answer.edges.length, 2_500);
});

test('a lot that is sold every day is walked past the lines that link nothing', async () => {
  const tenantId = newTenant();
  const sold = Array.from({ length: 100 }, () =>
    makeEvent(
      'SELL',
      Array.from({ length: 1_000 }, () => makeLine('out', 'OIL')),
    ),
  );
  for (let from = 0; from < sold.length; from += 20) {
    await ledger.record(sold.slice(from, from + 20), tenantId);
  }
  await ledger.record(
    [makeEvent('PACK', [makeLine('in', 'OIL'), makeLine('out', 'BOTTLE')])],
    tenantId,
  );

  const answer = await genealogy(tenantId, { lotCode: 'OIL' });

  assert.deepEqual(answer?.nodes, ['OIL self 0', 'BOTTLE downstream 1']);
  assert.deepEqual(answer.frontier, []);
});

test('events of a thousand lines are read whole', async () => {
  const tenantId = newTenant();
  const wide = (level: number): EventInput =>
    makeEvent(
      'PRODUCE',
      Array.from({ length: 500 }, (_, index) => [
        makeLine('in', `W-${level}-${index}`),
        makeLine('out', `W-${level + 1}-${index}`),
      ]).flat(),
    );
  for (let level = 0; level < 6; level += 1) await ledger.record([wide(level)], tenantId);

  const answer = await genealogy(tenantId, { lotCode: 'W-3-0', depth: 50 });

  assert.equal(answer?.nodes.length, 1 + 6 * 500);
  assert.deepEqual([answer.edges.length, answer.edgesAreCut], [50_000, true]);
  assert.deepEqual(answer.frontier, []);
});

test('the bound of lines ends the reading of wide events, and the frontier says so', async () => {
  const tenantId = newTenant();
  const wide = Array.from({ length: 30 }, (_, event) =>
    makeEvent('PRODUCE', [
      makeLine('in', 'TANK'),
      ...Array.from({ length: 200 }, (_, index) => makeLine('out', `BOTTLE-${event}-${index}`)),
    ]),
  );
  await ledger.record(wide, tenantId);
  const pages = { ...GENEALOGY_BOUNDS.pages, events: 4 };

  const answer = await genealogy(tenantId, { lotCode: 'TANK', bounds: { linesMax: 1_000, pages } });

  const shown = answer?.nodes.length ?? 0;
  assert.ok(shown > 1 && shown < 3_000, `${shown} lots`);
  assert.ok(answer?.frontier.includes('TANK'));
});

test('a supplier lot that came into more lots than are shown is in the frontier itself', async () => {
  const tenantId = newTenant();
  const deliveries = ['A', 'B', 'C'].map((lot) => received(lot, MILL));
  await ledger.record(deliveries, tenantId);

  const answer = await genealogy(tenantId, { lotCode: 'S-1', bounds: { lotsMax: 2 } });

  assert.deepEqual(answer?.nodes, [
    'supplier Mill - S-1 self 0',
    'A downstream 1',
    'B downstream 1',
  ]);
  assert.deepEqual(answer.frontier, ['S-1']);
});

test('a lot received with thousands of deliveries has all its supplier lots', async () => {
  const tenantId = newTenant();
  const deliveries = Array.from({ length: 30 }, (_, event) =>
    makeEvent(
      'RECEIVE',
      Array.from({ length: 90 }, (_, index) =>
        makeLine('in', 'SILO', { supplier_lot_code: `S-${event}-${index}` }),
      ),
    ),
  );
  await ledger.record(deliveries, tenantId);

  const answer = await genealogy(tenantId, { lotCode: 'SILO' });

  assert.equal(answer?.nodes.length, 2_701);
  assert.equal(answer.edges.length, 2_700);
});

test('a tenant that is not known has no lots', async () => {
  const answer = await genealogy('nobody', { lotCode: 'BREAD' });

  assert.equal(answer, undefined);
});
