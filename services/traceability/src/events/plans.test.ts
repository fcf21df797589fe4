// SQLite reads each filter of a list of events through an index and sorts nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeEvent, makeLine, openTestLedger, notePlans } from '../../test/ledger.ts';
import type { TestLedger } from '../../test/ledger.ts';
import { findHeights, type EventListQuery } from './find-heights.ts';
import { isEventOfTenant } from './queries.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
  const event = makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')]);
  await ledger.record([{ ...event, external_id: 'a' }, event, event]);
});
after(async () => {
  await ledger[Symbol.asyncDispose]();
});

const RANGE = { from: '2026-03-01T00:00:00', to: '2026-03-31T00:00:00.5' };

const FILTERS: readonly (readonly [index: string, Partial<EventListQuery>])[] = [
  ['events_by_tenant (tenant_no=? AND heightRANGE?)', {}],
  ['events_by_external_id (tenant_no=? AND external_id=?)', { externalId: 'a' }],
  [
    'events_by_tenant_reference (tenant_no=? AND reference=? AND heightRANGE?)',
    { reference: 'WO-1' },
  ],
  [
    'events_by_tenant_type (tenant_no=? AND event_type=? AND heightRANGE?)',
    { eventType: 'RECEIVE' },
  ],
  ['lines_by_lot (lot_no=? AND height>? AND height<?)', { lotCode: 'FLOUR-1' }],
  [
    'events_by_tenant_occurred (tenant_no=? AND occurred_at>? AND occurred_at<?)',
    { occurred: RANGE },
  ],
  [
    'events_by_external_id (tenant_no=? AND external_id=?)',
    {
      externalId: 'a',
      reference: 'WO-1',
      eventType: 'RECEIVE',
      lotCode: 'FLOUR-1',
      occurred: RANGE,
    },
  ],
];

for (const [index, filter] of FILTERS) {
  for (const end of ['newest', 'oldest'] as const) {
    test(`the ${end} events by ${Object.keys(filter).join(', ') || 'nothing'} are read through ${index}`, async () => {
      const page = { tenantId: 'bakery', end, behind: 2, limit: 2 };

      const plans = await notePlans(ledger, ({ database }) =>
        findHeights(database, { ...page, ...filter }),
      );

      assert.ok(
        plans.some((step) => step.endsWith(index.replace('RANGE', end === 'newest' ? '<' : '>'))),
        plans.join('\n'),
      );
      // The lines of a lot are cut to a limit inside.
      const costly = plans.filter((step) => /SCAN|TEMP B-TREE|AUTOMATIC/.test(step));
      assert.deepEqual(
        costly.filter((step) => step !== 'SCAN ends'),
        [],
      );
    });
  }
}

test('whose an event is is read through its key', async () => {
  const plans = await notePlans(ledger, ({ database }) =>
    isEventOfTenant(database, { tenantId: 'bakery', height: 1 }),
  );

  assert.deepEqual(
    plans.filter((step) => !step.startsWith('SEARCH')),
    [],
  );
});
