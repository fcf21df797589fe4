// CSV import as docs/interface/traceability.md#import-of-files describes it: columns, grouping, answers,
// errors by row and column, replays, dry runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sql from 'sql-template-tag';
import { SLICE_EVENTS_MAX } from '../../src/csv-import/spool.ts';
import {
  HEADER,
  aFile,
  aRow,
  aSale,
  listErrors,
  manyEvents,
  openImportApp,
  shareImportApp,
} from './app.ts';
import type { Cells, ImportApp } from './app.ts';

const openTenant = shareImportApp();

/** Ends in the middle of what an import that is alone submits at once: three single slices, five, three. */
const LARGE_FILE_EVENTS = 11 * SLICE_EVENTS_MAX;

test('a file with the columns of the document becomes one block for each event', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow(), ...manyEvents(1)]));

  assert.equal(reply.status, 201, reply.text);
  const { chain, log, log_state: logState, ...counts } = reply.json;
  // The import alone, without a log.
  assert.deepEqual([log, logState], [null, 'off']);
  assert.deepEqual(counts, {
    dry_run: false,
    rows: 3,
    events: 2,
    accepted: 2,
    duplicates: 0,
    rejected: 0,
    errors: [],
    warnings: [],
  });
  const head = await app.store.reader.first<object>(sql`select height, hash as tip_hash from head`);
  assert.deepEqual(chain, { ...head, chain_valid: true });
  assert.equal(await app.height(), 2);
});

test('rows that share an external id form one event with a line for each row', async () => {
  await using app = await openTenant();
  const rows = [
    aRow({ event_type: 'PRODUCE', supplier_name: 'Mill', supplier_lot_code: 'B-1', notes: 'dry' }),
    aRow({ event_type: 'PRODUCE', lot_code: 'BREAD-1', direction: 'out', quantity: '120' }),
  ];

  await app.send(aFile(rows));

  assert.deepEqual(await app.events(), [
    {
      event_type: 'PRODUCE',
      external_id: 'wms-1',
      lines: [
        {
          direction: 'in',
          lot_code: 'FLOUR-1',
          product_sku: 'FLOUR-T55',
          quantity: '250.5',
          supplier_lot_code: 'B-1',
          supplier_name: 'Mill',
          unit: 'kg',
        },
        {
          direction: 'out',
          lot_code: 'BREAD-1',
          product_sku: 'FLOUR-T55',
          quantity: '120',
          unit: 'kg',
        },
      ],
      location: 'BAKERY-1',
      notes: 'dry',
      occurred_at: '2026-03-02T06:15:00Z',
      reference: 'PO-1',
    },
  ]);
});

test('without an id, rows that share type, moment and reference form one event', async () => {
  await using app = await openTenant();
  const rows = [
    aRow({ external_id: '', lot_code: 'A' }),
    aRow({ external_id: '', lot_code: 'B', occurred_at: '2026-03-02T06:15:00Z' }),
    aRow({ external_id: '', lot_code: 'C', reference: 'PO-2' }),
    aRow({ external_id: '', lot_code: 'D', event_type: 'TRANSFER' }),
    aRow({ external_id: '', lot_code: 'E', occurred_at: '2026-03-02T06:15:01Z' }),
  ];

  const reply = await app.send(aFile(rows));

  assert.equal(reply.json['events'], 4, reply.text);
  const lots = (await app.events()).map((event) => event.lines.map((line) => line.lot_code).join());
  assert.deepEqual(lots, ['A,B', 'C', 'D', 'E']);
});

test('rows of one event need not be neighbours; events keep the order of their first rows', async () => {
  await using app = await openTenant();
  const rows = [
    aRow({ external_id: 'one', lot_code: 'A' }),
    aRow({ external_id: '', lot_code: 'B' }),
    aRow({ external_id: 'two', lot_code: 'C' }),
    aRow({ external_id: 'one', lot_code: 'D' }),
    aRow({ external_id: '', lot_code: 'E' }),
    aRow({ external_id: 'one', lot_code: 'F' }),
  ];

  const reply = await app.send(aFile(rows));

  assert.equal(reply.json['rows'], 6, reply.text);
  assert.equal(reply.json['accepted'], 3);
  const lots = (await app.events()).map((event) => event.lines.map((line) => line.lot_code).join());
  assert.deepEqual(lots, ['A,D,F', 'B,E', 'C']);
});

