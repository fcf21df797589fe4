// Pieces that the sections of a report are made of: tables, quantities, what a shortened list says.
import { Html, escapeHtml, html, trustedHtml, type HtmlValue } from '@lothub/kit/html';
import { cutSlices } from '@lothub/kit/in-list';
import { instantWords } from '../../web/labels.ts';
import { readerIn } from '../../web/words/reader.ts';
import type { Amount, Listed } from './case-report.ts';

export interface Column {
  readonly head: string;
  /** Percent of the width, 1 to 80; all columns of a table together 100. */
  readonly share: number;
  readonly align?: 'number';
}

export type Cell = Html | string | number | null;

/**
 * A piece of a report. A long one is made while it is sent, some rows at a time, so that other
 * requests run in between.
 */
export type Part = Html | Iterable<Part>;

/** Rows made at a time: about a millisecond. */
const ROWS_PER_PART = 50;

/** The pieces of a part, in their order. */
export function* flattened(part: Part): Generator<Html> {
  if (part instanceof Html) yield part;
  else for (const piece of part) yield* flattened(piece);
}

/** A table whose head is on every page that it goes over. */
export function* table<Item>(options: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly items: readonly Item[];
  readonly row: (item: Item) => readonly Cell[];
}): Generator<Html> {
  const { caption, columns, items, row } = options;
  const renderClass = (index: number): HtmlValue =>
    columns[index]?.align === 'number' ? html` class="number"` : null;
  yield trustedHtml(`<div class="wide" role="group" aria-label="${escapeHtml(caption)}" tabindex="0">
<table>`);
  yield html`<caption>
      ${caption}
    </caption>
    <colgroup>
      ${columns.map(({ share }) => html`<col class="w${share}" />`)}
    </colgroup>
    <thead>
      <tr>
        ${columns.map(({ head }, index) => html`<th scope="col" ${renderClass(index)}>${head}</th>`)}
      </tr>
    </thead>`;
  yield trustedHtml('<tbody>');
  for (const slice of cutSlices(items, ROWS_PER_PART)) {
    yield html`${slice.map(
      (item) =>
        html`<tr>
          ${row(item).map((cell, index) => html`<td${renderClass(index)}>${cell}</td>`)}
        </tr>`,
    )}`;
  }
  yield trustedHtml('</tbody></table></div>');
}

/** A table of a list; of none the sentence that says so, and of more than it shows how many. */
export function listTable<Item>(
  list: Listed<Item>,
  options: {
    readonly caption: string;
    readonly columns: readonly Column[];
    readonly row: (item: Item) => readonly Cell[];
    /** When there is nothing. */
    readonly none: string;
    /** Markup that says where all of them can be read. */
    readonly rest: Html | string;
  },
): Part {
  const { caption, columns, row, none, rest } = options;
  if (list.items.length === 0) return html`<p>${none}</p>`;
  return [table({ caption, columns, items: list.items, row }), shortened(list, rest)];
}

/** Says that a list is cut, and where the rest is; nothing when it is whole. */
export function shortened(list: Listed<unknown>, rest: Html | string): Html {
  const shown = list.items.length;
  if (list.isExact && shown === list.total) return html``;
  const total = list.isExact ? count(list.total) : `more than ${count(list.total)}`;
  return html`<p class="note"><strong>Shortened:</strong> ${count(shown)} of ${total}. ${rest}</p>`;
}

export function formatTotal(list: Listed<unknown>): string {
  return list.isExact ? count(list.total) : `over ${count(list.total)}`;
}

/** Groups of three digits; a narrow space that does not break is read alike in every country. */
export function count(number: number): string {
  return grouped(String(number));
}

export function grouped(decimal: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(decimal) ?? [];
  if (whole.length < GROUPED_FROM) return decimal;
  return `${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, NARROW_SPACE)}${rest}`;
}

const GROUPED_FROM = 5;
const NARROW_SPACE = '\u202f';

export function amount({ quantity, unit }: Amount): Html {
  return html`${grouped(quantity)} <bdi>${unit}</bdi>`;
}

export function amounts(all: readonly Amount[]): Html {
  if (all.length === 0) return html`–`;
  return html`${all.map((one, index) => html`${index === 0 ? null : html`<br />`}${amount(one)}`)}`;
}

/** Marks up a text of a tenant, so that its direction of writing ends with it. */
export function words(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

export function wordsOr(text: string | null, otherwise: string): Html {
  return text === null ? html`${otherwise}` : words(text);
}

export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly body: Part;
  /** Begins on a page of its own. */
  readonly onNewPage?: boolean;
}

export function* section({ id, heading, body, onNewPage }: Section): Generator<Part> {
  const start = onNewPage === true ? ' class="new-page"' : '';
  yield trustedHtml(`<section aria-labelledby="${id}"${start}>`);
  yield html`<h2 id="${id}">${heading}</h2>`;
  yield body;
  yield trustedHtml('</section>');
}

/** The report is written in English. */
export const ENGLISH = readerIn('en');

/** An instant in a sentence. */
export function time(instant: string): Html {
  return html`<time datetime="${instant}">${instantWords(instant)}</time>`;
}

/** An instant in a table, to the minute; that all times are in UTC is at the top of the report. */
export function minute(instant: string): Html {
  return html`<time datetime="${instant}">${instantWords(instant).replace(/ UTC$/, '')}</time>`;
}

/** An instant that may not have come. */
export function minuteOr(instant: string | null, otherwise: string): Html {
  return instant === null ? html`${otherwise}` : minute(instant);
}

export function plural(number: number, one: string, several: string): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}
