// The first pass of an import: reads the whole file and gathers its rows into events, in the order
// of the file or, when rows of an event are scattered, after sorting them. Nothing is appended here.
// Runs in a thread of its own, so that half a gigabyte of text never stands in the way of a request.
import { join } from 'node:path';
import type { Header } from './columns.ts';
import { EventCheck } from './event-check.ts';
import type { CheckOptions, CheckedFile } from './event-check.ts';
import { GroupBuilder, groupKeyOfRow } from './groups.ts';
import type { Group } from './groups.ts';
import { RepeatFinder } from './repeats.ts';
import { UnreadableFile } from './row-error.ts';
import type { RowError } from './row-error.ts';
import { RowSorter } from './row-sorter.ts';
import { readRows } from './rows.ts';
import type { RowReceiver } from './rows.ts';

/** Sorted rows between two turns. */
const SORTED_ROWS_PER_TURN = 500;

export type CheckResult =
  | { readonly kind: 'unreadable'; readonly errors: readonly RowError[] }
  | ({ readonly kind: 'checked' } & CheckedFile);

/** Checks a file; private values that are spooled stay in `folder`. */
export async function checkFile(options: CheckOptions): Promise<CheckResult> {
  try {
    using inFileOrder = new EventCheck(options);
    const checked = await checkInFileOrder(options, inFileOrder);
    if (checked !== undefined) return { kind: 'checked', ...checked };
    using sorted = new EventCheck(options);
    return { kind: 'checked', ...(await checkSorted(options, sorted)) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'unreadable', errors: error.errors };
    throw error;
  }
}

/** @returns nothing when rows of a group are scattered over the file: its groups are incomplete */
async function checkInFileOrder(
  options: CheckOptions,
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
    header: (header) => {
      builder = new GroupBuilder(header, check.errors);
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
    await readRows(options.file, receiver);
  } catch (error) {
    if (error instanceof ScatteredRows) return undefined;
    throw error;
  }
  take(builder?.end());
  return repeats.end() ? undefined : await check.end();
}

/** Ends reading early: the file has to be sorted first. Never leaves this file. */
class ScatteredRows extends Error {}

async function checkSorted(options: CheckOptions, check: EventCheck): Promise<CheckedFile> {
  using sorter = new RowSorter(join(options.folder, 'rows'));
  const header = await readIntoSorter(options.file, sorter);
  const builder = new GroupBuilder(header, check.errors);
  let turnIn = SORTED_ROWS_PER_TURN;
  for (const { row, cells } of sorter.sorted()) {
    check.countRow();
    const group = builder.add(row, cells);
    if (group !== undefined) check.add(group);
    turnIn -= 1;
    if (turnIn > 0) continue;
    turnIn = SORTED_ROWS_PER_TURN;
    await check.turn();
  }
  const last = builder.end();
  if (last !== undefined) check.add(last);
  return await check.end();
}

async function readIntoSorter(file: string, sorter: RowSorter): Promise<Header> {
  let header: Header | undefined;
  const receiver: RowReceiver = {
    header: (read) => {
      header = read;
    },
    row: (row, cells) => {
      if (header !== undefined) sorter.add(row, groupKeyOfRow(cells, header.places), cells);
    },
    turn: () => Promise.resolve(),
  };
  await readRows(file, receiver);
  if (header === undefined)
    throw new Error('reading rows ended without a header and without error');
  return header;
}
