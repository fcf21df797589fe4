// Reads the cells of a row as values of their fields: text without white space around it, numbers and
// times by the form of the file. A cell that could be two things, or that a spreadsheet changed, is
// refused.
import { isExactNumber } from '@lothub/kit/number-literal';
import { INEXACT_NUMBER } from '@lothub/kit/http/field-errors';
import type { FieldFacts } from '../../ledger/record/fields.ts';
import { toText, type Cell } from './cell.ts';
import { readDecimal } from './decimals.ts';
import type { Column } from './header-names.ts';
import { readTime } from './local-times.ts';
import {
  DATE_AS_NUMBER,
  DATE_AS_TEXT,
  NUMBER_AS_DATE,
  NUMBER_AS_TEXT,
  findMangled,
} from './mangled.ts';
import type { Refused } from './refused.ts';
import type { ValueForm } from './value-form.ts';

export class CellReader {
  readonly #form: ValueForm;
  /** The newest time that was read: rows of one event share it. */
  #time: { readonly text: string; readonly value: string | Refused } | undefined;

  constructor(form: ValueForm) {
    this.#form = form;
  }

  /** The value of a cell that is not blank. */
  read(cell: Cell, name: Column, facts: FieldFacts): string | number | Refused {
    if (typeof cell !== 'string' && cell.kind === 'faulty') return cell.refused;
    switch (facts.kind) {
      case 'text':
        return readText(cell, name);
      case 'decimal':
        return this.#decimal(cell);
      case 'instant':
        return this.time(cell);
      case 'choice':
        return toText(cell);
    }
  }

  /** ISO 8601 text. */
  time(cell: Cell): string | Refused {
    if (typeof cell !== 'string') {
      if (cell.kind === 'faulty') return cell.refused;
      if (cell.kind === 'number') return NUMBER_AS_DATE;
    }
    const text = toText(cell);
    if (this.#time?.text !== text) {
      const { dateOrder, timeZone } = this.#form;
      this.#time = { text, value: readTime(text, { order: dateOrder, timeZone }) };
    }
    return this.#time.value;
  }

  #decimal(cell: Cell): number | Refused {
    if (typeof cell !== 'string' && cell.kind === 'time') return DATE_AS_NUMBER;
    const text = toText(cell);
    const decimal =
      typeof cell === 'string'
        ? (findMangled(text) ?? readDecimal(text, this.#form.decimal))
        : text;
    if (typeof decimal !== 'string') return decimal;
    return isExactNumber(decimal) ? Number(decimal) : INEXACT_NUMBER;
  }
}

function readText(cell: Cell, name: Column): string | Refused {
  const text = toText(cell);
  // Notes are sentences; all other texts are codes and names.
  if (name === 'notes') return text;
  if (typeof cell === 'string') return findMangled(text) ?? text;
  if (cell.kind === 'time') return DATE_AS_TEXT;
  return cell.kind === 'number' && !cell.isShownAsIs ? NUMBER_AS_TEXT : text;
}
