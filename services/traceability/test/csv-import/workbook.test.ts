// POST /v1/import/xlsx: sheets, cells by their types, and workbooks that are broken or made to hurt.
import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { shownBy } from '../../src/csv-import/workbook/number-formats.ts';
import { openWorkbook } from '../../src/csv-import/workbook/rows.ts';
import { serialTimeText } from '../../src/csv-import/workbook/cells.ts';
import { HEADER, aFile, aRow, listErrors, openImportApp, shareImportApp } from './app.ts';
import type { ImportApp, ImportReply } from './app.ts';
import {
  HEADER_ROW_XML,
  STYLE,
  aSheet,
  aWorkbook,
  numberCell,
  rowXml,
  textCell,
  toLetter,
} from './workbooks.ts';

const openTenant = shareImportApp();

/** 2 March 2026, 07:15, in days since the end of 1899. */
const SERIAL = 46083.302083333336;

async function firstLine(app: ImportApp): Promise<Readonly<Record<string, unknown>>> {
  const [event] = await app.events();
  assert.ok(event !== undefined);
  return { ...event.lines[0] };
}

test('a sheet of texts is imported like a file of CSV', async () => {
  await using app = await openTenant();
  const rows = [aRow({ notes: 'Crème & <5' }), aRow({ external_id: 'b' })];
  const sheet = aSheet(...rows.map((row, index) => rowXml(index + 2, row)));

  const reply = await app.sendWorkbook(sheet);
  const again = await app.send(aFile(rows));

  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.json['accepted'], 2);
  assert.equal(again.json['duplicates'], 2, again.text);
});

test('dates and numbers are read by the types of their cells', async () => {
  await using app = await openTenant();
  const own = {
    occurred_at: numberCell('occurred_at', 2, SERIAL, STYLE.dateTime),
    quantity: numberCell('quantity', 2, '1.234', STYLE.decimals),
    lot_code: numberCell('lot_code', 2, 711),
    product_sku: numberCell('product_sku', 2, '4012345678901'),
  };

  const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow(), own)), '?timezone=Europe/Berlin');

  assert.equal(reply.status, 201, reply.text);
  assert.equal((await app.events())[0]?.occurred_at, '2026-03-02T06:15:00Z');
  const line = await firstLine(app);
  assert.deepEqual(
    [line['quantity'], line['lot_code'], line['product_sku']],
    ['1.234', '711', '4012345678901'],
  );
});

test('a date without a time zone is read as UTC, with a warning', async () => {
  await using app = await openImportApp();
  const own = { occurred_at: numberCell('occurred_at', 2, SERIAL, STYLE.dateTime) };

  const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow(), own)));

  assert.deepEqual(reply.json['warnings'], [
    { code: 'no_offset', count: 1, rows: [{ row: 2, block_height: 1 }] },
  ]);
});

test('dates of a workbook that counts from 1904 are four years later', async () => {
  await using app = await openTenant();
  const own = { occurred_at: numberCell('occurred_at', 2, SERIAL - 1462, STYLE.dateTime) };
  const rows = HEADER_ROW_XML + rowXml(2, aRow(), own);

  const reply = await app.sendWorkbook(
    aWorkbook({ sheets: [{ name: 'Events', rows }], properties: 'date1904="1"' }),
  );

  assert.equal(reply.status, 201, reply.text);
  assert.equal((await app.events())[0]?.occurred_at, '2026-03-02T07:15:00Z');
});

test('texts that cells share are read without their look and pronunciation', async () => {
  await using app = await openTenant();
  const shared =
    '<si><t>FLOUR-9</t></si>' +
    '<si><r><rPr><b/></rPr><t xml:space="preserve">rye </t></r><r><t>_x005F_x000D_ 5</t></r>' +
    '<rPh sb="0" eb="1"><t>unseen</t></rPh></si>';
  const own = {
    lot_code: `<c r="${toLetter('lot_code')}2" t="s"><v>0</v></c>`,
    notes: `<c r="${toLetter('notes')}2" t="s"><v>1</v></c>`,
  };
  const rows = HEADER_ROW_XML + rowXml(2, aRow(), own);

  const reply = await app.sendWorkbook(
    aWorkbook({ sheets: [{ name: 'Events', rows }], sharedStrings: shared }),
  );

  assert.equal(reply.status, 201, reply.text);
  const [event] = await app.events();
  assert.equal(event?.notes, 'rye _x000D_ 5');
  assert.equal(event.lines[0]?.lot_code, 'FLOUR-9');
});

