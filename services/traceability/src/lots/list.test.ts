// Lists of lots on a large tenant: counted up to a limit, and bounded for each lot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { setTimeout as wait } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { testEngine } from '../../test/engine.ts';
import { makeEvent, makeLine, openTestLedger } from '../../test/ledger.ts';
import type { LotTextSearch } from '../ledger/store.ts';
import { COUNTED_MAX, LED_BY_SEARCH_MAX, listLots } from './list.ts';
import type { LotList, LotListQuery } from './list.ts';
import { lotRecord } from './record.ts';

const POLL_MS = 5;

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;
/** Every test has its own tenant, so that all can share one ledger. */
const newTenant = (): string => `tenant-${(tenantCount += 1)}`;

async function list(
  tenantId: string,
  query: Partial<LotListQuery> = {},
  lotSearch: LotTextSearch = ledger.store.lotSearch,
): Promise<LotList> {
  return await listLots(
    { database: ledger.store.reader, lotSearch },
    {
      tenantId,
      q: undefined,
      status: undefined,
      holdStatus: undefined,
      limit: 50,
      offset: 0,
      ...query,
    },
  );
}

const listCodes = ({ lots }: LotList): readonly string[] => lots.map((lot) => lot.lot_code);

/** Receives `count` lots, `PREFIX-0` first. */
async function receiveMany(tenantId: string, prefix: string, count: number): Promise<void> {
  const linesMax = 1_000;
  const codes = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  for (let from = 0; from < count; from += linesMax) {
    const lines = codes.slice(from, from + linesMax).map((code) => makeLine('in', code));
    await ledger.record([makeEvent('RECEIVE', lines)], tenantId);
  }
}

/**
 * Waits until the idle writer has put every lot into the index of the search; PostgreSQL's is
 * always complete.
 */
async function indexed(): Promise<void> {
  if (testEngine === 'postgres') return;
  for (;;) {
    const row = await ledger.store.reader.first<{
      readonly last: number;
      readonly through: number;
    }>(
      sql`select (select max(lot_no) from lots) as last, lot_no as through from lot_search_through`,
    );
    if (row?.last === row?.through) return;
    await wait(POLL_MS);
  }
}

test('what a search in the index finds of one tenant is not shown to another', async () => {
  const [one, other] = [newTenant(), newTenant()];
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'SHARED-NAME')])], one);
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'SHARED-NAME')])], other);
  await indexed();

  const found = await list(one, { q: 'shared' });

  assert.deepEqual(listCodes(found), ['SHARED-NAME']);
  assert.equal(found.total, 1);
});

test('lots are counted up to a limit when they are searched, and all of them when not', async () => {
  const tenantId = newTenant();
  await receiveMany(tenantId, 'LOT', COUNTED_MAX + 1);
  await indexed();

  const all = await list(tenantId);
  const searched = await list(tenantId, { q: 'lot-' });
  const short = await list(tenantId, { q: 'L' });
  const active = await list(tenantId, { status: 'active' });
  const released = await list(tenantId, { holdStatus: 'released' });
  const last = await list(tenantId, { q: 'lot-', limit: 200, offset: COUNTED_MAX - 200 });

  assert.deepEqual([all.total, all.total_is_exact], [COUNTED_MAX + 1, undefined]);
  for (const found of [searched, short, active, released]) {
    assert.deepEqual([found.total, found.total_is_exact], [COUNTED_MAX, false]);
    assert.deepEqual(listCodes(found), listCodes(all));
  }
  assert.equal(last.lots.length, 200);
  assert.equal(last.lots.at(-1)?.lot_code, 'LOT-1');
});

test('a lot of a rare status is found behind very many others with the same text', async () => {
  const tenantId = newTenant();
  await receiveMany(tenantId, 'A_%', 2);
  await receiveMany(tenantId, 'AXY', 1);
  const gone = ['A_%-0', 'AXY-0'].map((code) => makeLine('out', code));
  await ledger.record([makeEvent('SHIP', gone)], tenantId);
  await receiveMany(tenantId, 'NEWER-A_%', LED_BY_SEARCH_MAX + 10_000);
  await indexed();
  let pages = 0;
  const lotSearch: LotTextSearch = {
    lotsWithText: async (query) => {
      pages += 1;
      return await ledger.store.lotSearch.lotsWithText(query);
    },
  };

  const depleted = await list(tenantId, { q: 'a_%', status: 'depleted' }, lotSearch);
  const all = await list(tenantId, { q: 'a_%', status: 'active' });

  assert.deepEqual(listCodes(depleted), ['A_%-0']);
  assert.deepEqual([depleted.total, depleted.total_is_exact], [1, undefined]);
  assert.deepEqual([all.total, all.total_is_exact], [COUNTED_MAX, false]);
  // Without the index of the status it would read all lots that have the text, in 15 pages.
  assert.ok(pages <= Math.ceil(LED_BY_SEARCH_MAX / COUNTED_MAX) + 1, `${pages} pages`);
});

