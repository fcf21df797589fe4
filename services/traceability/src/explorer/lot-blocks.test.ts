// The chain filtered to a lot: what is dear to find is found once for equal requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEvent, makeLine, openTestLedger, tamper, type TestLedger } from '../../test/ledger.ts';
import { notingReader, type NotingReader } from '../../test/noting-reader.ts';
import { LedgerReader } from '../ledger/read.ts';
import { LotBlocks } from './lot-blocks.ts';

const QUERY = { lotCode: 'DOUGH', brand: 'bakery', before: undefined, limit: 2 } as const;

async function openFilled(): Promise<{
  readonly ledger: TestLedger;
  readonly noting: NotingReader;
  readonly lotBlocks: LotBlocks;
}> {
  const ledger = await openTestLedger();
  const breads = Array.from({ length: 100 }, (_, n) => `BREAD-${n}`);
  await ledger.record([
    makeEvent('PRODUCE', [makeLine('in', 'FLOUR'), makeLine('out', 'DOUGH')]),
    ...breads.map((bread) =>
      makeEvent('PRODUCE', [makeLine('in', 'DOUGH'), makeLine('out', bread)]),
    ),
  ]);
  const noting = notingReader(ledger.store.reader);
  const { state } = ledger;
  const reader = new LedgerReader({ database: noting, state });
  return { ledger, noting, lotBlocks: new LotBlocks({ reader, state }) };
}

/** How many queries `ask` leads to. */
async function countQueries(noting: NotingReader, ask: () => Promise<unknown>): Promise<number> {
  const before = noting.queries.length;
  await ask();
  return noting.queries.length - before;
}

test('a request that was answered before reads no links and looks for no heights', async () => {
  const { ledger, noting, lotBlocks } = await openFilled();
  await using _closed = ledger;

  const first = await countQueries(noting, () => lotBlocks.page(QUERY));
  const second = await countQueries(noting, () => lotBlocks.page(QUERY));
  const older = await countQueries(noting, () => lotBlocks.page({ ...QUERY, before: 50 }));

  // The lot, twice the tenant's progress, the lot's holds, the cases that cover it, the blocks.
  assert.equal(second, 6);
  assert.ok(first > 12, String(first));
  assert.ok(older < first, String(older));
});

test('equal requests at the same time are one computation', async () => {
  const { ledger, noting, lotBlocks } = await openFilled();
  await using _closed = ledger;

  const queries = await countQueries(noting, () =>
    Promise.all(Array.from({ length: 10 }, () => lotBlocks.page(QUERY))),
  );

  const lonely = await countQueries(noting, () =>
    new LotBlocks({
      reader: new LedgerReader({ database: noting, state: ledger.state }),
      state: ledger.state,
    }).page(QUERY),
  );
  assert.equal(queries, lonely + 9 * 6);
});

test('a new descendant, and a new event of a related lot, are there at once', async () => {
  const { ledger, lotBlocks } = await openFilled();
  await using _closed = ledger;
  const before = await lotBlocks.page(QUERY);

  const [sold] = await ledger.record([makeEvent('SELL', [makeLine('out', 'BREAD-7')])]);
  const afterSale = await lotBlocks.page(QUERY);
  const [made] = await ledger.record([
    makeEvent('PRODUCE', [makeLine('in', 'BREAD-7'), makeLine('out', 'CRUMBS')]),
  ]);
  const afterUse = await lotBlocks.page(QUERY);

  assert.equal(afterSale.blocks[0]?.height, sold);
  assert.deepEqual(afterSale.related_lots, before.related_lots);
  assert.equal(afterUse.blocks[0]?.height, made);
  assert.equal(afterUse.related_lots.at(-1)?.lot_code, 'CRUMBS');
});

test('a block that is changed behind the back of the service is shown as changed at once', async () => {
  const { ledger, lotBlocks } = await openFilled();
  await using _closed = ledger;
  const before = await lotBlocks.page(QUERY);
  const height = before.blocks[0]?.height ?? 0;

  await tamper(
    ledger.database,
    "update blocks set canonical = replace(canonical, 'DOUGH', 'DAUGH') where height = ?",
    height,
  );
  const after = await lotBlocks.page(QUERY);

  assert.deepEqual(
    [before.blocks[0]?.intact, after.blocks[0]?.intact, after.blocks[0]?.height],
    [true, false, height],
  );
});