test('formulas are read by the values that were computed', async () => {
  await using app = await openTenant();
  const at = (column: string): string => `r="${toLetter(column)}2"`;
  const own = {
    quantity: `<c ${at('quantity')}><f>1/4</f><v>0.25</v></c>`,
    lot_code: `<c ${at('lot_code')} t="str"><f>"A"&amp;1</f><v>A1</v></c>`,
  };

  const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow(), own)));

  assert.equal(reply.status, 201, reply.text);
  const line = await firstLine(app);
  assert.deepEqual([line['quantity'], line['lot_code']], ['0.25', 'A1']);
});

test('a sum that a double does not hold is what the spreadsheet shows', async () => {
  await using app = await openTenant();
  const own = { quantity: numberCell('quantity', 2, '0.30000000000000004') };

  await app.sendWorkbook(aSheet(rowXml(2, aRow(), own)));

  assert.equal((await firstLine(app))['quantity'], '0.3');
});

const WRONG: readonly (readonly [string, string, string, string])[] = [
  ['an error of a formula', 'quantity', '<c r="#2" t="e"><v>#DIV/0!</v></c>', 'spreadsheet_error'],
  ['a formula without a value', 'quantity', '<c r="#2"><f>A1</f></c>', 'spreadsheet_error'],
  ['a date as a quantity', 'quantity', `<c r="#2" s="1"><v>${SERIAL}</v></c>`, 'float_parsing'],
  ['a number as a moment', 'occurred_at', `<c r="#2"><v>${SERIAL}</v></c>`, 'datetime_parsing'],
  ['a day that was not', 'occurred_at', '<c r="#2" s="1"><v>60.5</v></c>', 'datetime_parsing'],
  ['a date without a time', 'occurred_at', '<c r="#2" s="2"><v>46083</v></c>', 'datetime_parsing'],
  ['a time without a date', 'occurred_at', '<c r="#2" s="5"><v>0.5</v></c>', 'datetime_parsing'],
  ['a date as a lot code', 'lot_code', '<c r="#2" s="2"><v>46083</v></c>', 'spreadsheet_number'],
  ['zeros before a code', 'lot_code', '<c r="#2" s="4"><v>711</v></c>', 'spreadsheet_number'],
  ['a code with decimals', 'reference', '<c r="#2"><v>1.5</v></c>', 'spreadsheet_number'],
  [
    'a code of 18 digits',
    'lot_code',
    '<c r="#2"><v>401234567890123000</v></c>',
    'spreadsheet_number',
  ],
  [
    'a text in scientific notation',
    'lot_code',
    textCell('lot_code', 2, '4.01E+12'),
    'scientific_notation',
  ],
];

describe('a workbook with a wrong cell in each row', () => {
  let reply: ImportReply;
  before(async () => {
    const app = await openTenant();
    const rows = WRONG.map(([, column, xml], index) => {
      const row = index + 2;
      const own = { [column]: xml.replace('#2', `${toLetter(column)}${row}`) };
      return rowXml(row, aRow({ external_id: `wrong-${row}` }), own);
    });
    reply = await app.sendWorkbook(aSheet(...rows), '?on_error=proceed');
  });

  for (const [index, [title, column, , type]] of WRONG.entries()) {
    test(`${title} is an error of its row`, () => {
      const errors = Object.values(reply.json['errors'] ?? {});
      const ofRow = errors.filter(({ row }) => Number(row) === index + 2);

      assert.deepEqual(
        ofRow.map((error) => [error['column'], error['type']]),
        [[column, type]],
      );
      assert.doesNotMatch(reply.text, /401234|4\.01E|46083/);
    });
  }
});

