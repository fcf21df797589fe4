// The form of an imported file: encodings, delimiters, line ends, numbers, dates and names of columns.
// What has one reading in the whole file is read; what could be two things is refused at its row, with
// the option that settles it, and never with the value.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { checkEvent } from '../../src/events/check-event.ts';
import { HEADER, aFile, aRow, listErrors, shareImportApp } from './app.ts';
import type { Cells, ImportApp, ImportReply } from './app.ts';

const openTenant = shareImportApp();

/** A file of rows whose cells are divided by semicolons, as where commas are before decimals. */
function semicolons(rows: readonly Cells[]): string {
  const names = HEADER.split(',');
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.join(';')}\n`)
    .join('');
}

function quantities(...values: readonly string[]): readonly Cells[] {
  return values.map((quantity, index) => aRow({ external_id: `q-${index}`, quantity }));
}

function times(...values: readonly string[]): readonly Cells[] {
  return values.map((occurred_at, index) => aRow({ external_id: `t-${index}`, occurred_at }));
}

async function storedQuantities(app: ImportApp): Promise<readonly unknown[]> {
  return (await app.events()).flatMap((event) => event.lines.map((line) => line.quantity));
}

async function storedTimes(app: ImportApp): Promise<readonly unknown[]> {
  return (await app.events()).map((event) => event.occurred_at);
}

/** Sentences of a 422. */
function sentences(reply: ImportReply): string {
  return JSON.stringify(reply.json['detail']);
}

const NUMBERS: readonly (readonly [
  title: string,
  file: string,
  query: string,
  expected: readonly string[] | readonly (readonly [row: number, type: string])[],
])[] = [
  ['points of a plain file', aFile(quantities('1.234', '5')), '', ['1.234', '5']],
  ['commas in quotes', aFile(quantities('12,5', '3')), '', ['12.5', '3']],
  ['commas beside semicolons', semicolons(quantities('12,5', '1,234')), '', ['12.5', '1.234']],
  ['points beside semicolons', semicolons(quantities('12.5', '1.234')), '', ['12.5', '1.234']],
  ['a zero before the mark', semicolons(quantities('0.250', '0.125')), '', ['0.25', '0.125']],
  ['four digits before the mark', semicolons(quantities('1234,567')), '', ['1234.567']],
  [
    'thousands with decimals',
    semicolons(quantities('1.234,5', '1.234.567,25')),
    '',
    ['1234.5', '1234567.25'],
  ],
  ['thousands of thousands', semicolons(quantities('1.234.567', '12,5')), '', ['1234567', '12.5']],
  [
    'a point alone beside semicolons',
    semicolons(quantities('1.234', '7')),
    '',
    [[2, 'number_ambiguous']],
  ],
  [
    'a comma alone beside semicolons',
    semicolons(quantities('1,234', '7')),
    '',
    [[2, 'number_ambiguous']],
  ],
  ['a point among commas', semicolons(quantities('12,5', '1.234')), '', [[3, 'number_ambiguous']]],
  [
    'a point among commas of a plain file',
    aFile(quantities('12,5', '1.234')),
    '',
    [[3, 'number_ambiguous']],
  ],
  ['a comma among points', aFile(quantities('12.5', '1,234')), '', [[3, 'number_ambiguous']]],
  [
    'commas and points',
    semicolons(quantities('12.5', '3,7', '1.234')),
    '',
    [
      [3, 'float_parsing'],
      [4, 'number_ambiguous'],
    ],
  ],
  [
    'a point with decimal=point',
    semicolons(quantities('1.234', '1,234')),
    '?decimal=point',
    ['1.234', '1234'],
  ],
  [
    'a point with decimal=comma',
    semicolons(quantities('1.234', '1,234')),
    '?decimal=comma',
    ['1234', '1.234'],
  ],
  [
    'a point before one decimal with decimal=comma',
    semicolons(quantities('12.5')),
    '?decimal=comma',
    [[2, 'float_parsing']],
  ],
  ['scientific notation', aFile(quantities('4.01E+12')), '', [[2, 'scientific_notation']]],
  ['an error of a formula', aFile(quantities('#DIV/0!')), '', [[2, 'spreadsheet_error']]],
];

for (const [title, file, query, expected] of NUMBERS) {
  test(`numbers: ${title}`, async () => {
    await using app = await openTenant();

    const reply = await app.send(file, query);

    if (typeof expected[0] === 'string') {
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(await storedQuantities(app), expected);
      return;
    }
    const errors = expected as readonly (readonly [number, string])[];
    assert.deepEqual(
      listErrors(reply),
      errors.map(([row, type]) => [['body', 'file', row, 'quantity'], type]),
    );
    assert.equal(await app.height(), 0);
  });
}

test('a number of two readings is refused with the option that settles it, and without the value', async () => {
  await using app = await openTenant();

  const reply = await app.send(semicolons(quantities('1.234')));

  assert.match(sentences(reply), /decimal=point or decimal=comma/);
  assert.doesNotMatch(reply.text, /1\.234/);
});

for (const column of ['lot_code', 'product_sku', 'reference', 'external_id', 'supplier_lot_code']) {
  for (const value of ['4,01235E+12', '4.01E+12', '1E+05', '#NAME?']) {
    test(`${value} as ${column} is refused as what a spreadsheet made of it`, async () => {
      await using app = await openTenant();

      const reply = await app.send(semicolons([aRow({ [column]: value })]));

      const type = value.startsWith('#') ? 'spreadsheet_error' : 'scientific_notation';
      assert.deepEqual(listErrors(reply), [[['body', 'file', 2, column], type]]);
      assert.match(sentences(reply), /spreadsheet/);
      assert.equal(reply.text.includes(value), false);
    });
  }
}

test('codes that only look a little like numbers are kept', async () => {
  await using app = await openTenant();
  const codes = ['24E10', '12E3', '0042', '4012345678901', 'E+12', '#12', '1.2.3'];
  const rows = codes.map((lot_code) => aRow({ external_id: `id ${lot_code}`, lot_code }));

  const reply = await app.send(aFile(rows));

  assert.equal(reply.status, 201, reply.text);
  const lots = (await app.events()).flatMap((event) => event.lines.map((line) => line.lot_code));
  assert.deepEqual(lots, codes);
});

const DATES: readonly (readonly [
  title: string,
  values: readonly string[],
  query: string,
  expected: readonly string[] | readonly (readonly [row: number, type: string])[],
])[] = [
  [
    'a day over twelve says that days come first',
    ['31.03.2026 07:15', '02.03.2026 7:15:30'],
    '',
    ['2026-03-31T07:15:00Z', '2026-03-02T07:15:30Z'],
  ],
  [
    'a day over twelve says that months come first',
    ['03/31/2026 7:15 AM', '3/2/2026 12:05 pm', '3/2/2026, 12:05 AM'],
    '',
    ['2026-03-31T07:15:00Z', '2026-03-02T12:05:00Z', '2026-03-02T00:05:00Z'],
  ],
  [
    'years first',
    ['2026/03/02 07:15', '2026-3-2 7:15'],
    '',
    ['2026-03-02T07:15:00Z', '2026-03-02T07:15:00Z'],
  ],
  ['a day like its month', ['03/03/2026 07:15'], '', ['2026-03-03T07:15:00Z']],
  ['a date that could be two', ['02/03/2026 07:15'], '', [[2, 'datetime_ambiguous']]],
  ['a date with points that could be two', ['02.03.2026 07:15'], '', [[2, 'datetime_ambiguous']]],
  [
    'dates that contradict each other',
    ['31/03/2026 07:15', '03/31/2026 07:15', '02/03/2026 07:15'],
    '',
    [[4, 'datetime_ambiguous']],
  ],
  ['date_order=dmy', ['02/03/2026 07:15'], '?date_order=dmy', ['2026-03-02T07:15:00Z']],
  ['date_order=mdy', ['02/03/2026 07:15'], '?date_order=mdy', ['2026-02-03T07:15:00Z']],
  [
    'a day that date_order=mdy has not',
    ['31/03/2026 07:15'],
    '?date_order=mdy',
    [[2, 'datetime_parsing']],
  ],
  ['date_order=ymd', ['31/03/2026 07:15'], '?date_order=ymd', [[2, 'datetime_parsing']]],
  ['two digits of a year', ['31/03/26 07:15'], '?date_order=dmy', [[2, 'datetime_parsing']]],
  ['a bare date', ['31.03.2026'], '', [[2, 'datetime_parsing']]],
  ['an hour that does not exist', ['31.03.2026 24:15'], '', [[2, 'datetime_parsing']]],
  ['an afternoon of 13 o’clock', ['03/31/2026 13:15 PM'], '', [[2, 'datetime_parsing']]],
  [
    'timezone in summer and winter, and an offset that stays',
    ['31.03.2026 07:15', '31.01.2026 07:15', '2026-03-31T07:15:00', '2026-03-31T07:15:00-05:00'],
    '?timezone=Europe/Berlin',
    [
      '2026-03-31T05:15:00Z',
      '2026-01-31T06:15:00Z',
      '2026-03-31T05:15:00Z',
      '2026-03-31T12:15:00Z',
    ],
  ],
  [
    'an hour that the clock shows twice',
    ['25.10.2026 02:30'],
    '?timezone=Europe/Berlin',
    [[2, 'datetime_ambiguous']],
  ],
  [
    'an hour that the clock leaves out',
    ['29.03.2026 02:30'],
    '?timezone=Europe/Berlin',
    [[2, 'datetime_parsing']],
  ],
];

for (const [title, values, query, expected] of DATES) {
  test(`dates: ${title}`, async () => {
    await using app = await openTenant();

    const reply = await app.send(aFile(times(...values)), query);

    if (typeof expected[0] === 'string') {
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(await storedTimes(app), expected);
      return;
    }
    const errors = expected as readonly (readonly [number, string])[];
    assert.deepEqual(
      listErrors(reply),
      errors.map(([row, type]) => [['body', 'file', row, 'occurred_at'], type]),
    );
    assert.equal(
      values.some((value) => reply.text.includes(value)),
      false,
    );
  });
}

test('local times are read as UTC with a warning, and with a time zone without one', async () => {
  await using app = await openTenant();
  const file = aFile(times('31.03.2026 07:15'));

  const utc = await app.send(file, '?dry_run=true');
  const zoned = await app.send(file, '?dry_run=true&timezone=Europe/Paris');

  assert.equal(utc.json['warnings']?.[0]?.['code'], 'no_offset', utc.text);
  assert.deepEqual(zoned.json['warnings'], []);
});

test('rows of one event may write its moment in several forms', async () => {
  await using app = await openTenant();
  const forms = ['31.03.2026 07:15', '2026-03-31T05:15:00Z', '31.3.2026 7:15:00'];
  const rows = forms.map((occurred_at) => aRow({ external_id: '', occurred_at }));

  const reply = await app.send(aFile(rows), '?timezone=Europe/Berlin');

  assert.equal(reply.json['accepted'], 1, reply.text);
});

describe('a query', () => {
  let app: ImportApp;
  before(async () => {
    app = await openTenant();
  });
  after(() => app[Symbol.asyncDispose]());

  for (const [query, name] of [
    ['timezone=Europe/Atlantis', 'timezone'],
    ['timezone=%2B01:00', 'timezone'],
    ['decimal=dot', 'decimal'],
    ['date_order=dym', 'date_order'],
    ['encoding=latin1', 'encoding'],
    ['delimiter=%7C', 'delimiter'],
  ] as const) {
    test(`of ${query} is refused`, async () => {
      const reply = await app.send(aFile([aRow()]), `?${query}`);

      assert.deepEqual(listErrors(reply)[0]?.[0], ['query', name]);
    });
  }

  test('of auto for every option is the default', async () => {
    const reply = await app.send(
      aFile([aRow()]),
      '?encoding=auto&delimiter=auto&decimal=auto&date_order=auto&timezone=auto',
    );

    assert.equal(reply.status, 201, reply.text);
  });
});

/** Text in UTF-16 with the lower byte of each unit first, without a mark. */
function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

const NOTED = aFile([aRow({ notes: 'Crème brûlée – 5 €' }), aRow({ external_id: 'b' })]);

const ENCODED: readonly (readonly [string, Buffer, string])[] = [
  ['UTF-16 with its mark', utf16(`\uFEFF${NOTED}`), ''],
  ['UTF-16, higher bytes first', utf16(`\uFEFF${NOTED}`).swap16(), ''],
  ['UTF-16 without a mark', utf16(NOTED), ''],
  ['UTF-16 that is said', utf16(NOTED), '?encoding=UTF-16'],
  ['UTF-16 with tabs', utf16(`\uFEFF${NOTED.replaceAll(',', '\t')}`), ''],
  ['Windows-1252 that is said', windows1252(NOTED), '?encoding=windows-1252'],
  ['UTF-8 that is said', Buffer.from(NOTED), '?encoding=utf-8'],
  ['returns alone', Buffer.from(NOTED.replaceAll('\n', '\r')), ''],
  ['a line that names the delimiter', Buffer.from(`sep=;\r\n${NOTED.replaceAll(',', ';')}`), ''],
  ['such a line and returns alone', Buffer.from(`sep=,\n${NOTED}`.replaceAll('\n', '\r')), ''],
  ['such a line in UTF-16', utf16(`\uFEFFsep=,\r\n${NOTED}`), ''],
  ['a delimiter that is said', Buffer.from(NOTED.replaceAll(',', ';')), '?delimiter=semicolon'],
  ['a delimiter that is said as it is', Buffer.from(NOTED.replaceAll(',', ';')), '?delimiter=%3B'],
  ['spaces around cells and headers', Buffer.from(NOTED.replaceAll(',', ' ,  ')), ''],
];

function windows1252(text: string): Buffer {
  return Buffer.from(text.replace('–', '\x96').replace('€', '\x80'), 'latin1');
}

for (const [form, file, query] of ENCODED) {
  test(`a file in ${form} is read`, async () => {
    await using app = await openTenant();

    const reply = await app.send(new Uint8Array(file), query);

    assert.equal(reply.status, 201, reply.text);
    const [first, second] = await app.events();
    assert.equal(first?.notes, 'Crème brûlée – 5 €');
    assert.equal(first.lines[0]?.lot_code, 'FLOUR-1');
    assert.equal(second?.external_id, 'b');
  });
}

test('a file that is not UTF-8 is refused with the option that settles it', async () => {
  await using app = await openTenant();

  const reply = await app.send(new Uint8Array(windows1252(NOTED)));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 2], 'string_unicode']]);
  assert.match(sentences(reply), /encoding=windows-1252/);
});

test('bytes without a character in Windows-1252, and half a character of UTF-16, are refused', async () => {
  await using app = await openTenant();
  const holed = Buffer.from(NOTED.replace('Crème', 'Cr\x81me'), 'latin1');

  const western = await app.send(new Uint8Array(holed), '?encoding=windows-1252');
  const halved = await app.send(new Uint8Array(utf16(NOTED).subarray(0, -1)));

  assert.deepEqual(listErrors(western), [[['body', 'file', 2], 'string_unicode']]);
  assert.equal(listErrors(halved)[0]?.[1], 'string_unicode');
});

test('rows are counted without the line that names the delimiter', async () => {
  await using app = await openTenant();

  const reply = await app.send(`sep=,\n${aFile([aRow(), aRow({ external_id: 'b', unit: '' })])}`);

  assert.deepEqual(listErrors(reply), [[['body', 'file', 3, 'unit'], 'missing']]);
});

for (const [language, header] of [
  ['English', 'Type of event;Date and time;Place;Reference;Lot number;SKU;Direction;Qty;Unit'],
  [
    'German',
    'Ereignisart;Zeitpunkt;Ort;Beleg-Nr.;Chargennummer;Artikel-Nr.;Richtung;Menge;Einheit',
  ],
  ['French', 'Type d’événement;Date et heure;Lieu;Référence;N° de lot;Article;Sens;Quantité;Unité'],
  ['Spanish', 'Tipo de evento;Fecha y hora;Lugar;Referencia;Lote;Artículo;Sentido;Cantidad;Unidad'],
  [
    'Italian',
    'Tipo di evento;Data e ora;Luogo;Riferimento;Lotto;Articolo;Direzione;Quantità;Unità',
  ],
] as const) {
  test(`a header in ${language} names the columns, in capitals and without accents too`, async () => {
    await using app = await openTenant();
    const row = 'RECEIVE;2026-03-02T06:15:00Z;BAKERY-1;PO-1;FLOUR-1;FLOUR-T55;in;12,5;kg';
    const plain = header.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();

    const first = await app.send(`${header}\n${row}\n`);
    const second = await app.send(`${plain}\n${row}\n`);

    assert.equal(first.json['accepted'], 1, first.text);
    assert.equal(second.json['duplicates'], 1, second.text);
  });
}

test('two names of one column are that column twice', async () => {
  await using app = await openTenant();

  const reply = await app.send(aFile([aRow()]).replace('notes', 'Charge'));

  assert.deepEqual(listErrors(reply), [[['body', 'file', 1, 'lot_code'], 'duplicate_column']]);
});

describe('a file that was stored when cells were kept as they were', () => {
  const STORED: readonly (readonly [string, Cells])[] = [
    ['spaces around a name', { supplier_name: ' Mill ' }],
    ['a lot code in scientific notation', { lot_code: '4.01E+12' }],
    ['a number of two readings', { quantity: '1.234' }],
  ];
  for (const [what, changes] of STORED) {
    for (const external_id of ['wms-1', '']) {
      const known = external_id === '' ? 'its rows' : 'its id';
      test(`with ${what} is known again by ${known}`, async () => {
        await using app = await openTenant();
        const row = aRow({ external_id, ...changes });
        await appendAsWritten(app, row);

        const same = await app.send(semicolons([row]));
        const proceeded = await app.send(semicolons([row]), '?on_error=proceed');

        assert.equal(same.json['duplicates'], 1, same.text);
        assert.deepEqual([proceeded.json['duplicates'], proceeded.json['errors']], [1, []]);
        assert.equal(await app.height(), 1);
      });
    }
  }

  test('is refused when other content has its id', async () => {
    await using app = await openTenant();
    await appendAsWritten(app, aRow({ quantity: '2' }));

    const reply = await app.send(semicolons([aRow({ quantity: '1.234' })]));

    assert.deepEqual(listErrors(reply), [[['body', 'file', 2, 'quantity'], 'number_ambiguous']]);
  });
});

/** Appends a row with its cells untouched. */
async function appendAsWritten(app: ImportApp, row: Cells): Promise<void> {
  const { external_id, event_type, occurred_at, location, reference, ...line } = row;
  const event = {
    external_id: external_id === '' ? undefined : external_id,
    event_type,
    occurred_at,
    location,
    reference,
    lines: [{ ...line, quantity: Number(line['quantity']) }],
  };
  const prepared = checkEvent(event, {
    root: [],
    errors: 'all',
    nowMs: Date.now(),
    newSalt,
    identity: 'group',
  });
  assert.ok(prepared.kind === 'ready');
  const caller = { actor: 'test', requestId: null };
  const drafts = [prepared.draft];
  await app.store.append({ tenantId: app.tenant, caller, drafts, unit: 'all' });
}
