// Pieces that several pages are made of: times, codes, hashes, links to lots and blocks, verdicts.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { chooseName } from '../lots/told/language.ts';
import type { Names } from '../lots/told/names.ts';
import { instantWords } from './labels.ts';

/** What a reader prefers, as `preferredLanguages` gives it. */
export type Languages = readonly string[];

/** As long as a lot code may be. */
export const LOT_CODE_MAX = 100;
/** As long as a tenant id may be. */
export const BRAND_MAX = 64;
/** As long as a text that is searched for may be. */
const SEARCH_MAX = 200;

export function time(instant: string): Html {
  return html`<time datetime="${instant}">${instantWords(instant)}</time>`;
}

/** A code that a tenant chose. The stylesheet isolates its direction of writing from what follows. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** What a brand calls a product, in a language of the reader, with its SKU; of a product without names the SKU. */
export function product(sku: string, names: Names | undefined, languages: Languages): Html {
  if (names === undefined) return code(sku);
  const { language, name } = chooseName(names, languages);
  return html`<bdi lang="${language}">${name}</bdi> <small>${code(sku)}</small>`;
}

/** What a brand calls a place, with the code that its events have; of a place without a name the code. */
export function place(location: string, told: { readonly name: string } | undefined): Html {
  if (told === undefined) return html`<bdi>${location}</bdi>`;
  return html`<bdi>${told.name}</bdi> <small>${code(location)}</small>`;
}

/** A hash, with all its digits: it is there to be compared. */
export function hash(text: string): Html {
  return html`<code class="hash">${text}</code>`;
}

export function lotPath(lotCode: string, brand?: string): string {
  const query = new URLSearchParams(brand === undefined ? {} : { brand });
  // Browsers take these two for steps in a path, however they are written.
  const isStep = lotCode === '.' || lotCode === '..';
  if (isStep) query.set('lot_code', lotCode);
  const path = isStep ? '/lot' : `/lot/${encodeURIComponent(lotCode)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

export function lotLink(lotCode: string, brand?: string): Html {
  return html`<a href="${lotPath(lotCode, brand)}">${code(lotCode)}</a>`;
}

export function blockPath(height: number): string {
  return `/explorer/block/${height}`;
}

export function blockLink(height: number): Html {
  return html`<a class="block" href="${blockPath(height)}">Block ${height}</a>`;
}

/** Says in words what its colour and icon say. */
export function verdict(isGood: boolean, words: Html | string): Html {
  return isGood
    ? html`<p class="verdict good"><span class="icon" aria-hidden="true">✓</span> ${words}</p>`
    : html`<p class="verdict bad"><span class="icon" aria-hidden="true">✕</span> ${words}</p>`;
}

export function lotForm(lotCode = ''): Html {
  return html`<form class="ask" action="/lot" method="get" role="search">
    <label for="lot_code">Lot code, as printed on the product</label>
    <div class="field">
      <input
        id="lot_code"
        name="lot_code"
        value="${lotCode}"
        required
        maxlength="${LOT_CODE_MAX}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button type="submit">Show this lot</button>
    </div>
  </form>`;
}

export function searchForm(q = ''): Html {
  return html`<form class="ask" action="/explorer/search" method="get" role="search">
    <label for="q">Height, beginning of a hash, of a lot code or of a reference</label>
    <div class="field">
      <input
        id="q"
        name="q"
        value="${q}"
        required
        maxlength="${SEARCH_MAX}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button type="submit">Search the chain</button>
    </div>
  </form>`;
}

/** A table that scrolls by itself where it is wider than the screen, also by keyboard. */
export function wideTable(label: string, head: readonly string[], rows: readonly Html[]): Html {
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
