// The help: the first steps of a brand, the rights of each role, further documents, and the words of the
// pages.
import { said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { wideTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import {
  BRAND_RIGHTS,
  BRAND_ROLES,
  hasBrandRight,
  isBrandRight,
} from '@lothub/people/brands/rights';
import type { BrandRole } from '@lothub/people/brands/rights';
import { GUIDE_PATH } from '../../web/documents.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { firstSteps, type StepsView } from '../today/first-steps.ts';
import { CHAPTERS, listTerms, type Chapter } from './terms.ts';

export interface HelpView {
  /** Undefined for operators of the hub without a brand. */
  readonly brand: { readonly name: string; readonly steps: StepsView } | undefined;
}

/** Documents for the people of a brand, by their addresses. */
const DOCUMENTS = [
  ['guide', GUIDE_PATH],
  ['worked', `${GUIDE_PATH}/worked-example`],
  ['compliance', `${GUIDE_PATH}/compliance`],
  ['trust', `${GUIDE_PATH}/trust`],
  ['glossary', `${GUIDE_PATH}/glossary`],
] as const;

export function helpPage({ brand }: HelpView, reader: Reader): Html {
  const { help } = reader.words.console;
  return headed({
    heading: help.title,
    summary: help.lead,
    body: html`<nav class="contents" aria-label="${help.title}">
        <ul class="chips">
          ${
            brand === undefined
              ? ''
              : html`<li><a class="chip" href="#may">${help.mayTitle}</a></li>`
          }
          <li><a class="chip" href="#docs">${help.docsTitle}</a></li>
          ${CHAPTERS.map(
            (chapter) =>
              html`<li><a class="chip" href="#${chapter}">${help.chapters[chapter]}</a></li>`,
          )}
        </ul>
      </nav>
      ${
        brand === undefined
          ? ''
          : html`${firstSteps(brand.steps, reader)} ${mayTable(brand, reader)}`
      }
      ${documents(reader)}
      <h2>${help.termsTitle}</h2>
      <p class="muted">${help.termsLead}</p>
      ${CHAPTERS.map((chapter) => terms(chapter, reader))}`,
  });
}

function mayTable({ name, steps }: NonNullable<HelpView['brand']>, reader: Reader): Html {
  const { help, roles, rights } = reader.words.console;
  const names = Object.keys(BRAND_RIGHTS).filter(isBrandRight);
  const mark = (role: BrandRole): string => (role === steps.role ? 'chosen' : '');
  return html`<section class="card" id="may" aria-labelledby="may-title">
    <h2 id="may-title">${help.mayTitle}</h2>
    <p>${help.yours} <strong>${roles[steps.role]}</strong> (${said(name)})</p>
    ${wideTable(
      help.mayTitle,
      [help.right, ...BRAND_ROLES.map((role) => roles[role])],
      names.map(
        (right) =>
          html`<tr>
            <th scope="row">${rights[right]}</th>
            ${BRAND_ROLES.map((role) => {
              const may = hasBrandRight(role, right);
              return html`<td class="${mark(role)}">
                ${may ? icon('check') : html`<span class="muted" aria-hidden="true">–</span>`}<span
                  class="hidden"
                  >${may ? help.yes : help.no}</span
                >
              </td>`;
            })}
          </tr>`,
      ),
    )}
  </section>`;
}

function documents({ words }: Reader): Html {
  const { help } = words.console;
  return html`<section class="card" id="docs" aria-labelledby="docs-title">
    <h2 id="docs-title">${help.docsTitle}</h2>
    <ul>
      ${DOCUMENTS.map(([name, path]) => html`<li><a href="${path}">${help.docs[name]}</a></li>`)}
    </ul>
    <p class="hint">${help.docsEnglish}</p>
  </section>`;
}

function terms(chapter: Chapter, reader: Reader): Html {
  return html`<section class="card" id="${chapter}" aria-labelledby="${chapter}-title">
    <h3 id="${chapter}-title">${reader.words.console.help.chapters[chapter]}</h3>
    <dl class="terms">
      ${listTerms(chapter, reader).map(
        ({ id, word, sentence }) =>
          html`<div id="term-${id}">
            <dt>${word}</dt>
            <dd>${sentence}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