test('a large file whose rows are all scattered is joined like a small one', async () => {
  await using app = await openTenant();
  const rows = manyEvents(LARGE_FILE_EVENTS);
  const scattered = [
    ...rows.filter((_, index) => index % 2 === 0),
    ...rows.filter((_, index) => index % 2 === 1),
  ];

  const reply = await app.send(aFile(scattered));

  assert.equal(reply.json['accepted'], LARGE_FILE_EVENTS, reply.text.slice(0, 300));
  const events = await app.events();
  assert.deepEqual(
    events.map((event) => [event.external_id, event.lines.length]),
    Array.from({ length: LARGE_FILE_EVENTS }, (_, index) => [`wms-${index}`, 2]),
  );
});

for (const column of ['event_type', 'occurred_at', 'location', 'reference', 'notes']) {
  test(`rows of one event that disagree in ${column} are an error of that event`, async () => {
    await using app = await openTenant();
    const changes: Cells = {
      event_type: 'TRANSFER',
      occurred_at: '2026-03-02T07:15:01+01:00',
      location: 'BAKERY-2',
      reference: 'PO-2',
      notes: 'wet',
    };
    const rows = [aRow({ notes: 'dry' }), aRow({ notes: 'dry', [column]: changes[column] ?? '' })];

    const reply = await app.send(aFile(rows));

    assert.deepEqual(listErrors(reply), [[['body', 'file', 3, column], 'group_mismatch']]);
    assert.equal(await app.height(), 0);
  });
}

test('an empty notes cell agrees with the notes of the other rows', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow(), aRow({ lot_code: 'B', notes: 'dry' }), aRow()]));

  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual(
    (await app.events()).map((event) => event.notes),
    ['dry'],
  );
});

const OTHER_FORMS: readonly (readonly [string, (file: string) => string])[] = [
  ['a byte order mark', (file) => `\uFEFF${file}`],
  ['CRLF', (file) => file.replaceAll('\n', '\r\n')],
  ['semicolons', (file) => file.replaceAll(',', ';')],
  ['tabs', (file) => file.replaceAll(',', '\t')],
  ['no line end after the last row', (file) => file.trimEnd()],
  ['blank rows', (file) => file.replaceAll('\n', '\n\n').concat(',,,,\n')],
  ['every cell quoted', (file) => file.replace(/[^,\n]+/g, (cell) => `"${cell}"`)],
  [
    'columns in another order',
    (file) => file.replace(/.+/g, (line) => line.split(',').reverse().join()),
  ],
  ['names of columns in capitals', (file) => file.replace(HEADER, HEADER.toUpperCase())],
  ['trailing delimiters', (file) => file.replace(/.+/g, '$&,,')],
];

for (const [form, change] of OTHER_FORMS) {
  test(`a file with ${form} is read like one without`, async () => {
    await using app = await openTenant();
    const file = aFile([aRow({ supplier_name: 'Mill', notes: 'é' }), aRow({ external_id: 'b' })]);

    const reply = await app.send(change(file));

    assert.equal(reply.status, 201, reply.text);
    const events = await app.events();
    assert.deepEqual(
      events.map((event) => event.external_id),
      ['wms-1', 'b'],
    );
    assert.equal(events[0]?.lines[0]?.supplier_name, 'Mill');
    assert.equal(events[0].notes, 'é');
  });
}

test('delimiters, quotes and line ends within a quoted cell are kept', async () => {
  await using app = await openTenant();
  const notes = 'one, "two"\r\nthree; four\nfive';

  const reply = await app.send(
    aFile([aRow({ notes }), aRow({ external_id: 'b', unit: '' })]),
    '?on_error=proceed',
  );

  assert.deepEqual(
    (await app.events()).map((event) => event.notes),
    [notes],
  );
  // A row with line ends in a cell is one row, as a spreadsheet counts.
  assert.equal(reply.json['errors']?.[0]?.['row'], 3, reply.text);
});

test('trailing empty cells may be left out', async () => {
  await using app = await openTenant();
  const file = aFile([aRow(), aRow({ external_id: 'b' })]).replaceAll(/,+$/gm, '');

  const reply = await app.send(file);

  assert.equal(reply.json['accepted'], 2, reply.text);
});

test('a last row that is cut off is refused', async () => {
  await using app = await openTenant();
  const file = aFile([aRow()]).replace(/,+\n$/, '');

  const reply = await app.send(file);

  assert.deepEqual(listErrors(reply), [[['body', 'file', 2], 'csv_invalid']]);
});

