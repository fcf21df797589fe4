// The walk over the genealogy, by examples and against a plain model on random supply chains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import fc from 'fast-check';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import {
  plainDistances,
  plainLinks,
  plainSupplyChain,
  reversed,
} from '../../../test/lots/plain-links.ts';
import type { EventInput } from '../../events/schema.ts';
import { relatedLots, type RelatedLotsOptions } from './links.ts';
import { lotLabels } from '../queries.ts';

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;
/** Every test has its own tenant, so that all can share one ledger. */
const newTenant = (): string => `tenant-${(tenantCount += 1)}`;

type Bounds = Partial<Pick<RelatedLotsOptions, 'lotsMax' | 'eventsMax' | 'linesMax'>>;

/** Related lots as `code relation distance`, sorted. */
async function related(
  tenantId: string,
  lotCode: string,
  direction: RelatedLotsOptions['direction'],
  bounds: Bounds = {},
): Promise<{ readonly lots: readonly string[]; readonly truncated: boolean }> {
  const lot = await ledger.lot(lotCode, tenantId);
  const database = ledger.store.reader;
  const { lots, truncated } = await relatedLots({
    database,
    tenantNo: lot.tenantNo,
    lotNo: lot.lotNo,
    direction,
    lotsMax: 1_000,
    eventsMax: 1_000_000,
    linesMax: 1_000_000,
    ...bounds,
  });
  const labels = new Map(
    (
      await lotLabels(
        database,
        lots.map((one) => one.lotNo),
      )
    ).map((label) => [label.lotNo, label.lotCode]),
  );
  return {
    truncated,
    lots: lots.map((one) => `${labels.get(one.lotNo)} ${one.relation} ${one.distance}`).sort(),
  };
}

const BAKERY: readonly EventInput[] = [
  makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1'), makeLine('in', 'SALT-1')]),
  makeEvent('PRODUCE', [
    makeLine('in', 'FLOUR-1'),
    makeLine('in', 'SALT-1'),
    makeLine('out', 'DOUGH-1'),
  ]),
  makeEvent('PRODUCE', [
    makeLine('in', 'DOUGH-1'),
    makeLine('out', 'BREAD-1'),
    makeLine('out', 'ROLL-1'),
  ]),
  makeEvent('PRODUCE', [makeLine('in', 'FLOUR-1'), makeLine('out', 'CAKE-1')]),
  makeEvent('SELL', [makeLine('out', 'BREAD-1'), makeLine('out', 'CAKE-1')]),
];

test('upstream finds ancestors with their distance, and the lot itself', async () => {
  const tenantId = newTenant();
  await ledger.record(BAKERY, tenantId);

  const { lots, truncated } = await related(tenantId, 'BREAD-1', 'upstream');

  assert.deepEqual(lots, [
    'BREAD-1 self 0',
    'DOUGH-1 upstream 1',
    'FLOUR-1 upstream 2',
    'SALT-1 upstream 2',
  ]);
  assert.equal(truncated, false);
});

test('downstream finds descendants and the lot itself', async () => {
  const tenantId = newTenant();
  await ledger.record(BAKERY, tenantId);

  const { lots } = await related(tenantId, 'FLOUR-1', 'downstream');

  assert.deepEqual(lots, [
    'BREAD-1 downstream 2',
    'CAKE-1 downstream 1',
    'DOUGH-1 downstream 1',
    'FLOUR-1 self 0',
    'ROLL-1 downstream 2',
  ]);
});

test('both directions find ancestors and descendants, but no siblings', async () => {
  const tenantId = newTenant();
  await ledger.record(BAKERY, tenantId);

  const { lots } = await related(tenantId, 'DOUGH-1', 'both');

  assert.deepEqual(lots, [
    'BREAD-1 downstream 1',
    'DOUGH-1 self 0',
    'FLOUR-1 upstream 1',
    'ROLL-1 downstream 1',
    'SALT-1 upstream 1',
  ]);
});

test('a CONSUME and a PRODUCE of one reference link their lots', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('out', 'BREAD-1')], { reference: 'WO-77' }),
      makeEvent('CONSUME', [makeLine('in', 'FLOUR-1')], { reference: 'WO-77' }),
      makeEvent('CONSUME', [makeLine('in', 'SALT-1')], { reference: 'WO-77' }),
      makeEvent('CONSUME', [makeLine('in', 'SUGAR-1')], { reference: 'WO-78' }),
    ],
    tenantId,
  );

  const { lots } = await related(tenantId, 'BREAD-1', 'upstream');

  assert.deepEqual(lots, ['BREAD-1 self 0', 'FLOUR-1 upstream 1', 'SALT-1 upstream 1']);
});

test('a reference that another tenant uses too links nothing across', async () => {
  const [own, other] = [newTenant(), newTenant()];
  const produce = makeEvent('PRODUCE', [makeLine('out', 'BREAD-1')], { reference: 'WO-1' });
  await ledger.record([produce], own);
  await ledger.record([makeEvent('CONSUME', [makeLine('in', 'FLOUR-1')])], other);

  const { lots } = await related(own, 'BREAD-1', 'both');

  assert.deepEqual(lots, ['BREAD-1 self 0']);
});

test('a CORRECTION event links nothing', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [makeEvent('CORRECTION', [makeLine('in', 'FLOUR-1'), makeLine('out', 'BREAD-1')])],
    tenantId,
  );

  const { lots } = await related(tenantId, 'BREAD-1', 'both');

  assert.deepEqual(lots, ['BREAD-1 self 0']);
});

