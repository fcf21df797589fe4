// Tables of pages: one whose rows become blocks of names and values on a narrow screen, one that scrolls.
import { html } from '@lothub/kit/html';
import type { Html, HtmlValue } from '@lothub/kit/html';
import { at } from '@lothub/kit/present';

export interface RowsTable {
  /** What it is called, for screen readers. */
  readonly caption: string;
  readonly head: readonly string[];
  /** As many cells each as `head`; a cell that is null has nothing, and no name on a narrow screen. */
  readonly rows: readonly (readonly HtmlValue[])[];
}

export function rowsTable({ caption, head, rows }: RowsTable): Html {
  return html`<table class="rows">
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
                : html`<td data-label="${at(head, index)}"><div>${cell}</div></td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A table that scrolls by itself where it is wider than the screen, also by keyboard. */
export function wideTable(label: string, head: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="wide" role="group" aria-label="${label}" tabindex="0">
    <table>
      ${tableHead(head)}
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function tableHead(head: readonly string[]): Html {
  return html`<thead>
    <tr>
      ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
    </tr>
  </thead>`;
}