test('required columns that are missing are named, all of them', async () => {
  await using app = await openTenant();

  const reply = await app.send('external_id,event_type,occurred_at,location,lot_code,unit\n');

  assert.deepEqual(
    listErrors(reply),
    ['reference', 'product_sku', 'direction', 'quantity'].map((column) => [
      ['body', 'file', 1, column],
      'missing',
    ]),
  );
});

test('optional columns may be left out', async () => {
  await using app = await openTenant();
  const file =
    'unit,quantity,direction,product_sku,lot_code,reference,location,occurred_at,event_type\n' +
    'kg,1,in,SKU,LOT,REF,LOC,2026-03-02T06:15:00Z,RECEIVE\n';

  const reply = await app.send(file);

  assert.equal(reply.json['accepted'], 1, reply.text);
});

test('a column that is in the header twice is refused', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow()]).replace('notes', 'unit'));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1, 'unit'], 'duplicate_column']]);
});

for (const [name, file] of [
  ['no bytes', ''],
  ['a byte order mark only', '\uFEFF'],
  ['a blank first row', '\n\n'],
] as const) {
  test(`a file of ${name} lacks its header row`, async () => {
    await using app = await openTenant();

    const reply = await app.send(file);

    assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'missing']]);
  });
}

test('a file of a header alone adds nothing', async () => {
  await using app = await openTenant();

  const reply = await app.send(`${HEADER}\n`);

  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.json['events'], 0);
});

const WRONG_CELLS: readonly (readonly [string, string, string])[] = [
  ['event_type', 'RECIEVE', 'enum'],
  ['event_type', 'receive', 'enum'],
  ['event_type', '', 'missing'],
  ['occurred_at', '2026-03-02', 'datetime_parsing'],
  ['occurred_at', '2026-02-30T10:00:00Z', 'datetime_parsing'],
  ['location', '', 'missing'],
  ['location', 'x'.repeat(201), 'string_too_long'],
  ['reference', 'a\0b', 'string_unicode'],
  ['lot_code', '', 'missing'],
  ['lot_code', 'x'.repeat(101), 'string_too_long'],
  ['direction', 'IN', 'enum'],
  ['quantity', '', 'missing'],
  ['quantity', '-1', 'greater_than_equal'],
  ['quantity', '1,5', 'float_parsing'],
  ['quantity', '1e3', 'float_parsing'],
  ['quantity', 'NaN', 'float_parsing'],
  ['quantity', '1234567890.1234567', 'decimal_max_digits'],
  ['quantity', '0.0000000000000001', 'decimal_max_digits'],
  ['quantity', '1000000000000000', 'less_than_equal'],
  ['unit', 'x'.repeat(21), 'string_too_long'],
  ['customer_ref', 'x'.repeat(201), 'string_too_long'],
  ['notes', 'x'.repeat(2_001), 'string_too_long'],
  ['external_id', 'x'.repeat(201), 'string_too_long'],
];

describe('a wrong cell', () => {
  let app: ImportApp;
  before(async () => {
    app = await openTenant();
  });
  after(() => app[Symbol.asyncDispose]());

  for (const [column, cell, type] of WRONG_CELLS) {
    test(`${JSON.stringify(cell.slice(0, 20))} as ${column} is ${type} at its row and column`, async () => {
      const rows = [aRow({ external_id: 'good' }), aRow({ [column]: cell })];

      const reply = await app.send(aFile(rows));

      assert.deepEqual(listErrors(reply), [[['body', 'file', 3, column], type]]);
      assert.equal(await app.height(), 0);
      assert.equal(cell.length > 4 && reply.text.includes(cell), false);
    });
  }
});

test('all errors of a file are named at once, in the order of its rows', async () => {
  await using app = await openTenant();
  const rows = [
    aRow({ quantity: 'x', unit: '' }),
    aRow({ lot_code: '' }),
    aRow({ external_id: 'b', direction: 'up' }),
  ];

  const reply = await app.send(aFile(rows));

  assert.deepEqual(listErrors(reply), [
    [['body', 'file', 2, 'quantity'], 'float_parsing'],
    [['body', 'file', 2, 'unit'], 'missing'],
    [['body', 'file', 3, 'lot_code'], 'missing'],
    [['body', 'file', 4, 'direction'], 'enum'],
  ]);
});