test('a cycle ends, and a lot of it counts where it is nearer', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('in', 'A'), makeLine('out', 'B')]),
      makeEvent('PRODUCE', [makeLine('in', 'B'), makeLine('out', 'C')]),
      makeEvent('PRODUCE', [makeLine('in', 'C'), makeLine('out', 'A')]),
    ],
    tenantId,
  );

  const { lots } = await related(tenantId, 'A', 'both');

  assert.deepEqual(lots, ['A self 0', 'B downstream 1', 'C upstream 1']);
});

test('the bound of lots cuts the walk and says so', async () => {
  const tenantId = newTenant();
  const rolls = Array.from({ length: 30 }, (_, index) => makeLine('out', `ROLL-${index}`));
  await ledger.record([makeEvent('PRODUCE', [makeLine('in', 'FLOUR-1'), ...rolls])], tenantId);

  const exact = await related(tenantId, 'FLOUR-1', 'downstream', { lotsMax: 30 });
  const cut = await related(tenantId, 'FLOUR-1', 'downstream', { lotsMax: 29 });

  assert.deepEqual([exact.lots.length, exact.truncated], [31, false]);
  assert.deepEqual([cut.lots.length, cut.truncated], [30, true]);
});

test('the bound of events cuts the walk and says so', async () => {
  const tenantId = newTenant();
  const refills = Array.from({ length: 20 }, () =>
    makeEvent('PRODUCE', [makeLine('in', 'MILK-1'), makeLine('out', 'TANK-1')]),
  );
  await ledger.record(refills, tenantId);

  const exact = await related(tenantId, 'TANK-1', 'upstream', { eventsMax: 20 });
  const cut = await related(tenantId, 'TANK-1', 'upstream', { eventsMax: 19 });

  assert.equal(exact.truncated, false);
  assert.equal(cut.truncated, true);
});

test('a level with more linking events than a page holds is walked to its end', async () => {
  const tenantId = newTenant();
  const fills = Array.from({ length: 6_001 }, (_, index) =>
    makeEvent('PRODUCE', [makeLine('in', `MILK-${index}`), makeLine('out', 'TANK-1')]),
  );
  await ledger.record(fills, tenantId);
  const tanks = [makeLine('in', 'TANK-1'), makeLine('in', 'TANK-2')];
  await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('in', 'CREAM-1'), makeLine('out', 'TANK-2')]),
      makeEvent('PRODUCE', [...tanks, makeLine('out', 'CHEESE-1')]),
    ],
    tenantId,
  );
  const lot = await ledger.lot('CHEESE-1', tenantId);

  const { lots, truncated } = await relatedLots({
    database: ledger.store.reader,
    tenantNo: lot.tenantNo,
    lotNo: lot.lotNo,
    direction: 'upstream',
    lotsMax: 10_000,
    eventsMax: 10_000,
    linesMax: 100_000,
  });

  assert.equal(lots.length, 6_005);
  assert.equal(truncated, false);
});

test('a reference with more events than a page holds is walked to its end', async () => {
  const tenantId = newTenant();
  const consumed = Array.from({ length: 6_001 }, (_, index) =>
    makeEvent('CONSUME', [makeLine('in', `MILK-${index}`)], { reference: 'DAILY' }),
  );
  await ledger.record(consumed, tenantId);
  await ledger.record(
    [makeEvent('PRODUCE', [makeLine('out', 'CHEESE-1')], { reference: 'DAILY' })],
    tenantId,
  );
  const lot = await ledger.lot('CHEESE-1', tenantId);

  const { lots } = await relatedLots({
    database: ledger.store.reader,
    tenantNo: lot.tenantNo,
    lotNo: lot.lotNo,
    direction: 'upstream',
    lotsMax: 10_000,
    eventsMax: 10_000,
    linesMax: 100_000,
  });

  assert.equal(lots.length, 6_002);
});

test('random supply chains have the ancestors and descendants of the plain model', async () => {
  await fc.assert(
    fc.asyncProperty(plainSupplyChain, async (events) => {
      const tenantId = newTenant();
      await ledger.record(events, tenantId);
      const edges = plainLinks(events);
      const known = new Set(events.flatMap((event) => event.lines.map((line) => line.lot_code)));

      for (const lotCode of known) {
        const down = plainDistances(edges, [lotCode]);
        const up = plainDistances(edges.map(reversed), [lotCode]);
        for (const found of [down, up]) found.delete(lotCode);
        const lines = (found: ReadonlyMap<string, number>, relation: string): readonly string[] =>
          [...found].map(([code, distance]) => `${code} ${relation} ${distance}`);
        const self = `${lotCode} self 0`;
        const nearerUp = [...up].filter(([code, d]) => d <= (down.get(code) ?? Infinity));
        const nearerDown = [...down].filter(([code, d]) => d < (up.get(code) ?? Infinity));

        const upstream = await related(tenantId, lotCode, 'upstream');
        const downstream = await related(tenantId, lotCode, 'downstream');
        const both = await related(tenantId, lotCode, 'both');

        assert.deepEqual(upstream.lots, [self, ...lines(up, 'upstream')].sort());
        assert.deepEqual(downstream.lots, [self, ...lines(down, 'downstream')].sort());
        assert.deepEqual(
          both.lots,
          [
            self,
            ...lines(new Map(nearerUp), 'upstream'),
            ...lines(new Map(nearerDown), 'downstream'),
          ].sort(),
        );
      }
    }),
    { numRuns: 60 },
  );
});
