// The list of lots: search, filters and columns, which are in the address, and the rows. A browser with
// scripts requests only the rows while the reader types.
import { emptyNote, flag, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable, type NumberColumn } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { AlsoMeant, LotList } from '../../lots/list.ts';
import type { LotItem } from '../../lots/record.ts';
import type { ProductProfiles } from '../../lots/profiles/read-profiles.ts';
import { HOLD_STATUSES, LOT_STATUSES } from '../../terms.ts';
import { product } from '../../web/fragments.ts';
import type { Reader } from '../../web/words/reader.ts';
import { addressWith, countWords, filterBar, pager } from '../filters.ts';
import { headed } from '../frame.ts';
import { brandPath } from '../paths.ts';
import { LOT_LIST_COLUMNS, SEARCH_MAX, lotListAddress } from './list-query.ts';
import type { LotListAsked, LotListColumn } from './list-query.ts';
import { holdChip, lotLink, lotStatusChip } from './lot-chips.ts';

/** Quantities of one lot in a row. */
const QUANTITIES_SHOWN_MAX = 3;

export interface LotListView {
  readonly brand: string;
  readonly asked: LotListAsked;
  readonly columns: readonly LotListColumn[];
  readonly list: LotList;
  readonly also: AlsoMeant | undefined;
  readonly profiles: ProductProfiles;
  readonly mayImport: boolean;
}

export function lotListPage(view: LotListView, reader: Reader): Html {
  const { brand, asked } = view;
  const { lots: words } = reader.words.console;
  const path = brandPath(brand, 'lots');
  const filters = lotListAddress(asked);
  return headed({
    heading: words.title,
    summary: words.lead,
    actions: html`<a class="button quiet" href="${addressWith(`${path}.csv`, filters)}" download
      >${icon('download')}${words.csv}</a
    >`,
    body: html`${filterBar({
        action: path,
        mark: 'data-lot-search',
        fields: [
          {
            name: 'q',
            label: words.search,
            type: 'search',
            value: asked.q,
            maxLength: SEARCH_MAX,
          },
          {
            name: 'status',
            label: words.status,
            value: asked.status,
            choices: LOT_STATUSES.map((value) => ({ value, label: words.statuses[value] })),
          },
          {
            name: 'hold_status',
            label: words.hold,
            value: asked.holdStatus,
            choices: HOLD_STATUSES.map((value) => ({ value, label: words.holdStatuses[value] })),
          },
        ],
        beside: columnChoice(view, reader),
        reader,
      })}
      <p class="hidden" role="status" data-lot-count></p>
      <div data-lot-rows="${path}.rows">${lotRowsFragment(view, reader)}</div>`,
  });
}

function columnChoice({ columns }: LotListView, reader: Reader): Html {
  const { lots: words } = reader.words.console;
  return html`<details class="columns">
    <summary>${words.columns}</summary>
    <fieldset>
      <legend class="hidden">${words.columns}</legend>
      ${LOT_LIST_COLUMNS.map(
        (column) =>
          html`<label class="check"
            ><input
              type="checkbox"
              name="column"
              value="${column}"
              ${flag('checked', columns.includes(column))}
            />${columnWords(column, reader)}</label
          >`,
      )}
    </fieldset>
  </details>`;
}

function columnWords(column: LotListColumn, reader: Reader): string {
  const { lots, lot } = reader.words.console;
  switch (column) {
    case 'product':
      return lots.product;
    case 'state':
      return lots.state;
    case 'remaining':
      return lot.remaining;
    default:
      return lot.parts[column];
  }
}

