// Lists whose filters are in the address: the form of the filters, and links to the previous and next page.
import { attribute, flag, type Choice } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { OFFSET_MAX } from '../http.ts';
import type { Reader } from '../web/words/reader.ts';

/** The query of an address; undefined and empty values are left out. */
export type AddressQuery = Readonly<Record<string, string | number | undefined>>;

/** An address with its query. */
export function addressWith(path: string, query: AddressQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the day in an address; undefined when the text is not a day. */
export function dayIn(text: string | undefined): string | undefined {
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The value in the address. */
  readonly value: string | undefined;
  readonly type?: 'search' | 'text' | 'date';
  readonly maxLength?: number;
  /** The values to choose from; the form adds a choice for all of them. */
  readonly choices?: readonly Choice[];
}

export interface FilterBar {
  /** Address of the list, without a query. */
  readonly action: string;
  readonly fields: readonly Filter[];
  /** Values that stay in the address when the filters change. */
  readonly kept?: AddressQuery;
  /** Name of an attribute by which a module finds the form. */
  readonly mark?: string;
  /** Content beside the button, such as the choice of columns. */
  readonly beside?: HtmlValue;
  readonly reader: Reader;
}

/** Writes a form whose answer is the list with other filters in its address. */
export function filterBar(bar: FilterBar): Html {
  const { action, fields, kept = {}, mark, beside, reader } = bar;
  const words = reader.words.console.filters;
  const isNarrowed = fields.some(({ value }) => value !== undefined && value !== '');
  return html`<form
    class="filters"
    method="get"
    action="${action}"
    role="search"
    ${renderMark(mark)}
  >
    ${Object.entries(kept).map(([name, value]) =>
      value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${fields.map((one) => filterField(one, reader))}
    <div class="filter-actions">
      <button class="quiet" type="submit">${words.apply}</button>
      ${
        isNarrowed
          ? html`<a class="button quiet" href="${addressWith(action, kept)}">${words.clear}</a>`
          : ''
      }
      ${beside ?? ''}
    </div>
  </form>`;
}

function renderMark(mark: string | undefined): Html {
  return mark === undefined ? html`` : attribute(mark, 'yes');
}

function filterField({ name, label, value = '', ...field }: Filter, { words }: Reader): Html {
  const id = `filter-${name}`;
  const { type = 'text', choices, maxLength } = field;
  const input =
    choices === undefined
      ? html`<input
          id="${id}"
          name="${name}"
          type="${type}"
          value="${value}"
          autocomplete="off"
          ${attribute('maxlength', maxLength)}
        />`
      : html`<select id="${id}" name="${name}">
          <option value="">${words.console.filters.all}</option>
          ${choices.map(
            (choice) =>
              html`<option value="${choice.value}" ${flag(' selected', choice.value === value)}>
                ${choice.label}
              </option>`,
          )}
        </select>`;
  return html`<div class="filter${type === 'search' ? ' wide-filter' : ''}">
    <label for="${id}">${label}</label>
    ${input}
  </div>`;
}

export interface PagerOptions {
  /** Address of the list, without a query. */
  readonly path: string;
  /** Its filters, without the offset. */
  readonly query: AddressQuery;
  readonly offset: number;
  readonly limit: number;
  /** Items on this page. */
  readonly shown: number;
  readonly total: number;
  /** True if `total` is the exact number; false: there are more. */
  readonly isExact: boolean;
  readonly reader: Reader;
}

/**
 * Writes which items of how many are shown, and links to the previous and next page; nothing if there is only
 * one page.
 */
export function pager(options: PagerOptions): Html {
  const { path, query, offset, limit, shown, total, isExact, reader } = options;
  const words = reader.words.console.filters;
  const hasMore = offset + shown < total || (!isExact && shown === limit);
  const next = offset + limit;
  if (offset === 0 && !hasMore) return html``;
  const at = (place: number): string =>
    addressWith(path, { ...query, offset: place === 0 ? undefined : place });
  return html`<nav class="pager" aria-label="${words.pages}">
    ${
      offset === 0
        ? ''
        : html`<a rel="prev" href="${at(Math.max(0, offset - limit))}"
            >${icon('back')} ${words.previous}</a
          >`
    }
    <span class="muted">${rangeWords(options)}</span>
    ${
      hasMore && next <= OFFSET_MAX
        ? html`<a rel="next" href="${at(next)}">${words.next} ${icon('next')}</a>`
        : ''
    }
    ${hasMore && next > OFFSET_MAX ? html`<span class="muted">${words.tooFar}</span>` : ''}
  </nav>`;
}

function rangeWords({ offset, shown, total, isExact, reader }: PagerOptions): string {
  const { range, rangeOfMore } = reader.words.console.filters;
  const number = (value: number): string => reader.formats.number(value);
  const words = isExact ? range : rangeOfMore;
  return words(number(shown === 0 ? 0 : offset + 1), number(offset + shown), number(total));
}

/** Writes how many there are; if the count was cut off, it says "more than". */
export function countWords(
  { total, isExact }: Pick<PagerOptions, 'total' | 'isExact'>,
  { formats, words }: Reader,
): string {
  const number = formats.number(total);
  return isExact ? number : words.console.filters.moreThan(number);
}
