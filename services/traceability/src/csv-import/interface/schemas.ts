// The schemas of requests and responses of imports in the API description.
import { Type } from '@lothub/kit/json-schema';
import { COLUMNS } from '../columns.ts';
import { AUTO, OPTION_WORDS, TIME_ZONE_CHARACTERS_MAX } from '../form/options.ts';
import { MEDIA_TYPES } from '../form/signatures.ts';
import { LOG_HEAD_MEMBERS } from '../../log/answers.ts';
import { ON_ERROR_CHOICES, ON_ERROR_DEFAULT } from '../../terms.ts';

import { FILE_BYTES_MAX, FILE_PART, WORKBOOK_BYTES_MAX } from '../upload.ts';
import { UNPACKED_BYTES_MAX } from '../workbook/zip-parts.ts';

/** Characters of the name of a sheet; programs allow for 31. */
const SHEET_CHARACTERS_MAX = 100;

export const ImportAnswerSchema = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Nothing was stored' }),
    rows: Type.Integer({ description: 'Rows that are not blank, without the header' }),
    events: Type.Integer({ description: 'Events that the rows form' }),
    accepted: Type.Integer({ description: 'Events appended; in a dry run, that would be' }),
    duplicates: Type.Integer({ description: 'Events stored before with the same content' }),
    rejected: Type.Integer(),
    errors: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1' }),
        column: Type.Union([Type.String(), Type.Null()]),
        columns: Type.Optional(
          Type.Array(Type.String(), {
            description: 'All columns of the row that have the error; absent when it is one',
          }),
        ),
        msg: Type.String(),
        type: Type.String({ examples: ['greater_than_equal'] }),
        block_height: Type.Optional(
          Type.Integer({ description: 'Of the stored event that is in the way' }),
        ),
      }),
      { description: 'The first thousand' },
    ),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['no_offset'] }),
        count: Type.Integer({ description: 'Events that have it' }),
        rows: Type.Array(
          Type.Object({
            row: Type.Integer(),
            block_height: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Of the event; null in a dry run',
            }),
          }),
          { description: 'The first thousand' },
        ),
      }),
    ),
    chain: Type.Object({
      height: Type.Integer(),
      tip_hash: Type.String(),
      chain_valid: Type.Boolean(),
    }),
    ...LOG_HEAD_MEMBERS,
  },
  { title: 'ImportAnswer' },
);

const EXAMPLE_FILE = `${COLUMNS.join(',')}
wms-1,RECEIVE,2026-03-02T07:15:00+01:00,BAKERY-1,PO-815,FLOUR-0711,FLOUR-T55,in,250.5,kg,,,Mill Brandt,,BR-118,
wms-2,PRODUCE,2026-03-02T11:00:00+01:00,BAKERY-1,WO-77,FLOUR-0711,FLOUR-T55,in,50,kg,,,,,,
wms-2,PRODUCE,2026-03-02T11:00:00+01:00,BAKERY-1,WO-77,BREAD-0302,BREAD-500,out,120,pcs,,,,,,
`;

export const FormSchema = Type.Object(
  {
    [FILE_PART]: Type.String({
      contentMediaType: MEDIA_TYPES.csv,
      format: 'binary',
      description:
        'Text with a header row; `,`, `;` or tab between cells; columns in any order; ' +
        `at most ${FILE_BYTES_MAX} bytes. Rows that share an external_id, or without one ` +
        'event_type, occurred_at and reference, form one event.',
      examples: [EXAMPLE_FILE],
    }),
  },
  { additionalProperties: false, title: 'ImportForm' },
);

export const WorkbookFormSchema = Type.Object(
  {
    [FILE_PART]: Type.String({
      contentMediaType: MEDIA_TYPES.xlsx,
      format: 'binary',
      description:
        'An Excel workbook (.xlsx) whose sheet has the columns of a CSV file; at most ' +
        `${WORKBOOK_BYTES_MAX} bytes, unpacked ${UNPACKED_BYTES_MAX}. Dates and numbers are read by ` +
        'the types of their cells, text cells as cells of CSV.',
    }),
  },
  { additionalProperties: false, title: 'WorkbookImportForm' },
);

const TEXT_OPTIONS = {
  encoding: Type.Optional(
    Type.Enum([...OPTION_WORDS.encoding], {
      default: AUTO,
      description: '`auto`: UTF-8, or UTF-16 when its first bytes show it',
    }),
  ),
  delimiter: Type.Optional(
    Type.Enum([...OPTION_WORDS.delimiter], {
      default: AUTO,
      description: 'The character between cells. `auto`: what cuts the header into known columns',
    }),
  ),
};

const VALUE_OPTIONS = {
  decimal: Type.Optional(
    Type.Enum([...OPTION_WORDS.decimal], {
      default: AUTO,
      description:
        'The character before decimals. `auto`: what the whole file leaves as one reading',
    }),
  ),
  date_order: Type.Optional(
    Type.Enum([...OPTION_WORDS.date_order], {
      default: AUTO,
      description:
        'Order of day, month and year in dates that are not ISO 8601. `auto`: what the whole file ' +
        'leaves as one reading',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: TIME_ZONE_CHARACTERS_MAX,
      default: AUTO,
      description:
        'Time zone of the IANA database, of dates and times without an offset. `auto`: they are ' +
        'read as UTC, with a warning',
      examples: ['Europe/Berlin'],
    }),
  ),
};

const IMPORT_OPTIONS = {
  on_error: Type.Optional(Type.Enum([...ON_ERROR_CHOICES], { default: ON_ERROR_DEFAULT })),
  dry_run: Type.Optional(Type.Boolean({ default: false })),
};

export const CsvQuerySchema = Type.Object({
  ...IMPORT_OPTIONS,
  ...TEXT_OPTIONS,
  ...VALUE_OPTIONS,
});

export const WorkbookQuerySchema = Type.Object({
  ...IMPORT_OPTIONS,
  ...VALUE_OPTIONS,
  sheet: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: SHEET_CHARACTERS_MAX,
      description: 'Name of the sheet; without it the first one that is not hidden',
    }),
  ),
});

export const DESCRIPTION =
  'The whole file is checked before its first event is appended. All or nothing by default; ' +
  '`on_error=proceed` keeps the good events; `dry_run=true` checks only. An error of a row has ' +
  'the `loc` `["body", "file", row, column]`. Importing a file again adds nothing; after an ' +
  'interruption it completes the file. Rows without an `external_id` whose type, moment and ' +
  'reference were imported before with other rows are refused (`regrown`).';
