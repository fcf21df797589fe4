// The texts below a drawing: about the chosen node, and about lots that a search found.
import { html, trustedHtml, type Html } from '@lothub/kit/html';
import { getLabel, openerName, spokenName } from '../../genealogy/drawing.ts';
import type { DrawnNode } from '../../genealogy/graph.ts';
import type { Found, Words } from './answers.ts';

interface NodeFormats {
  readonly words: Words;
  readonly number: (value: number) => string;
}

/** Describes a node, with links to its pages and a button for each opener. */
export function aboutNode(node: DrawnNode, formats: NodeFormats): Html {
  const { openLot, openGenealogy } = formats.words;
  const buttons = node.openers.map(
    (opener) =>
      html`<button
        class="quiet"
        type="button"
        tabindex="-1"
        data-opener="${opener.does} ${opener.side}"
      >
        ${openerName(node, opener, formats)}
      </button>`,
  );
  if (node.group !== undefined) {
    return html`<strong><bdi>${getLabel(node)}</bdi></strong>
      <span>${spokenName(node, formats)}</span>${buttons}`;
  }
  const { lot } = node;
  const links =
    lot.path === null
      ? ''
      : html`<a href="${lot.path}">${openLot}</a>${
            node.relation === 'self'
              ? ''
              : html` <a href="${lot.path}/genealogy">${openGenealogy}</a>`
          }`;
  return html`<strong><bdi>${lot.label}</bdi></strong>
    <span><bdi>${lot.detail}</bdi></span> ${trustedHtml(lot.cells.state)}
    <span class="muted">${trustedHtml(lot.cells.first)}</span> ${links} ${buttons}`;
}

/**
 * Lists lots that a search found: a button draws the way to a lot, a link leads to the drawing of a
 * supplier's lot.
 */
export function foundList({ hits, isCut }: Found, { nothingFound, searchCut }: Words): Html {
  if (hits.length === 0) return html`<p class="empty">${nothingFound}</p>`;
  return html`<ul class="genealogy-hits">
      ${hits.map(
        ({ code, spoken, drawing }) =>
          html`<li>
            ${
              drawing === null
                ? html`<button class="quiet" type="button" data-way="${code}">
                    <bdi>${spoken}</bdi>
                  </button>`
                : html`<a href="${drawing}"><bdi>${spoken}</bdi></a>`
            }
          </li>`,
      )}
    </ul>
    ${isCut ? html`<p class="hint">${searchCut}</p>` : ''}`;
}
