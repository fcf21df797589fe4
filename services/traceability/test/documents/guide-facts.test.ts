// What the guide and the list of errors say about limits, classes, codes and types is what the code has.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';
import { STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from '../../src/errors.ts';
import {
  HEADER_LANGUAGES,
  HEADER_NAMES,
  listNames,
  plainName,
} from '../../src/csv-import/form/header-names.ts';
import type { Column } from '../../src/csv-import/form/header-names.ts';
import { FILE_BYTES_MAX, WORKBOOK_BYTES_MAX } from '../../src/csv-import/upload.ts';
import { UNPACKED_BYTES_MAX } from '../../src/csv-import/workbook/zip-parts.ts';
import { ROW_CHARACTERS_MAX } from '../../src/csv-import/row-splitter.ts';
import { CHANGES_MAX, REASON_MAX } from '../../src/corrections/schema.ts';
import { channelClass } from '../../src/events/channel-class.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_EVENTS_MAX,
  BODY_BYTES_MAX,
  LINES_MAX,
} from '../../src/events/schema.ts';
import { HITS_MAX } from '../../src/explorer/search.ts';
import { OFFSET_MAX, PAGE_DEFAULT, PAGE_MAX } from '../../src/http.ts';
import {
  CODE_MAX,
  NOTES_MAX,
  QUANTITY_MAX,
  TEXT_MAX,
  UNIT_MAX,
} from '../../src/ledger/record/fields.ts';
import { GENEALOGY_BOUNDS } from '../../src/lots/genealogy/genealogy.ts';
import { DEPTH_DEFAULT, DEPTH_MAX } from '../../src/lots/genealogy/schema.ts';
import { LANGUAGES } from '@lothub/languages';
import { CASE_TEXT_MAX } from '../../src/recall/case/schema.ts';
import {
  CASE_ADVICE_MAX,
  CASE_REASON_MAX,
  CASE_TITLE_MAX,
} from '../../src/recall/case/text-limits.ts';
import { readSettings } from '../../src/settings.ts';
import { CHANNEL_CLASSES } from '../../src/terms.ts';
import { VERSION } from '../../src/version.ts';
import { aLine, anEvent, boot } from '../boot.ts';
import { readDocument } from '@lothub/kit/test/walkthrough';

const GUIDE = readDocument('docs/guide.md');
const ERRORS = readDocument('docs/errors.md');