test('a text of two readings is an error of its row', async () => {
  await using app = await openTenant();
  const own = { quantity: textCell('quantity', 2, '1.234') };

  const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow(), own)));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 2, 'quantity'], 'number_ambiguous']]);
  assert.doesNotMatch(reply.text, /1\.234/);
});

test('texts and numbers of one column do not contradict each other', async () => {
  await using app = await openTenant();
  const rows = [
    rowXml(2, aRow(), { quantity: numberCell('quantity', 2, '1.234') }),
    rowXml(3, aRow({ external_id: 'b', quantity: '12,5' })),
  ];

  const reply = await app.sendWorkbook(aSheet(...rows));

  assert.equal(reply.status, 201, reply.text);
  const quantities = (await app.events()).map((event) => event.lines[0]?.quantity);
  assert.deepEqual(quantities, ['1.234', '12.5']);
});

test('rows keep the numbers of the sheet, and blank ones are skipped', async () => {
  await using app = await openTenant();
  const blank = `<row r="3"><c r="A3" s="1"/><c r="B3" t="inlineStr"><is><t> </t></is></c></row>`;

  const reply = await app.sendWorkbook(
    aSheet(rowXml(2, aRow()), blank, rowXml(7, aRow({ external_id: 'b', unit: '' }))),
    '?on_error=proceed',
  );

  assert.equal(reply.json['rows'], 2, reply.text);
  assert.equal(reply.json['errors']?.[0]?.['row'], 7);
});

test('rows and cells may come without their places', async () => {
  await using app = await openTenant();
  const cells = HEADER.split(',').map((name) => aRow()[name] ?? '');
  const row = cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
  const rows = `${HEADER_ROW_XML.replaceAll(/ r="\w+"/g, '')}<row>${row}</row>`;

  const reply = await app.sendWorkbook(aWorkbook({ sheets: [{ name: 'E', rows }] }));

  assert.equal(reply.json['accepted'], 1, reply.text);
});

test('rows of one event may be scattered over a sheet', async () => {
  await using app = await openTenant();
  const ids = ['a', 'b', 'a'];
  const rows = ids.map((external_id, index) =>
    rowXml(index + 2, aRow({ external_id, lot_code: `L${index}` }), {
      quantity: numberCell('quantity', index + 2, index + 1),
    }),
  );

  const reply = await app.sendWorkbook(aSheet(...rows));

  assert.equal(reply.json['accepted'], 2, reply.text);
  const [first] = await app.events();
  assert.deepEqual(
    first?.lines.map((line) => line.quantity),
    ['1', '3'],
  );
});

describe('a workbook of several sheets', () => {
  const row = (id: string): string => HEADER_ROW_XML + rowXml(2, aRow({ external_id: id }));
  const workbook = aWorkbook({
    sheets: [
      { name: 'Lists', rows: '', state: 'hidden' },
      { name: 'March', rows: row('march') },
      { name: 'April', rows: row('april') },
    ],
  });

  for (const [query, id] of [
    ['', 'march'],
    ['?sheet=April', 'april'],
    ['?sheet=march', 'march'],
  ] as const) {
    test(`gives ${id} with ${query || 'no name'}`, async () => {
      await using app = await openTenant();

      const reply = await app.sendWorkbook(workbook, query);

      assert.equal(reply.status, 201, reply.text);
      assert.equal((await app.events())[0]?.external_id, id);
    });
  }

  test('refuses a sheet that it does not have', async () => {
    await using app = await openTenant();

    const reply = await app.sendWorkbook(workbook, '?sheet=May');

    assert.deepEqual(listErrors(reply), [[['query', 'sheet'], 'value_error']]);
  });
});

test('a header that is not in row 1 is missing', async () => {
  await using app = await openTenant();
  const rows = rowXml(3, aRow());

  const reply = await app.sendWorkbook(aWorkbook({ sheets: [{ name: 'E', rows }] }));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'missing']]);
});