/** Writes the rows alone, with which a browser replaces those of the page while the reader types. */
export function lotRowsFragment(view: LotListView, reader: Reader): Html {
  const { brand, asked, columns, list } = view;
  const { lots: words } = reader.words.console;
  const counted = { total: list.total, isExact: list.total_is_exact !== false };
  const found = words.count(countWords(counted, reader), list.total);
  const filters = lotListAddress(asked);
  const head = [words.lot, ...columns.map((column) => buildHead(column, reader))];
  return html`<div data-found="${found}">
    <p class="muted found">${found}${alsoWords(view, reader)}</p>
    ${
      list.lots.length === 0
        ? nothingFound(view, reader)
        : html`<section class="card list" aria-label="${words.title}">
            ${rowsTable({
              caption: words.title,
              head,
              // On a narrow screen an amount is beside the code; any other column needs its name.
              narrow: columns.at(-1) === 'remaining' ? 'brief' : 'blocks',
              rows: list.lots.map((lot) => [
                lotLink(brand, lot.lot_code),
                ...columns.map((column) => renderCell(column, lot, view, reader)),
              ]),
            })}
          </section>`
    }
    ${pager({
      path: brandPath(brand, 'lots'),
      query: filters,
      offset: asked.offset,
      limit: asked.limit,
      shown: list.lots.length,
      ...counted,
      reader,
    })}
  </div>`;
}

function buildHead(column: LotListColumn, reader: Reader): string | NumberColumn {
  const label = columnWords(column, reader);
  return column === 'product' || column === 'state' ? label : { number: label };
}

/** Writes the products that the searched text names, if lots are found by them. */
function alsoWords({ also, profiles }: LotListView, reader: Reader): HtmlValue {
  if (also === undefined || also.skus.length === 0) return '';
  const names = also.skus.map((sku) => product(sku, profiles.get(sku)?.names, reader));
  return html` · ${reader.words.console.lots.byName(html`${reader.formats.listParts(names)}`)}`;
}

function nothingFound({ brand, asked, mayImport }: LotListView, reader: Reader): Html {
  const { lots: words } = reader.words.console;
  const isNarrowed = Object.values(lotListAddress(asked)).some((value) => value !== undefined);
  if (isNarrowed) return emptyNote(html`${words.none} ${words.noneAdvice}`);
  const first = mayImport
    ? html`<a class="button" href="${brandPath(brand, 'imports')}">${words.importFirst}</a>
        <a class="button quiet" href="${brandPath(brand, 'record')}">${words.recordFirst}</a>`
    : '';
  return html`<section class="card">
    ${emptyNote(words.empty)}
    <p class="row">${first}</p>
  </section>`;
}

function renderCell(
  column: LotListColumn,
  lot: LotItem,
  { profiles }: LotListView,
  reader: Reader,
): HtmlValue {
  const { lots: words } = reader.words.console;
  switch (column) {
    case 'product': {
      const [sku = lot.product_sku, ...others] = lot.product_skus;
      const more = others.length === 0 ? '' : html` <small>${words.more(others.length)}</small>`;
      return html`${product(sku, profiles.get(sku)?.names, reader)}${more}`;
    }
    case 'state':
      return html`${lotStatusChip(lot.status, reader)} ${holdChip(lot.hold_status, reader)}`;
    default:
      return quantities(column, lot, reader);
  }
}

/** One amount for each SKU and unit: they are never added together. */
function quantities(
  column: Exclude<LotListColumn, 'product' | 'state'>,
  lot: LotItem,
  reader: Reader,
): HtmlValue {
  const { lots: words } = reader.words.console;
  const moved = lot.quantities.filter((balance) => column === 'remaining' || balance[column] !== 0);
  if (moved.length === 0) return html`<span class="muted">–</span>`;
  const hasSkus = lot.product_skus.length > 1;
  const more = moved.length - QUANTITIES_SHOWN_MAX;
  return html`${moved
    .slice(0, QUANTITIES_SHOWN_MAX)
    .map(
      (balance) =>
        html`<span class="quantity"
          >${
            balance.over_issued && column === 'remaining'
              ? html`<span class="bad" title="${words.overIssued}"
                  >${icon('warning')}<span class="hidden">${words.overIssued}</span></span
                > `
              : ''
          }${reader.formats.quantity(balance[column], balance.unit)}${
            hasSkus ? html` <small>${said(balance.product_sku)}</small>` : ''
          }</span
        >`,
    )}${more > 0 ? html`<small class="quantity">${words.more(more)}</small>` : ''}`;
}
