// The walk over the genealogy, by examples and against a plain model on random supply chains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import fc from 'fast-check';
import { eventOf, lineOf, openTestLedger } from '../../../test/ledger.ts';
import {
  plainDistances,
  plainLinks,
  plainSupplyChain,
  reversed,
} from '../../../test/lots/plain-links.ts';
import type { EventInput } from '../../events/schema.ts';
import { relatedLots } from './links.ts';
import type { RelatedLotsOptions } from './links.ts';
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
  eventOf('RECEIVE', [lineOf('in', 'FLOUR-1'), lineOf('in', 'SALT-1')]),
  eventOf('PRODUCE', [lineOf('in', 'FLOUR-1'), lineOf('in', 'SALT-1'), lineOf('out', 'DOUGH-1')]),
  eventOf('PRODUCE', [lineOf('in', 'DOUGH-1'), lineOf('out', 'BREAD-1'), lineOf('out', 'ROLL-1')]),
  eventOf('PRODUCE', [lineOf('in', 'FLOUR-1'), lineOf('out', 'CAKE-1')]),
  eventOf('SELL', [lineOf('out', 'BREAD-1'), lineOf('out', 'CAKE-1')]),
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
      eventOf('PRODUCE', [lineOf('out', 'BREAD-1')], { reference: 'WO-77' }),
      eventOf('CONSUME', [lineOf('in', 'FLOUR-1')], { reference: 'WO-77' }),
      eventOf('CONSUME', [lineOf('in', 'SALT-1')], { reference: 'WO-77' }),
      eventOf('CONSUME', [lineOf('in', 'SUGAR-1')], { reference: 'WO-78' }),
    ],
    tenantId,
  );

  const { lots } = await related(tenantId, 'BREAD-1', 'upstream');

  assert.deepEqual(lots, ['BREAD-1 self 0', 'FLOUR-1 upstream 1', 'SALT-1 upstream 1']);
});

test('a reference that another tenant uses too links nothing across', async () => {
  const [own, other] = [newTenant(), newTenant()];
  const produce = eventOf('PRODUCE', [lineOf('out', 'BREAD-1')], { reference: 'WO-1' });
  await ledger.record([produce], own);
  await ledger.record([eventOf('CONSUME', [lineOf('in', 'FLOUR-1')])], other);

  const { lots } = await related(own, 'BREAD-1', 'both');

  assert.deepEqual(lots, ['BREAD-1 self 0']);
});

test('a CORRECTION event links nothing', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [eventOf('CORRECTION', [lineOf('in', 'FLOUR-1'), lineOf('out', 'BREAD-1')])],
    tenantId,
  );

  const { lots } = await related(tenantId, 'BREAD-1', 'both');

  assert.deepEqual(lots, ['BREAD-1 self 0']);
});

test('a cycle ends, and a lot of it counts where it is nearer', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      eventOf('PRODUCE', [lineOf('in', 'A'), lineOf('out', 'B')]),
      eventOf('PRODUCE', [lineOf('in', 'B'), lineOf('out', 'C')]),
      eventOf('PRODUCE', [lineOf('in', 'C'), lineOf('out', 'A')]),
    ],
    tenantId,
  );

  const { lots } = await related(tenantId, 'A', 'both');

  assert.deepEqual(lots, ['A self 0', 'B downstream 1', 'C upstream 1']);
});

test('the bound of lots cuts the walk and says so', async () => {
  const tenantId = newTenant();
  const rolls = Array.from({ length: 30 }, (_, index) => lineOf('out', `ROLL-${index}`));
  await ledger.record([eventOf('PRODUCE', [lineOf('in', 'FLOUR-1'), ...rolls])], tenantId);

  const exact = await related(tenantId, 'FLOUR-1', 'downstream', { lotsMax: 30 });
  const cut = await related(tenantId, 'FLOUR-1', 'downstream', { lotsMax: 29 });

  assert.deepEqual([exact.lots.length, exact.truncated], [31, false]);
  assert.deepEqual([cut.lots.length, cut.truncated], [30, true]);
});

test('the bound of events cuts the walk and says so', async () => {
  const tenantId = newTenant();
  const refills = Array.from({ length: 20 }, () =>
    eventOf('PRODUCE', [lineOf('in', 'MILK-1'), lineOf('out', 'TANK-1')]),
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
    eventOf('PRODUCE', [lineOf('in', `MILK-${index}`), lineOf('out', 'TANK-1')]),
  );
  await ledger.record(fills, tenantId);
  const tanks = [lineOf('in', 'TANK-1'), lineOf('in', 'TANK-2')];
  await ledger.record(
    [
      eventOf('PRODUCE', [lineOf('in', 'CREAM-1'), lineOf('out', 'TANK-2')]),
      eventOf('PRODUCE', [...tanks, lineOf('out', 'CHEESE-1')]),
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
    eventOf('CONSUME', [lineOf('in', `MILK-${index}`)], { reference: 'DAILY' }),
  );
  await ledger.record(consumed, tenantId);
  await ledger.record(
    [eventOf('PRODUCE', [lineOf('out', 'CHEESE-1')], { reference: 'DAILY' })],
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
