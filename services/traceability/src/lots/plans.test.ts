// SQLite reads through indexes and sorts nothing for the queries of lots.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { makeEvent, makeLine, openTestLedger, notePlans } from '../../test/ledger.ts';
import { lotChain } from './chain/lot-chain.ts';
import { findGenealogy } from './genealogy/genealogy.ts';
import { relatedLots } from './genealogy/links.ts';
import { listLots, type LotListQuery } from './list.ts';
import { lotsHoldingText } from './record-queries.ts';
import { lotRecord } from './record.ts';
import { holdLot } from '../../test/holds.ts';

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;
/** Every test has its own tenant, so that all can share one ledger. */
const newTenant = (): string => `tenant-${(tenantCount += 1)}`;

test('a genealogy is read without scanning a table or sorting one', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      makeEvent('RECEIVE', [
        makeLine('in', 'FLOUR', { supplier_name: 'Mill', supplier_lot_code: 'S-1' }),
      ]),
      makeEvent('CONSUME', [makeLine('in', 'FLOUR')], { reference: 'WO-2' }),
      makeEvent('PRODUCE', [makeLine('out', 'DOUGH')], { reference: 'WO-2' }),
      makeEvent('PRODUCE', [makeLine('in', 'DOUGH'), makeLine('out', 'BREAD')]),
    ],
    tenantId,
  );

  const plans = await notePlans(ledger, async ({ database }) => {
    for (const lotCode of ['DOUGH', 'S-1']) {
      await findGenealogy({ database, tenantId, lotCode, depth: 10 });
    }
  });

  // An inner query limits the lines of lots before the outer one reads them.
  const costly = plans.filter((step) =>
    /SCAN(?! first_lines| linking| ends)|TEMP B-TREE/.test(step),
  );
  assert.deepEqual(costly, []);
});

test('the walk over the genealogy reads links from an index and sorts nothing', async () => {
  const tenantId = newTenant();
  await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR-1'), makeLine('out', 'DOUGH-1')]),
      makeEvent('PRODUCE', [makeLine('in', 'DOUGH-1'), makeLine('out', 'BREAD-1')]),
    ],
    tenantId,
  );
  const { tenantNo, lotNo } = await ledger.lot('DOUGH-1', tenantId);

  const plans = await notePlans(ledger, async ({ database }) => {
    const bounds = { lotsMax: 100, eventsMax: 100, linesMax: 1_000 };
    await relatedLots({ database, tenantNo, lotNo, direction: 'both', ...bounds });
  });

  assert.deepEqual(
    new Set(plans),
    new Set([
      'COMPOUND QUERY',
      'LEFT-MOST SUBQUERY',
      'CO-ROUTINE linking',
      'CO-ROUTINE first_lines',
      'SEARCH lines USING COVERING INDEX lines_by_lot (lot_no=? AND height>?)',
      'SCAN first_lines',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH e USING INTEGER PRIMARY KEY (rowid=?)',
      'SCAN linking',
      'UNION ALL',
      'CO-ROUTINE ends',
      'SCAN ends',
      'SEARCH lines USING PRIMARY KEY (height=?)',
    ]),
  );
});

/** Steps over what an inner query has cut to a limit: the first accounts of a lot. */
const BOUNDED_ACCOUNTS = new Set(['SCAN first_accounts']);

const QUERIES: readonly Partial<LotListQuery>[] = [
  {},
  { status: 'active' },
  { status: 'recalled' },
  { status: 'recalled', holdStatus: 'on_hold' },
  { holdStatus: 'on_hold' },
  { holdStatus: 'released' },
  { status: 'active', holdStatus: 'on_hold' },
  { status: 'active', holdStatus: 'released' },
  { q: 'FLOUR-1' },
  { q: 'FLOUR-1', status: 'active', holdStatus: 'released' },
];

for (const query of QUERIES) {
  test(`a list by ${Object.keys(query).join(' and ') || 'nothing'} reads through indexes`, async () => {
    await ledger.record([
      makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1'), makeLine('in', 'RYE-1')]),
    ]);

    const plans = await notePlans(ledger, async ({ database }) => {
      const { lotSearch } = ledger.store;
      const page = { q: undefined, status: undefined, holdStatus: undefined, limit: 5, offset: 1 };
      return await listLots({ database, lotSearch }, { tenantId: 'bakery', ...page, ...query });
    });

    assert.notEqual(plans.length, 0);
    assert.deepEqual(unindexed(plans), []);
  });
}

test('the texts of given lots are read through an index', async () => {
  const plans = await notePlans(ledger, async ({ database }) => {
    await lotsHoldingText(database, { tenantNo: 1, lotNos: [1, 2, 3], text: 'rye' });
  });

  assert.notEqual(plans.length, 0);
  assert.deepEqual(unindexed(plans), []);
});

test('a record reads through indexes', async () => {
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')])]);
  await holdLot(ledger.store, { tenantId: 'bakery', lotCode: 'FLOUR-1' });

  const plans = await notePlans(ledger, (reader) =>
    lotRecord(reader, { tenantId: 'bakery', lotCode: 'FLOUR-1' }),
  );

  assert.deepEqual(unindexed(plans), []);
  assert.ok(
    plans.some((step) => step.includes('lot_holds_open')),
    plans.join('\n'),
  );
});

function unindexed(plans: readonly string[]): readonly string[] {
  return plans.filter(
    (step) => /SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && !BOUNDED_ACCOUNTS.has(step),
  );
}

/** Steps over what an inner query has cut to a limit. */
const BOUNDED_CHAIN = /^(?:SCAN ends|SCAN first_lines|SCAN linking|USE TEMP B-TREE FOR DISTINCT)$/;

for (const lotCode of ['FLOUR-1', 'BR-118']) {
  test(`the chain of ${lotCode} is read through indexes`, async () => {
    await ledger.record([
      makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1', { supplier_lot_code: 'BR-118' })]),
      makeEvent('PRODUCE', [makeLine('in', 'FLOUR-1'), makeLine('out', 'BREAD-1')]),
    ]);
    const query = { tenantId: 'bakery', lotCode, after: undefined, limit: 50 };

    const plans = await notePlans(ledger, async (reader) => await lotChain(reader, query));

    assert.notEqual(plans.length, 0);
    assert.deepEqual(
      plans.filter((step) => /SCAN|TEMP B-TREE|AUTOMATIC/.test(step) && !BOUNDED_CHAIN.test(step)),
      [],
    );
  });
}