test('a recalled lot is found as one, and no more by what is left of it', async () => {
  const tenantId = newTenant();
  await receiveMany(tenantId, 'LOT', 4);
  await ledger.record([makeEvent('SHIP', [makeLine('out', 'LOT-1')])], tenantId);
  const recalled = await Promise.all(['LOT-1', 'LOT-2'].map((code) => ledger.lot(code, tenantId)));
  await ledger.store.write(
    recalled.map(({ lotNo }) => sql`update lots set recalled = 1 where lot_no = ${lotNo}`),
  );

  const byStatus = {
    recalled: await list(tenantId, { status: 'recalled' }),
    active: await list(tenantId, { status: 'active' }),
    depleted: await list(tenantId, { status: 'depleted' }),
  };
  const searched = await list(tenantId, { q: 'lot-', status: 'active' });
  const held = await list(tenantId, { status: 'recalled', holdStatus: 'on_hold' });
  const all = await list(tenantId);

  assert.deepEqual(listCodes(byStatus.recalled), ['LOT-2', 'LOT-1']);
  assert.deepEqual(listCodes(byStatus.active), ['LOT-3', 'LOT-0']);
  assert.deepEqual(listCodes(byStatus.depleted), []);
  assert.deepEqual(listCodes(searched), ['LOT-3', 'LOT-0']);
  assert.deepEqual(listCodes(held), []);
  assert.deepEqual(
    all.lots.map((lot) => lot.status),
    ['active', 'recalled', 'recalled', 'active'],
  );
  assert.deepEqual([byStatus.recalled.total, byStatus.active.total], [2, 2]);
});

test('a page far behind the limit of counting is whole, and counts as far as it reaches', async () => {
  const tenantId = newTenant();
  await receiveMany(tenantId, 'LOT', COUNTED_MAX + 600);
  await indexed();

  const far = await list(tenantId, { q: 'lot-', limit: 100, offset: COUNTED_MAX + 400 });
  const last = await list(tenantId, { q: 'lot-', limit: 100, offset: COUNTED_MAX + 500 });

  assert.equal(far.lots.length, 100);
  assert.equal(far.lots[0]?.lot_code, 'LOT-199');
  assert.deepEqual([far.total, far.total_is_exact], [COUNTED_MAX + 500, false]);
  assert.deepEqual([last.total, last.total_is_exact], [COUNTED_MAX + 600, undefined]);
});

test('a total up to the limit is exact', async () => {
  const tenantId = newTenant();
  await receiveMany(tenantId, 'LOT', COUNTED_MAX);
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'OTHER')])], tenantId);

  const found = await list(tenantId, { q: 'LOT-' });

  assert.deepEqual([found.total, found.total_is_exact], [COUNTED_MAX, undefined]);
});

test('the lot whose code is searched comes first, however many follow', async () => {
  const tenantId = newTenant();
  await receiveMany(tenantId, 'RYE', 1_500);
  await indexed();

  const found = await list(tenantId, { q: 'RYE-1', limit: 3 });

  assert.deepEqual(listCodes(found), ['RYE-1', 'RYE-1499', 'RYE-1498']);
  assert.equal(found.total, 1 + 10 + 100 + 500);
});

test('of a lot with very many SKUs its own comes first, and the cut is reported', async () => {
  const tenantId = newTenant();
  const skus = ['ZZZ', ...Array.from({ length: 150 }, (_, index) => `SKU-${index}`)];
  await ledger.record(
    [
      makeEvent(
        'RECEIVE',
        skus.map((product_sku) => makeLine('in', 'L', { product_sku })),
      ),
    ],
    tenantId,
  );

  const [item] = (await list(tenantId)).lots;
  const record = await lotRecord(ledger.reader, { tenantId, lotCode: 'L' });

  assert.equal(item?.quantities.length, 100);
  assert.equal(item?.quantities[0]?.product_sku, 'ZZZ');
  assert.equal(item?.product_skus[0], 'ZZZ');
  assert.equal(item?.truncated, true);
  assert.equal(record.truncated, true);
});

test('of a lot from very many places the first are given, and that there are more', async () => {
  const tenantId = newTenant();
  const lines = Array.from({ length: 201 }, (_, index) =>
    makeLine('in', 'L', { supplier_lot_code: `S-${index}` }),
  );
  await ledger.record([makeEvent('RECEIVE', lines.slice(0, 200))], tenantId);
  const complete = await lotRecord(ledger.reader, { tenantId, lotCode: 'L' });
  await ledger.record([makeEvent('RECEIVE', lines.slice(200))], tenantId);

  const cut = await lotRecord(ledger.reader, { tenantId, lotCode: 'L' });

  assert.deepEqual([complete.provenance.length, complete.truncated], [200, false]);
  assert.deepEqual([cut.provenance.length, cut.truncated], [200, true]);
  assert.deepEqual(cut.provenance, complete.provenance);
});
