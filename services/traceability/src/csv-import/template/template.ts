// The file that people fill in and import: the names of the columns, an example row, and the closed lists
// that some columns take their words from. As CSV, or as a workbook whose cells offer the words.
import { EVENT_FIELDS, EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../../ledger/record/fields.ts';
import type { FieldFacts } from '../../ledger/record/fields.ts';
import { CHANNEL_CLASSES } from '../../terms.ts';
import { COLUMNS } from '../columns.ts';
import type { Column } from '../form/header-names.ts';
import { MEDIA_TYPES } from '../form/signatures.ts';
import { workbook } from './workbook.ts';

export const TEMPLATE_FORMATS = {
  csv: {
    mediaType: `${MEDIA_TYPES.csv}; charset=utf-8`,
    fileName: 'lothub-import.csv',
    make: templateCsv,
  },
  xlsx: {
    mediaType: MEDIA_TYPES.xlsx,
    fileName: 'lothub-import.xlsx',
    make: templateWorkbook,
  },
} as const;

export type TemplateFormat = keyof typeof TEMPLATE_FORMATS;
export const TEMPLATE_FORMAT_DEFAULT: TemplateFormat = 'csv';

const FACTS: ReadonlyMap<Column, FieldFacts> = new Map(
  [...EVENT_FIELD_LIST, ...LINE_FIELD_LIST].map(({ name, facts }) => [name, facts]),
);

interface ClosedList {
  readonly column: Column;
  readonly words: readonly string[];
  /** Words that are not of the list are taken as well. */
  readonly isOpen: boolean;
}

function closedLists(): readonly ClosedList[] {
  const choices = COLUMNS.flatMap((column): readonly ClosedList[] => {
    const facts = FACTS.get(column);
    if (facts?.kind !== 'choice') return [];
    return [{ column, words: facts.choices, isOpen: false }];
  });
  // Any words name a channel; those of the classes name their own.
  return [...choices, { column: 'channel', words: CHANNEL_CLASSES, isOpen: true }];
}

/** Makes a row that can be imported unchanged: it has no fields that its type of event ignores. */
function exampleRow(notes: string): readonly string[] {
  return COLUMNS.map((column) => {
    if (column === 'notes') return notes;
    // Its own, so that it meets no event of a tenant.
    if (column === 'external_id') return 'example-1';
    const facts = FACTS.get(column);
    const isPublic = facts?.privacy === 'open';
    return isPublic ? String(facts.example) : '';
  });
}

function templateCsv(): Buffer {
  const lists = closedLists().map(({ column, words }) => `${column}: ${words.join(' | ')}`);
  const notes = `Example: write your rows instead of this one. ${lists.join('; ')}`;
  const rows = [COLUMNS, exampleRow(notes)];
  return Buffer.from(rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join(''));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function templateWorkbook(): Buffer {
  const lists = closedLists();
  return workbook({
    name: 'Events',
    header: COLUMNS,
    // Cells of texts keep the typed characters: no code becomes a number, and no time loses its
    // offset.
    columns: COLUMNS.map((column) => (FACTS.get(column)?.kind === 'decimal' ? 'number' : 'text')),
    row: exampleRow(`Example: write your rows instead of this one. ${EVENT_FIELDS.notes.example}`),
    lists: lists.map(({ column, words, isOpen }) => ({
      name: column,
      place: COLUMNS.indexOf(column),
      words,
      isOpen,
    })),
  });
}
