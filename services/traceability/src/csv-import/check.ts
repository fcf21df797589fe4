// The check of an import: finds the form of the file, reads it as a whole and gathers its rows into events, in the
// order of the file or, when rows of an event are scattered, after sorting them. Nothing is appended here. Runs in a
// thread of its own, so that half a gigabyte of text never is in the way of a request.
import { join } from 'node:path';
import { present } from '@lothub/kit/present';
import { EventCheck, type CheckedFile, type EventCheckOptions } from './event-check.ts';
import type { FormOptions } from './form/options.ts';
import { findValueForm, type ValueForm } from './form/value-form.ts';
import { GroupBuilder, type Group } from './groups.ts';
import { rowReading, type RowReading } from './mapping/row-reading.ts';
import { readWrongRows, type WrittenRow } from './mapping/written-rows.ts';
import { RepeatFinder } from './repeats.ts';
import { UnreadableFile, type RowError } from './row-error.ts';
import { RowSorter } from './row-sorter.ts';
import { readRows, type RowReceiver, type RowSource } from './rows.ts';
import { SheetMissing } from './workbook/refusal.ts';

/** Sorted rows between two turns. */
const SORTED_ROWS_PER_TURN = 500;

export type CheckResult =
  | { readonly kind: 'unreadable'; readonly errors: readonly RowError[] }
  /** The workbook has no sheet of the name that was given. */
  | { readonly kind: 'sheet_missing' }
  | ({ readonly kind: 'checked' } & CheckedFile & {
        /** The form of its numbers and dates. */
        readonly form: ValueForm;
        /** The original rows that have errors; empty unless they were requested. */
        readonly wrongRows: readonly WrittenRow[];
      });

/** The options of reading the rows of a file. */
export interface SourceOptions {
  readonly file: string;
  readonly kind: FileKind;
  readonly form: FormOptions;
  /** A folder of this import alone, for what does not fit in memory. */
  readonly folder: string;
}

export interface CheckOptions extends EventCheckOptions, SourceOptions {
  /** Whether the result has the cells of wrong rows. */
  readonly keepsWrongRows?: boolean;
}

/** The expected type of the file; for a workbook the sheet, or null for the first one. */
export type FileKind =
  { readonly type: 'csv' } | { readonly type: 'xlsx'; readonly sheet: string | null };

/** A file whose form is known. */
interface Readable extends EventCheckOptions {
  readonly source: RowSource;
  readonly reading: RowReading;
  readonly form: ValueForm;
}

/** Checks a file; private values that are spooled stay in `folder`. */
export async function checkFile(options: CheckOptions): Promise<CheckResult> {
  try {
    const source = await openSource(options);
    const reading = rowReading(options.form.mapping);
    const form = await findValueForm(source, options.form, reading);
    const readable = { ...options, source, reading, form };
    const checked = await checkRows(readable);
    const wrongRows = options.keepsWrongRows === true ? await readWrongRows(source, checked) : [];
    return { kind: 'checked', ...checked, form, wrongRows };
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'unreadable', errors: error.errors };
    if (error instanceof SheetMissing) return { kind: 'sheet_missing' };
    throw error;
  }
}

async function checkRows(readable: Readable): Promise<CheckedFile> {
  using inFileOrder = new EventCheck(readable);
  const checked = await checkInFileOrder(readable, inFileOrder);
  if (checked !== undefined) return checked;
  using sorted = new EventCheck(readable);
  return await checkSorted(readable, sorted);
}

export async function openSource({ file, folder, kind, form }: SourceOptions): Promise<RowSource> {
  if (kind.type === 'xlsx') {
    // The module is loaded where it is used: otherwise it adds a tenth, 30 ms, to the start of the
    // thread that checks a CSV file.
    const { openWorkbook } = await import('./workbook/rows.ts');
    return await openWorkbook({ file, folder, sheet: kind.sheet });
  }
  return (receiver) => readRows(file, form, receiver);
}

/** @returns nothing when rows of a group are scattered over the file: its groups are incomplete */
async function checkInFileOrder(
  options: Readable,
  check: EventCheck,
): Promise<CheckedFile | undefined> {
  using repeats = new RepeatFinder(join(options.folder, 'runs'));
  let builder: GroupBuilder | undefined;
  const take = (group: Group | undefined): void => {
    if (group === undefined) return;
    repeats.add(group.key);
    check.add(group);
  };
  const receiver: RowReceiver = {
    reading: options.reading,
    header: (header) => {
      builder = new GroupBuilder(header, options.form);
    },
    row: (row, cells) => {
      check.countRow();
      take(builder?.add(row, cells));
    },
    turn: async () => {
      if (repeats.repeated) throw new ScatteredRows();
      await check.turn();
    },
  };
  try {
    await options.source(receiver);
  } catch (error) {
    if (error instanceof ScatteredRows) return undefined;
    throw error;
  }
  take(builder?.end());
  return repeats.end() ? undefined : await check.end();
}

/** Ends reading early: the file has to be sorted first. Only this file throws and catches it. */
class ScatteredRows extends Error {}

async function checkSorted(options: Readable, check: EventCheck): Promise<CheckedFile> {
  using sorter = new RowSorter(join(options.folder, 'rows'));
  let builder: GroupBuilder | undefined;
  await options.source({
    reading: options.reading,
    header: (header) => {
      builder = new GroupBuilder(header, options.form);
    },
    row: (row, cells) => {
      if (builder !== undefined) sorter.add(row, builder.buildKey(cells), cells);
    },
    turn: () => Promise.resolve(),
  });
  const groups = present(builder, 'the header of a file that was read');
  let turnIn = SORTED_ROWS_PER_TURN;
  for (const { row, cells } of sorter.sorted()) {
    check.countRow();
    const group = groups.add(row, cells);
    if (group !== undefined) check.add(group);
    turnIn -= 1;
    if (turnIn > 0) continue;
    turnIn = SORTED_ROWS_PER_TURN;
    await check.turn();
  }
  const last = groups.end();
  if (last !== undefined) check.add(last);
  return await check.end();
}
