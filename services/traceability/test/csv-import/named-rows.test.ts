// What an import says of a row names the row and, once stored, the block: warnings, and conflicts with
// what is stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';
import { aFile, aRow, manyEvents, openImportApp, withAppend } from './app.ts';
import { holdLot } from '../holds.ts';

const NO_OFFSET = '2026-03-02T07:15:00';
const WARNED = [
  aRow({ occurred_at: NO_OFFSET, customer_ref: 'C' }),
  aRow({ external_id: 'b' }),
  aRow({ external_id: 'c', occurred_at: NO_OFFSET }),
];

test('warnings are counted by their code and name rows and blocks', async () => {
  await using app = await openImportApp();

  const reply = await app.send(aFile(WARNED));

  assert.deepEqual(reply.json['warnings'], [
    {
      code: 'no_offset',
      count: 2,
      rows: [
        { row: 2, block_height: 1 },
        { row: 4, block_height: 3 },
      ],
    },
    { code: 'private_field_dropped', count: 1, rows: [{ row: 2, block_height: 1 }] },
  ]);
});

test('warnings of a dry run name rows, and no block', async () => {
  await using app = await openImportApp();

  const reply = await app.send(aFile(WARNED), '?dry_run=true');

  assert.deepEqual(reply.json['warnings']?.[0]?.['rows'], [
    { row: 2, block_height: null },
    { row: 4, block_height: null },
  ]);
});

test('a warning about one line names the row of the line', async () => {
  await using app = await openImportApp();
  const rows = [aRow(), aRow({ lot_code: 'B' }), aRow({ lot_code: 'C', direction: 'out' })];

  const reply = await app.send(aFile(rows));

  assert.deepEqual(reply.json['warnings'], [
    { code: 'unusual_direction', count: 1, rows: [{ row: 4, block_height: 1 }] },
  ]);
});

test('rows that are scattered keep their numbers', async () => {
  await using app = await openImportApp();
  const rows = [
    aRow({ external_id: 'a' }),
    aRow({ external_id: 'b' }),
    aRow({ external_id: 'a', lot_code: 'B', direction: 'out' }),
  ];

  const reply = await app.send(aFile(rows));

  assert.deepEqual(reply.json['warnings']?.[0]?.['rows'], [{ row: 4, block_height: 1 }]);
});

test('an event of a lot on hold is named by its row and block', async () => {
  const caller = { actor: 'test', requestId: null };
  await using app = await openImportApp({
    around: (store) => withAppend(store, (submission) => store.append({ ...submission, caller })),
  });
  await app.send(aFile([aRow()]));
  await holdLot(app.store, { lotCode: 'FLOUR-1' });

  const reply = await app.send(aFile([aRow({ external_id: 'b' })]));

  assert.equal(reply.json['warnings']?.[0]?.['code'], 'lot_on_hold', reply.text);
  assert.deepEqual(reply.json['warnings'][0]['rows'], [
    { row: 2, block_height: await app.height() },
  ]);
});

test('all events with a warning are counted, and a thousand of them named', async () => {
  await using app = await openImportApp();

  const reply = await app.send(aFile(manyEvents(1_200, { occurred_at: NO_OFFSET })));

  const [warning] = reply.json['warnings'] as unknown as { count: number; rows: unknown[] }[];
  assert.equal(warning?.count, 1_200, reply.text.slice(0, 300));
  assert.equal(warning.rows.length, FIELD_ERRORS_MAX);
});

for (const [name, external_id] of [
  ['an external id', 'wms-1'],
  ['a group', ''],
] as const) {
  test(`a conflict of ${name} names the block of the stored event`, async () => {
    await using app = await openImportApp();
    await app.send(aFile([aRow({ external_id: 'first' }), aRow({ external_id })]));

    const reply = await app.send(
      aFile([aRow({ external_id, quantity: '7' })]),
      '?on_error=proceed',
    );

    assert.equal(reply.json['errors']?.[0]?.['row'], 2, reply.text);
    assert.equal(reply.json['errors'][0]['block_height'], 2);
  });
}
