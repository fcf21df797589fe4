// Wrong rows with their errors: each row as in the file, with fields to correct its wrong cells.
import { field, moreLink, type FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { SHOWN_CHARACTERS_MAX } from '../../csv-import/mapping/written-rows.ts';
import type { Column } from '../../csv-import/form/header-names.ts';
import type { RowError } from '../../csv-import/row-error.ts';
import type { Reader } from '../../web/words/reader.ts';
import { columnLabel, errorWords, findNamedColumn } from './error-words.ts';
import { importPath } from './import-paths.ts';
import type { CheckedParts, SaidForm } from './parts-on-disk.ts';

/** Rows on one page. */
export const WRONG_ROWS_PER_PAGE = 20;

export interface WrongRowsView {
  readonly brand: string;
  readonly importId: string;
  readonly headers: readonly string[];
  readonly check: CheckedParts;
  readonly form: SaidForm;
  readonly offset: number;
  readonly mayMend: boolean;
}

export function mendField(row: number, column: Column): string {
  return `row_${row}.${column}`;
}

export function wrongRows(view: WrongRowsView, reader: Reader): Html {
  const { wrong: words } = reader.words.console.imports;
  const { brand, importId, check, offset, mayMend } = view;
  const byRow = [...Map.groupBy(check.errors, ({ row }) => row)].toSorted(([a], [b]) => a - b);
  const shown = byRow.slice(offset, offset + WRONG_ROWS_PER_PAGE);
  const path = importPath(brand, importId);
  const rows = shown.map(([row, errors]) => wrongRow(view, { row, errors }, reader));
  const next = offset + WRONG_ROWS_PER_PAGE;
  return html`<section class="card" id="wrong" aria-labelledby="wrong-title">
    <h2 id="wrong-title">${words.title}</h2>
    <p>${mayMend ? words.lead : words.leadImported}</p>
    ${
      mayMend
        ? html`<form method="post" action="${path}/mend">
            ${rows}
            <p class="form-actions"><button type="submit">${icon('check')}${words.mend}</button></p>
          </form>`
        : rows
    }
    ${moreLink(next < byRow.length ? `${path}?offset=${next}#wrong` : undefined, words.next)}
  </section>`;
}

function wrongRow(
  view: WrongRowsView,
  { row, errors }: { readonly row: number; readonly errors: readonly RowError[] },
  reader: Reader,
): Html {
  const { wrong: words } = reader.words.console.imports;
  const cells = view.check.wrongRows.find((one) => one.row === row)?.cells;
  const named = errors.flatMap((error) =>
    (error.columns ?? [error.column]).flatMap((name) => {
      const column = findNamedColumn(name);
      return column === undefined ? [] : [{ column, error }];
    }),
  );
  const whole = errors.filter(({ column }) => findNamedColumn(column) === undefined);
  const wrongPlaces = new Set(named.map(({ column }) => findPlace(column, view)));
  return html`<fieldset class="wrong-row">
    <legend>${words.row(reader.formats.number(row))}</legend>
    ${cells === undefined ? '' : cellList(view, cells, wrongPlaces, reader)}
    ${whole.map((error) => html`<p class="field-error">${icon('warning')}${errorWords(error, reader)}</p>`)}
    <div class="field-grid">
      ${[...Map.groupBy(named, ({ column }) => column)].map(([column, found]) =>
        view.mayMend
          ? mendCell(view, { row, column, cells, found: found.map(({ error }) => error) }, reader)
          : html`<p class="field-error">
              ${icon('warning')}<span
                ><strong>${columnLabel(column, reader)}</strong>
                ${found.map(({ error }) => errorWords(error, reader)).join(' ')}</span
              >
            </p>`,
      )}
    </div>
  </fieldset>`;
}

function findPlace(column: Column, { form }: WrongRowsView): number {
  return form.mapping?.columns.indexOf(column) ?? -1;
}

function cellList(
  { headers }: WrongRowsView,
  cells: readonly string[],
  wrongPlaces: ReadonlySet<number>,
  { words }: Reader,
): Html {
  const length = Math.max(headers.length, cells.length);
  return html`<dl class="row-cells">
    ${Array.from({ length }, (_, place) => {
      const cell = cells[place] ?? '';
      return html`<div class="${wrongPlaces.has(place) ? 'wrong-cell' : ''}">
        <dt><bdi>${headers[place] ?? String(place + 1)}</bdi></dt>
        <dd>
          ${cell === '' ? html`<span class="muted">${words.console.imports.wrong.empty}</span>` : html`<bdi>${cell}</bdi>`}
        </dd>
      </div>`;
    })}
  </dl>`;
}

function mendCell(
  view: WrongRowsView,
  cell: {
    readonly row: number;
    readonly column: Column;
    readonly cells: readonly string[] | undefined;
    readonly found: readonly RowError[];
  },
  reader: Reader,
): Html {
  const { row, column, cells, found } = cell;
  const name = mendField(row, column);
  const mended = view.form.mapping?.mended[String(row)]?.[column];
  const written = cells?.[findPlace(column, view)] ?? '';
  const form: FormState = {
    values: {},
    errors: { [name]: [...new Set(found.map((error) => errorWords(error, reader)))].join(' ') },
    problem: undefined,
  };
  return field({
    ...{ name, form },
    label: columnLabel(column, reader),
    value: mended ?? written,
    maxLength: SHOWN_CHARACTERS_MAX,
  });
}
