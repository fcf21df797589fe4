// Tables of pages: one whose rows become blocks of names and values on a narrow screen, one that scrolls.
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { at } from '@lothub/kit/present';

/** A column whose cells are numbers: they are at the end of the line, below each other. */
export interface NumberColumn {
  readonly number: string;
}

export interface RowsTable {
  /** What it is called, for screen readers. */
  readonly caption: string;
  readonly head: readonly (string | NumberColumn)[];
  /** As many cells each as `head`; a cell that is null has nothing, and no name on a narrow screen. */
  readonly rows: readonly (readonly HtmlValue[])[];
  /**
   * On a narrow screen. `blocks`: a line for each cell. `brief`: the first cell and the last number share a line, and
   * what is between needs no names. `tally`: the numbers of a row side by side.
   */
  readonly narrow?: 'blocks' | 'brief' | 'tally';
}

export function rowsTable({ caption, head, rows, narrow = 'blocks' }: RowsTable): Html {
  return html`<table class="${narrow === 'blocks' ? 'rows' : `rows ${narrow}`}">
    <caption class="hidden">
      ${caption}
    </caption>
    ${tableHead(head)}
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) =>
              cell === null
                ? html`<td></td>`
                : html`<td
                    data-label="${getLabel(at(head, index))}"
                    ${renderClass(at(head, index))}
                  >
                    <div>${cell}</div>
                  </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/**
 * A table that scrolls by itself where it is wider than the screen, also by keyboard.
 * @param head names of columns; a word in it may open its sentence, since the head is seen on any screen
 */
export function wideTable(
  label: string,
  head: readonly (string | Html)[],
  rows: readonly Html[],
): Html {
  return html`<div class="wide" role="group" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function getLabel(column: string | NumberColumn): string {
  return typeof column === 'string' ? column : column.number;
}

function renderClass(column: string | NumberColumn): Html {
  return typeof column === 'string' ? html`` : html`class="number"`;
}

function tableHead(head: readonly (string | NumberColumn)[]): Html {
  return html`<thead>
    <tr>
      ${head.map((cell) => html`<th scope="col" ${renderClass(cell)}>${getLabel(cell)}</th>`)}
    </tr>
  </thead>`;
}