test('a separator of lines within a text stays in it', async () => {
  await using app = await openTenant();

  await app.sendWorkbook(aSheet(rowXml(2, aRow({ notes: 'one\u2028two\u2029three' }))));

  assert.equal((await app.events())[0]?.notes, 'one\u2028two\u2029three');
});

test('a dry run of a workbook stores nothing', async () => {
  await using app = await openTenant();

  const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow())), '?dry_run=true');

  assert.equal(reply.json['accepted'], 1, reply.text);
  assert.equal(await app.height(), 0);
  assert.deepEqual(await app.leftovers(), []);
});

const EVENTS = { sheets: [{ name: 'E', rows: HEADER_ROW_XML }] };

const BROKEN: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ['CSV', new Uint8Array(Buffer.from(aFile([aRow()])))],
  ['nothing', new Uint8Array()],
  ['a workbook of an older program', new Uint8Array(Buffer.from('d0cf11e0a1b11ae1', 'hex'))],
  ['a ZIP file of something else', new Uint8Array(zipSync({ 'a.txt': strToU8('hello') }))],
  ['a ZIP file that was cut off', aSheet(rowXml(2, aRow())).slice(0, 900)],
  [
    'a workbook without its sheet',
    aWorkbook({ ...EVENTS, parts: { 'xl/worksheets/sheet1.xml': null } }),
  ],
  [
    'a sheet that is no XML',
    aWorkbook({ ...EVENTS, parts: { 'xl/worksheets/sheet1.xml': '<a><b>' } }),
  ],
  [
    'a sheet with a document type',
    aWorkbook({
      ...EVENTS,
      parts: { 'xl/worksheets/sheet1.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' },
    }),
  ],
  ['a text that is not there', aSheet('<row r="2"><c r="A2" t="s"><v>7</v></c></row>')],
  ['rows in the wrong order', aSheet(rowXml(3, aRow()), rowXml(2, aRow()))],
  ['a number that is none', aSheet('<row r="2"><c r="A2"><v>secret</v></c></row>')],
];

for (const [what, file] of BROKEN) {
  test(`${what} is refused as no workbook, and nothing of it is repeated`, async () => {
    await using app = await openTenant();

    const reply = await app.sendWorkbook(file);

    assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'xlsx_invalid']]);
    assert.doesNotMatch(reply.text, /secret|hello|FLOUR/);
    assert.equal(await app.height(), 0);
    assert.deepEqual(await app.leftovers(), []);
  });
}

describe('a workbook that is made to hurt', () => {
  const sheetPart = 'xl/worksheets/sheet1.xml';
  const bomb = (bytes: number, before: string): Uint8Array<ArrayBuffer> =>
    aWorkbook({ ...EVENTS, parts: { [sheetPart]: before + ' '.repeat(bytes) } });

  test('by unpacking to more than it claims is refused', async () => {
    await using app = await openTenant();
    const file = Buffer.from(aSheet(rowXml(2, aRow())));
    // The size that the directory claims for each part becomes one byte.
    for (let at = 0; (at = file.indexOf('PK\x01\x02', at, 'latin1')) >= 0; at += 4) {
      file.writeUInt32LE(1, at + 24);
    }

    const reply = await app.sendWorkbook(new Uint8Array(file));

    assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'xlsx_invalid']]);
  });

  test('by unpacking to 600 MiB is refused', async () => {
    await using app = await openTenant();
    const file = Buffer.from(bomb(1_000, '<a>'));
    for (let at = 0; (at = file.indexOf('PK\x01\x02', at, 'latin1')) >= 0; at += 4) {
      file.writeUInt32LE(629_145_600, at + 24);
    }

    const reply = await app.sendWorkbook(new Uint8Array(file));

    assert.match(reply.text, /unpacks to more than 524288000 bytes/);
  });

  test('by a text without end is refused', async () => {
    await using app = await openTenant();

    const reply = await app.sendWorkbook(bomb(20_000_000, '<worksheet><sheetData><row><c><v>'));

    assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'xlsx_invalid']]);
  });

  test('by a row without end is refused', async () => {
    await using app = await openTenant();
    const notes = textCell('notes', 2, 'x'.repeat(70_000));

    const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow(), { notes })));

    assert.deepEqual(listErrors(reply), [[['body', 'file', 2], 'string_too_long']]);
  });

  test('by cells that share one long text is refused', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lothub-workbook-'));
    const file = join(folder.path, 'upload');
    const cells = Array.from({ length: 50 }, (_, index) => {
      const row = index + 2;
      return `<row r="${row}"><c r="A${row}" t="s"><v>0</v></c></row>`;
    });
    const workbook = aWorkbook({
      sheets: [{ name: 'E', rows: HEADER_ROW_XML + cells.join('') }],
      sharedStrings: `<si><t>${'x'.repeat(60_000)}</t></si>`,
    });
    await writeFile(file, workbook);

    const options = { file, folder: folder.path, sheet: null, rowsBytesMax: 1_000_000 };
    const opened = openWorkbook(options);

    await assert.rejects(opened, /hold more than 1000000 bytes/);
  });

  test('by millions of texts is read in bounded memory', async () => {
    await using app = await openTenant();
    const shared = `<si><t>${'x'.repeat(60_000)}</t></si>`.repeat(400) + '<si><t>LAST-1</t></si>';
    const lot_code = `<c r="${toLetter('lot_code')}2" t="s"><v>400</v></c>`;
    const rows = HEADER_ROW_XML + rowXml(2, aRow(), { lot_code });

    const reply = await app.sendWorkbook(
      aWorkbook({ sheets: [{ name: 'E', rows }], sharedStrings: shared }),
    );

    assert.equal(reply.status, 201, reply.text);
    assert.equal((await firstLine(app))['lot_code'], 'LAST-1');
  });
});