test('an event of more than 1,000 rows is refused at the first row too many', async () => {
  await using app = await openTenant();
  const rows = Array.from({ length: 1_003 }, (_, index) => aRow({ lot_code: `L-${index}` }));

  const reply = await app.send(aFile(rows));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1_002], 'too_long']]);
});

test('an event of 1,000 rows is accepted', async () => {
  await using app = await openTenant();
  const rows = Array.from({ length: 1_000 }, (_, index) => aRow({ lot_code: `L-${index}` }));

  const reply = await app.send(aFile(rows));

  assert.equal(reply.json['accepted'], 1, reply.text.slice(0, 300));
});

test('at most a thousand errors are named, and all rejected events counted', async () => {
  await using app = await openTenant();
  const rows = manyEvents(1_200, { unit: '' });

  const reply = await app.send(aFile(rows), '?on_error=proceed');

  assert.equal(reply.status, 200);
  assert.equal(reply.json['rejected'], 1_200);
  assert.equal((reply.json['errors'] as unknown as unknown[]).length, 1_000);
});

for (const [name, lines, place] of [
  ['never closed', 'a,"b\nc,d\n', [2, 'event_type']],
  ['followed by text', 'a,b,"c"d,e\n', [2, 'occurred_at']],
  ['in the middle of a cell', 'a,b"c,d\n', [2, 'event_type']],
] as const) {
  test(`a quote ${name} makes the file unreadable, whatever on_error says`, async () => {
    await using app = await openTenant();

    const reply = await app.send(`${HEADER}\n${lines}`, '?on_error=proceed');

    assert.deepEqual(listErrors(reply), [[['body', 'file', ...place], 'csv_invalid']]);
  });
}

test('a byte that is not UTF-8 is refused at its row', async () => {
  await using app = await openTenant();
  const file = Buffer.from(aFile([aRow(), aRow({ external_id: 'b', notes: 'caf?' })]));
  file[file.indexOf('?')] = 0xe9;

  const reply = await app.send(new Uint8Array(file), '?on_error=proceed');

  assert.deepEqual(listErrors(reply), [[['body', 'file', 3], 'string_unicode']]);
  assert.equal(await app.height(), 0);
});

for (const [name, cell] of [
  ['characters', 'x'.repeat(70_000)],
  ['delimiters', ','.repeat(200_000)],
  ['line ends in a quoted cell', `"${'\n'.repeat(70_000)}"`],
] as const) {
  test(`a row of too many ${name} makes the file unreadable`, async () => {
    await using app = await openTenant();
    const file = `${aFile([aRow()])}b,${cell},\n`;

    const reply = await app.send(file, '?on_error=proceed');

    assert.deepEqual(listErrors(reply), [[['body', 'file', 3], 'string_too_long']]);
  });
}

test('by default one wrong event refuses the file, and nothing is stored', async () => {
  await using app = await openTenant();
  const rows = manyEvents(600).with(900, aRow({ external_id: 'bad', unit: '' }));

  const reply = await app.send(aFile(rows));

  assert.equal(listErrors(reply).length, 1);
  assert.equal(await app.height(), 0);
});

test('on_error=proceed keeps the good events and says what is wrong with the others', async () => {
  await using app = await openTenant();
  const rows = [aRow({ external_id: 'bad', unit: '' }), aRow({ external_id: 'good' })];

  const reply = await app.send(aFile(rows), '?on_error=proceed');

  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.json['accepted'], 1);
  assert.equal(reply.json['rejected'], 1);
  assert.deepEqual(reply.json['errors'], [
    { row: 2, column: 'unit', msg: 'Field required', type: 'missing' },
  ]);
  assert.deepEqual(
    (await app.events()).map((event) => event.external_id),
    ['good'],
  );
});

test('a wrong row refuses its whole event, also when its rows are scattered', async () => {
  await using app = await openTenant();
  const rows = [
    aRow({ external_id: 'bad' }),
    aRow({ external_id: 'good' }),
    aRow({ external_id: 'bad', unit: '' }),
  ];

  const reply = await app.send(aFile(rows), '?on_error=proceed');

  assert.equal(reply.json['rejected'], 1, reply.text);
  assert.deepEqual(reply.json['errors'], [
    { row: 4, column: 'unit', msg: 'Field required', type: 'missing' },
  ]);
  assert.deepEqual(
    (await app.events()).map((event) => event.external_id),
    ['good'],
  );
});

