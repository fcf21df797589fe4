// A table whose rows become blocks of names and values on a narrow screen.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';

export function rowsTable(
  label: string,
  head: readonly string[],
  rows: readonly (readonly (Html | string | null)[])[],
): Html {
  return html`<table class="rows" aria-label="${label}">
    <thead>
      <tr>
        ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) =>
              cell === null
                ? html`<td></td>`
                : html`<td data-label="${head[index]}"><div>${cell}</div></td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