/** Rows of the tables below a heading, as cells without code marks. */
function rowsBelow(markdown: string, heading: string): readonly (readonly string[])[] {
  const from = markdown.indexOf(`\n## ${heading}\n`);
  assert.ok(from >= 0, `no section ${heading}`);
  const section = markdown.slice(from + 1).split(/\n## /)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
}

/** A number as the documents write it: 1,048,576. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

const settings = readSettings({});

const LIMITS: readonly (readonly [what: string, limit: string])[] = [
  ['lot_code, product_sku', `1 to ${CODE_MAX} characters`],
  ['unit', `1 to ${UNIT_MAX} characters`],
  ['notes', `1 to ${grouped(NOTES_MAX)} characters`],
  ['other strings of an event or line', `1 to ${TEXT_MAX} characters`],
  ['quantity', `0 to ${grouped(QUANTITY_MAX)}; 15 significant digits, 15 decimals`],
  ['lines of an event', `1 to ${grouped(LINES_MAX)}`],
  ['body of a request', `${grouped(BODY_BYTES_MAX)} bytes`],
  [
    'body of a batch',
    `${grouped(BATCH_BYTES_MAX)} bytes, 1 to ${grouped(BATCH_EVENTS_MAX)} events`,
  ],
  ['CSV file', `${FILE_BYTES_MAX / 2 ** 30} GiB; ${grouped(ROW_CHARACTERS_MAX)} characters a row`],
  [
    'workbook',
    `${WORKBOOK_BYTES_MAX / 2 ** 20} MiB; ${UNPACKED_BYTES_MAX / 2 ** 20} MiB unpacked; ` +
      `${grouped(ROW_CHARACTERS_MAX)} characters a row`,
  ],
  [
    'changes of a correction',
    `1 to ${grouped(CHANGES_MAX)}; reason 1 to ${grouped(REASON_MAX)} characters, requested_by 1 to ${TEXT_MAX}`,
  ],
  [
    'depth of a genealogy',
    `1 to ${DEPTH_MAX}, by default ${DEPTH_DEFAULT}; ${grouped(GENEALOGY_BOUNDS.lotsMax)} lots each way, ${grouped(GENEALOGY_BOUNDS.edgesMax)} edges`,
  ],
  [
    'a case: title, names, reason and note',
    `1 to ${CASE_TITLE_MAX}, ${CASE_TEXT_MAX}, ${grouped(CASE_REASON_MAX)} characters`,
  ],
  [
    'translations of a case: languages, advice',
    `${LANGUAGES.length}, 1 to ${grouped(CASE_ADVICE_MAX)} characters`,
  ],
  ['errors listed in one answer', grouped(FIELD_ERRORS_MAX)],
  ['limit of a list', `1 to ${PAGE_MAX}, by default ${PAGE_DEFAULT}`],
  ["offset of an explorer's list", `0 to ${grouped(OFFSET_MAX)}; before goes further`],
  ['search text, hits', `1 to 200 characters, ${HITS_MAX} of each kind`],
  ['/v1', `${settings.rateLimitV1} requests a minute for each key`],
  [
    '/public',
    `${settings.rateLimitPublic} requests a minute for each client address or IPv6 /64 network`,
  ],
  [
    'pages',
    `${settings.rateLimitPages} requests a minute for each client address or IPv6 /64 network`,
  ],
];

for (const [what, limit] of LIMITS) {
  test(`the guide gives the limit that the code has: ${what}`, () => {
    const row = rowsBelow(GUIDE, 'Limits').find(([name]) => name === what);

    assert.equal(row?.[1], limit);
  });
}

test('the guide is written for the version of the code', () => {
  assert.ok(GUIDE.includes(`version ${VERSION}.`));
});

test('the guide lists every class of channels with words that lead to it', () => {
  const rows = rowsBelow(GUIDE, 'What is public').filter(([name = '']) =>
    CHANNEL_CLASSES.some((known) => known === name),
  );

  const names = new Set(rows.map(([name]) => name));
  assert.deepEqual([...names].sort(), [...CHANNEL_CLASSES].sort());
  for (const [name, words = ''] of rows) {
    if (name === 'other') continue;
    for (const word of words.split(', ')) assert.equal(channelClass(word), name, word);
  }
});

test('the order of the classes in the guide is the one in which they are tried', () => {
  const order = rowsBelow(GUIDE, 'What is public').map(([name = '']) => name);

  // A text with a word of two classes belongs to the one that is tried first.
  for (const [text, first, second] of [
    ['web restaurant', 'online', 'food_service'],
    ['restaurant export', 'food_service', 'export'],
    ['export wholesale', 'export', 'wholesale'],
    ['wholesale farm gate', 'wholesale', 'direct'],
    ['direct store', 'direct', 'retail'],
  ] as const) {
    assert.equal(channelClass(text), first);
    // Phrases come before all single words.
    assert.ok(order.lastIndexOf(first) < order.lastIndexOf(second));
  }
});

test('the list of errors has every code of a refusal, with its status', () => {
  const statuses = { ...STATUS_OF_REFUSAL, ...STATUS_OF_DATABASE_ERROR, fields_invalid: 422 };

  const listed = rowsBelow(ERRORS, 'Codes of refusals').slice(1);

  assert.deepEqual(
    Object.fromEntries(listed.map(([code, status]) => [code, Number(status)])),
    statuses,
  );
});

/** Texts of the sources in which errors of fields are made. */
function sourcesOfFieldErrors(): string {
  return ['../../src', '../../../../packages/kit/src']
    .flatMap((folder) => {
      const path = fileURLToPath(new URL(folder, import.meta.url));
      return readdirSync(path, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${path}/${name}`,
      );
    })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/cli/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

test('the list of errors has every type that the code gives to a field', () => {
  const listed = rowsBelow(ERRORS, 'Fields').map(([type = '']) => type);
  const made = [...sourcesOfFieldErrors().matchAll(/\bmsg\b[^;{}]{0,200}?\btype: '(\w+)'/g)].map(
    ([, type = '']) => type,
  );

  assert.ok(made.length > 15, `only ${made.length} were found`);
  for (const type of new Set(made)) assert.ok(listed.includes(type), type);
});

test('guide and list of errors have the same warnings, and they are those of the code', () => {
  const codes = (rows: readonly (readonly string[])[]): readonly string[] =>
    rows
      .slice(1)
      .map(([code = '']) => code)
      .sort();
  const source = ['prepare.ts', 'answers.ts']
    .map((file) => readFileSync(new URL(`../../src/events/${file}`, import.meta.url), 'utf8'))
    .join('\n');
  const made = [...source.matchAll(/\bcode: '(\w+)'/g)].map(([, code = '']) => code).sort();

  assert.deepEqual(codes(rowsBelow(GUIDE, 'Warnings')), made);
  assert.deepEqual(codes(rowsBelow(ERRORS, 'Warnings')), made);
});

/** What the guide shows as examples of errors, by status. */
const EXAMPLES = new Map(
  rowsBelow(GUIDE, 'Errors').map(([status = '', example = '']) => [Number(status), example]),
);

test('the examples of errors in the guide are what the service answers', async () => {
  await using hub = await boot();
  await hub.post('/v1/events', anEvent({ external_id: 'wms-000017', location: 'BAKERY-1' }));
  const json = { 'Content-Type': 'application/json' };

  const answers = [
    await hub.post('/v1/events', anEvent({ external_id: 'wms-000017', location: 'BAKERY-2' })),
    await hub.call('/v1/events', { headers: { 'X-Api-Key': 'wrong' } }),
    await hub.call('/public/verify/NO-SUCH-LOT'),
    await hub.call('/v1/events', { method: 'DELETE' }),
    await hub.call('/v1/events', {
      method: 'POST',
      headers: json,
      body: ' '.repeat(BODY_BYTES_MAX + 1),
    }),
    await hub.call('/v1/events', {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: 'RECEIVE',
    }),
    await hub.post('/v1/events', anEvent({ lines: [aLine({ quantity: -1 })] })),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 401, 404, 405, 413, 415, 422],
  );
  for (const { status, text } of answers) assert.equal(EXAMPLES.get(status), text);
});

test('the guide lists every name that a header may give to a column, and no other', () => {
  const table = GUIDE.slice(GUIDE.indexOf('\n### Names of columns\n'));
  const rows = rowsBelow(`\n## Names\n${table}`, 'Names').slice(1);

  assert.deepEqual(
    rows,
    Object.entries(HEADER_NAMES).map(([column, names]) => [
      column,
      ...HEADER_LANGUAGES.map((language) => names[language].join(', ')),
    ]),
  );
});

test('no name of a header stands for two columns', () => {
  const columns = Object.keys(HEADER_NAMES) as Column[];
  const owners = new Map<string, Set<Column>>();
  for (const column of columns) {
    for (const name of listNames(column)) {
      owners.getOrInsertComputed(plainName(name), () => new Set()).add(column);
    }
  }

  assert.deepEqual(
    [...owners].filter(([, named]) => named.size > 1).map(([name]) => name),
    [],
  );
});