test('an external id that other content has is a 400 that names the row', async () => {
  await using app = await openTenant();
  await app.send(aFile([aRow()]));
  const rows = [aRow({ external_id: 'new' }), aRow({ quantity: '7' })];

  const reply = await app.send(aFile(rows));

  assert.equal(reply.status, 400, reply.text);
  assert.match(String(reply.json['detail']), /^row 3: external_id .*lines\[0\]\.quantity$/);
  assert.equal(await app.height(), 1);
});

test('on_error=proceed leaves out what is in conflict with the ledger', async () => {
  await using app = await openTenant();
  await app.send(aFile([aRow()]));
  const rows = [aRow({ external_id: 'new' }), aRow({ quantity: '7' })];

  const reply = await app.send(aFile(rows), '?on_error=proceed');

  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.json['rejected'], 1);
  assert.equal(reply.json['errors']?.[0]?.['row'], 3);
  assert.equal(reply.json['errors']?.[0]?.['column'], 'external_id');
  assert.equal(reply.json['errors']?.[0]?.['type'], 'external_id_conflict');
});

test('a file with ids imported twice creates nothing the second time', async () => {
  await using app = await openTenant();
  const file = aFile(manyEvents(1_500));
  await app.send(file);

  const reply = await app.send(file);

  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  assert.equal(reply.json['accepted'], 0);
  assert.equal(reply.json['duplicates'], 1_500);
  assert.equal(await app.height(), 1_500);
});

test('a file without ids imported twice creates nothing the second time', async () => {
  await using app = await openTenant();
  const file = aFile(manyEvents(1_500, { external_id: '' }));
  await app.send(file);

  const reply = await app.send(file);

  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  assert.equal(reply.json['duplicates'], 1_500);
  assert.equal(await app.height(), 1_500);
});

test('sales without ids and with private values create nothing the second time', async () => {
  await using app = await openTenant();
  const file = aFile([aSale(), aSale({ lot_code: 'BREAD-2', notes: '' })]);
  await app.send(file);

  const reply = await app.send(file);

  assert.equal(reply.json['duplicates'], 1, reply.text);
  assert.equal(await app.height(), 1);
});

test('what is private in a sale is kept off the chain and out of the answer', async () => {
  await using app = await openImportApp();
  const file = aFile([aSale({ external_id: 's-1' })]);

  const first = await app.send(file);
  const conflict = await app.send(aFile([aSale({ external_id: 's-1', customer_ref: 'CUST-2' })]));

  const texts = [JSON.stringify(await app.events()), first.text, conflict.text].join();
  assert.doesNotMatch(texts, /CUST-|supermarket|cash/);
  const kept = await app.store.reader.all<object>(
    sql`select customer_ref, channel from private_lines`,
  );
  assert.deepEqual(
    kept.map((row) => ({ ...row })),
    [{ customer_ref: 'CUST-1', channel: 'supermarket' }],
  );
  assert.match(conflict.text, /lines\[0\]\.customer_ref/);
});

test('another tenant may use the same ids', async () => {
  await using app = await openTenant();
  await app.send(aFile([aRow()]));

  const reply = await app.send(aFile([aRow({ quantity: '7' })]), '', 'other');

  assert.equal(reply.json['accepted'], 1, reply.text);
});

test('a dry run tells what would happen and stores nothing', async () => {
  await using app = await openTenant();
  await app.send(aFile([aRow()]));
  const rows = [aRow(), aRow({ external_id: 'b' }), aRow({ external_id: 'c', unit: '' })];

  const reply = await app.send(aFile(rows), '?dry_run=true&on_error=proceed');

  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(
    ['dry_run', 'accepted', 'duplicates', 'rejected'].map((key) => reply.json[key]),
    [true, 1, 1, 1],
  );
  assert.equal(await app.height(), 1);
});

test('a dry run of a wrong file is refused like the run would be', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow({ unit: '' })]), '?dry_run=true');

  assert.deepEqual(listErrors(reply), [[['body', 'file', 2, 'unit'], 'missing']]);
});

test('an unknown word for on_error is a 422', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow()]), '?on_error=ignore');

  assert.deepEqual(listErrors(reply), [[['query', 'on_error'], 'enum']]);
});

test('a wrong shape and a day that does not exist are named at once', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow({ quantity: '-1', occurred_at: '2026-02-30T00:00Z' })]));

  assert.equal(reply.status, 422);
  assert.deepEqual(
    listErrors(reply)
      .map(([, type]) => type)
      .toSorted(),
    ['datetime_parsing', 'greater_than_equal'],
  );
});