test('a workbook over the limit is a 413', async () => {
  await using app = await openImportApp({ fileBytesMax: 500 });

  const reply = await app.sendWorkbook(aSheet(rowXml(2, aRow())));

  assert.equal(reply.status, 413, reply.text);
});

test('the CSV import names the endpoint for workbooks', async () => {
  await using app = await openTenant();

  const reply = await app.send(aSheet(rowXml(2, aRow())));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1], 'csv_invalid']]);
  assert.match(reply.text, /\/v1\/import\/xlsx/);
});

test('the template as a workbook is imported as it is, without a warning', async () => {
  await using app = await openTenant();
  const response = await fetch(`${app.base}/v1/import/template?format=xlsx`);
  const file = new Uint8Array(await response.arrayBuffer());

  const reply = await app.sendWorkbook(file);
  const lists = await app.sendWorkbook(file, '?sheet=Lists');

  assert.equal(reply.json['accepted'], 1, reply.text);
  assert.deepEqual(reply.json['warnings'], []);
  // A sheet of lists has no columns of events.
  assert.equal(lists.status, 422);
});

for (const [code, shown] of [
  ['General', 'as it is'],
  ['0', 'as it is'],
  ['@', 'as it is'],
  ['0.00', 'number'],
  ['00000', 'number'],
  ['0.00E+00', 'number'],
  ['#,##0.00 "days"', 'number'],
  ['General "kg"', 'number'],
  ['[Red]0.00;[Blue]-0.00', 'number'],
  ['yyyy-mm-dd', 'date'],
  ['mmm', 'date'],
  ['[$-407]d. mmmm yyyy;@', 'date'],
  ['dd/mm/yyyy hh:mm', 'date and time'],
  ['m/d/yy h:mm AM/PM', 'date and time'],
  ['hh:mm:ss', 'time'],
  ['[h]:mm', 'time'],
  ['[mm]:ss', 'time'],
] as const) {
  test(`the number format ${code} shows ${shown}`, () => {
    assert.equal(shownBy(code), shown);
  });
}

test('days are counted around the one that was not', () => {
  const options = { shown: 'date', dateSystem: 1900 } as const;

  const days = [1, 59, 60, 61, 46083, 2_958_466, -1].map((day) => serialTimeText(day, options));

  assert.deepEqual(days, [
    '1900-01-01',
    '1900-02-28',
    undefined,
    '1900-03-01',
    '2026-03-02',
    undefined,
    undefined,
  ]);
});
