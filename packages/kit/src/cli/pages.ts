// Lists of the operator's commands, page by page, with the option for the next page.
import { InvalidArgumentError, type Command } from 'commander';
import { note, type Output } from './terminal.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

export interface PageOptions<Cursor> {
  readonly limit: number;
  readonly after?: Cursor;
}

/** @param parseCursor reads what `next` of the page before was */
export function addPageOptions<Cursor>(
  command: Command,
  parseCursor: (text: string) => Cursor,
): Command {
  return command
    .option('--limit <N>', 'how many to show', parseLimit, LIMIT_DEFAULT)
    .option('--after <NEXT>', 'go on behind this one: `next` of the page before', parseCursor);
}

/** For who reads the text and not the JSON. */
export function noteNext(output: Output, next: string | number | null): void {
  if (next !== null && output.format === 'text') {
    note(output, `There are more: go on with --after ${next}`);
  }
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${LIMIT_MAX}.`);
}

/** An id as lists show it. */
export function parseId(text: string): string {
  if (/^[0-9A-Za-z_]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('Give an id as a list shows it.');
}
