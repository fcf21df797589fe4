// A cell of a workbook as a cell of an imported file, by its type and style (ECMA-376 part 1, 18.3.1.4).
import { INEXACT_NUMBER } from '@lothub/kit/http/field-errors';
import { decimalText } from '../../ledger/record/decimal-text.ts';
import type { Cell, FaultyCell } from '../form/cell.ts';
import { SPREADSHEET_ERROR } from '../form/mangled.ts';
import type { Refused } from '../form/refused.ts';
import type { Shown } from './number-formats.ts';
import type { DateSystem } from './outline.ts';
import { noWorkbook } from './refusal.ts';
import type { SharedStrings } from './shared-strings.ts';
import { unescaped } from './text-collector.ts';

const DAY_MS = 86_400_000;

/** Day 0 of each system. That of 1900 has a 29 February in a year that had none, as day 60. */
const DAY_0_MS: Readonly<Record<DateSystem, number>> = {
  1900: Date.UTC(1899, 11, 30),
  1904: Date.UTC(1904, 0, 1),
};

const DAY_THAT_WAS_NOT = 60;

/** 1 January 10000 in the system of 1900. */
const DAYS_END = 2_958_466;

export interface CellContext {
  readonly strings: SharedStrings;
  readonly styles: readonly Shown[];
  readonly dateSystem: DateSystem;
}

/** A cell as the sheet has it. */
export interface SheetCell {
  readonly type: string;
  readonly style: number;
  /** Text of its value; undefined when it has none. */
  readonly value: string | undefined;
  /** Text that is in the cell itself. */
  readonly inline: string;
  readonly isFormula: boolean;
}

/** Digits that a spreadsheet shows and keeps of a number. */
const DIGITS = 15;

/** @returns '' for a cell without a value */
export function readCell(cell: SheetCell, context: CellContext): Cell {
  const { type, value, isFormula } = cell;
  if (type === 'inlineStr') return cell.inline;
  if (value === undefined || value === '') {
    // A text of no characters is a value; a number is not computed yet.
    return isFormula && type !== 'str' ? faulty(NOT_COMPUTED) : '';
  }
  switch (type) {
    case 's':
      return context.strings.get(Number(value));
    case 'str':
      return unescaped(value);
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'd':
      return { kind: 'time', text: value };
    case 'e':
      return faulty(SPREADSHEET_ERROR);
    case 'n':
      return readNumber(Number(value), context.styles[cell.style] ?? 'as it is', context);
    default:
      throw noWorkbook('The workbook is broken: a cell has a type that no program writes');
  }
}

function readNumber(value: number, shown: Shown, { dateSystem }: CellContext): Cell {
  if (!Number.isFinite(value)) {
    throw noWorkbook('The workbook is broken: a cell of a number has none');
  }
  if (shown === 'date' || shown === 'time' || shown === 'date and time') {
    const text = serialTimeText(value, { shown, dateSystem });
    return text === undefined ? faulty(NO_DAY) : { kind: 'time', text };
  }
  // 0.1 + 0.2 is shown and meant as 0.3.
  const rounded = Number(value.toPrecision(DIGITS));
  const text = decimalText(rounded);
  if (text === undefined) return faulty(INEXACT_NUMBER);
  const isWhole = Number.isInteger(value) && Math.abs(value) < 10 ** DIGITS;
  return { kind: 'number', text, isShownAsIs: shown === 'as it is' && isWhole };
}

function faulty(refused: Refused): FaultyCell {
  return { kind: 'faulty', refused };
}

const NOT_COMPUTED: Refused = {
  msg: 'Cell has a formula without a value: open the workbook in a spreadsheet program and save it',
  type: 'spreadsheet_error',
};
const NO_DAY: Refused = {
  msg: 'Cell has the format of a date, and a number that is no day',
  type: 'datetime_parsing',
};

/**
 * ISO 8601 without offset: a date and time; of a cell that shows a date alone and has no time, the date;
 * of one that has no day, the time.
 * @returns nothing when no day has the number
 */
export function serialTimeText(
  serial: number,
  { shown, dateSystem }: { readonly shown: Shown; readonly dateSystem: DateSystem },
): string | undefined {
  if (!(serial >= 0 && serial < DAYS_END)) return undefined;
  // A double keeps a moment of our days to less than a microsecond.
  const ms = Math.round(serial * DAY_MS);
  const text = (epochMs: number): string =>
    Temporal.Instant.fromEpochMilliseconds(epochMs).toString().replace(/Z$/, '');
  if (serial < 1 && shown === 'time') return text(ms).slice('1970-01-01T'.length);
  let dayMs = DAY_0_MS[dateSystem];
  if (dateSystem === 1900) {
    if (Math.floor(serial) === DAY_THAT_WAS_NOT || serial < 1) return undefined;
    if (serial < DAY_THAT_WAS_NOT) dayMs += DAY_MS;
  }
  const moment = text(dayMs + ms);
  return shown === 'date' && ms % DAY_MS === 0 ? moment.slice(0, '1900-01-01'.length) : moment;
}
