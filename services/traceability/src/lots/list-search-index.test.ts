// Tests the search of lots on SQLite, whose index is filled while the writer is idle: lots that are
// not in it yet are found as well.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { makeEvent, makeLine, openTestLedger, tamper, type TestLedger } from '../../test/ledger.ts';
import type { LotTextPage } from '../ledger/store.ts';
import { listLots } from './list.ts';

const POLL_MS = 5;

/** Waits until every lot is in the index; answers the last one's number. */
async function indexed(ledger: TestLedger): Promise<number> {
  for (;;) {
    const [row] = await ledger.database.rows(
      'select (select max(lot_no) from lots) as last, lot_no as through from lot_search_through',
    );
    if (row?.['last'] === row?.['through']) return Number(row?.['through']);
    await wait(POLL_MS);
  }
}

test('a search finds the same in the index, beside it, and partly in both', async () => {
  await using ledger = await openTestLedger();
  const codesFoundBy = async (q: string): Promise<readonly string[]> => {
    const { lots } = await listLots(
      { database: ledger.store.reader, lotSearch: ledger.store.lotSearch },
      { tenantId: 'bakery', q, status: undefined, holdStatus: undefined, limit: 50, offset: 0 },
    );
    return lots.map((lot) => lot.lot_code);
  };
  const codes = ['100%-JUICE', 'A_B', `it's "quoted"`, 'NEAR(x)', 'a*b', 'Ökohof', 'rye "', '-x'];
  await ledger.record(
    codes.map((code) =>
      makeEvent('RECEIVE', [makeLine('in', code, { supplier_name: 'Mill One' })]),
    ),
  );
  const searches = [
    ...codes,
    '0%-j',
    'S "Q',
    'ear(',
    '*b',
    'öko',
    'ye "',
    'mill',
    'NEAR',
    'e',
    '"',
  ];
  const through = await indexed(ledger);
  const found: unknown[] = [];

  for (const lotNo of [through, through - codes.length / 2, 0]) {
    await tamper(ledger.database, 'update lot_search_through set lot_no = ?', lotNo);
    found.push(await Promise.all(searches.map(codesFoundBy)));
  }
  await tamper(ledger.database, 'update lot_search_through set lot_no = ?', through);

  const expected = searches.map((q) => {
    const hits = codes.toReversed().filter((code) => buildText(code).includes(q.toLowerCase()));
    return [...hits.filter((code) => code === q), ...hits.filter((code) => code !== q)];
  });
  assert.deepEqual(found, [expected, expected, expected]);
});

test('among lots whose codes begin alike a search finds those that hold the whole text, page by page', async () => {
  await using ledger = await openTestLedger();
  await ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')])]);
  await indexed(ledger);
  const [row] = await ledger.database.rows('select tenant_no, lot_no from lots');
  const { tenant_no: tenantNo, lot_no: lastLotNo } = row ?? {};
  // The test needs more than twice the number of lots that makes a piece of text a common one.
  const codes = Array.from(
    { length: 12_000 },
    (_, index) => `lot-2026-${String((index * 7) % 12_000).padStart(5, '0')}`,
  );
  const numbered = JSON.stringify(
    codes.map((code, index) => [Number(lastLotNo) + 1 + index, code]),
  );
  const rows = 'from json_each(?)';
  await tamper(
    ledger.database,
    `insert into lot_texts (tenant_no, lot_no, text)
     select ${Number(tenantNo)}, value ->> 0, value ->> 1 ${rows}`,
    numbered,
  );
  await tamper(
    ledger.database,
    `insert into lot_search (rowid, text)
     select ${Number(tenantNo)} * 4294967296 + (value ->> 0), value ->> 1 ${rows}`,
    numbered,
  );
  const through = Number(lastLotNo) + codes.length;
  await tamper(ledger.database, 'update lot_search_through set lot_no = ?', through);
  const findAll = async (text: string): Promise<readonly number[]> => {
    const lotNos: number[] = [];
    let below: number | null = Number.MAX_SAFE_INTEGER;
    while (below !== null) {
      const query = { tenantNo: Number(tenantNo), text, below, limit: 50 };
      const page: LotTextPage = await ledger.store.lotSearch.lotsWithText(query);
      lotNos.push(...page.lotNos);
      below = page.next;
    }
    return lotNos;
  };

  // Texts that find one lot, ten, a thousand, all; texts of separate pieces; texts that find none.
  for (const text of [
    'lot-2026-01234',
    '-0123',
    '26-01',
    'lot-2026',
    '1234',
    '202-',
    '2026-99999',
  ]) {
    const expected = codes
      .flatMap((code, index) => (code.includes(text) ? [Number(lastLotNo) + 1 + index] : []))
      .toReversed();
    assert.deepEqual(await findAll(text), expected, text);
  }
});

/** The text by which the search finds a lot of the first test. */
const buildText = (code: string): string =>
  [code, makeLine('in', code).product_sku, 'Mill One'].join('\n').toLowerCase();
