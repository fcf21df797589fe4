// An error that one fault causes in several columns of a row is reported once, with all the columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFile, aRow, shareImportApp } from './app.ts';

const openTenant = shareImportApp();

/** The second row got the id of the first, and is another event. */
const SAME_ID = [
  aRow({ external_id: 'wms-1' }),
  aRow({ external_id: 'wms-1', location: 'BAKERY-2', reference: 'PO-2', lot_code: 'B' }),
];
const DISAGREE = 'Rows of one event should agree; row 2 has another value';

test('a row that disagrees in several columns is one error, which names them all', async () => {
  await using app = await openTenant();

  const { status, json } = await app.send(aFile(SAME_ID));

  assert.equal(status, 422);
  assert.deepEqual(json['detail'], [
    {
      loc: ['body', 'file', 3, 'location'],
      msg: `${DISAGREE} (also in reference)`,
      type: 'group_mismatch',
    },
  ]);
});

test('where the rest is imported the error lists its columns', async () => {
  await using app = await openTenant();

  const { json } = await app.send(
    aFile([...SAME_ID, aRow({ external_id: 'wms-2' })]),
    '?on_error=proceed',
  );

  assert.equal(json['accepted'], 1);
  assert.deepEqual(json['errors'], [
    {
      row: 3,
      column: 'location',
      columns: ['location', 'reference'],
      msg: DISAGREE,
      type: 'group_mismatch',
    },
  ]);
});

test('codes that a spreadsheet mangled in one row are one error, those of another row another', async () => {
  await using app = await openTenant();
  const mangled = { lot_code: '4.01E+12', product_sku: '4.02E+12' };

  const { json } = await app.send(aFile([aRow(mangled), aRow(mangled)]), '?on_error=proceed');

  const places = (
    json['errors'] as unknown as { row: number; columns: string[]; type: string }[]
  ).map(({ row, columns, type }) => [row, columns, type]);
  assert.deepEqual(places, [
    [2, ['lot_code', 'product_sku'], 'scientific_notation'],
    [3, ['lot_code', 'product_sku'], 'scientific_notation'],
  ]);
});

test('cells that are missing are named one by one, and so are errors of different kinds', async () => {
  await using app = await openTenant();
  const wrong = { lot_code: '', product_sku: '', quantity: '-1', unit: 'x'.repeat(300) };

  const { json } = await app.send(aFile([aRow(wrong)]), '?on_error=proceed');

  const errors = json['errors'] as unknown as { column: string; columns?: string[] }[];
  assert.deepEqual(errors.map(({ column }) => column).sort(), [
    'lot_code',
    'product_sku',
    'quantity',
    'unit',
  ]);
  assert.ok(errors.every(({ columns }) => columns === undefined));
});
