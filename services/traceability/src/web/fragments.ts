// Pieces that several pages are made of: times, codes, hashes, links to lots and blocks, verdicts.
import { icon } from '@lothub/design/icons';
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { lotPath } from '../lots/lot-path.ts';
import { chooseName } from '../lots/told/language.ts';
import type { Names } from '../lots/told/names.ts';
import type { Reader } from './words/reader.ts';

export { lotPath };

/** As long as a lot code may be. */
export const LOT_CODE_MAX = 100;
/** As long as a tenant id may be. */
export const BRAND_MAX = 64;

/** In the place's own time, as its reader writes it; in UTC where the time zone of a place is not known. */
export function time(instant: string, { formats }: Reader, timeZone?: string): Html {
  return html`<time datetime="${instant}">${formats.instant(instant, timeZone)}</time>`;
}

/** A code that a tenant chose. The stylesheet isolates its direction of writing from what follows. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/** What a brand calls a product, in a language of the reader, with its SKU; of a product without names the SKU. */
export function product(sku: string, names: Names | undefined, reader: Reader): Html {
  if (names === undefined) return code(sku);
  return html`${productName(sku, names, reader)} <small>${code(sku)}</small>`;
}

/** The same without its SKU. */
export function productName(sku: string, names: Names | undefined, { languages }: Reader): Html {
  if (names === undefined) return code(sku);
  const { language, name } = chooseName(names, languages);
  return html`<bdi lang="${language}">${name}</bdi>`;
}

/** What a brand wrote in its own language; which one that is, nobody has recorded. */
export function brandsWords(text: string): Html {
  return html`<bdi lang="">${text}</bdi>`;
}

/** `a, b and c`, of pieces of a page. */
export function listed(items: readonly Html[], { formats }: Reader): Html {
  return html`${formats.listParts(items)}`;
}

/** The same of a place. */
export function placeName(location: string, told: { readonly name: string } | undefined): Html {
  return html`<bdi>${told?.name ?? location}</bdi>`;
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

export function lotLink(lotCode: string, brand?: string): Html {
  return html`<a href="${lotPath(lotCode, brand)}">${code(lotCode)}</a>`;
}

export function blockPath(height: number): string {
  return `/explorer/block/${height}`;
}

export function blockLink(height: number, { words }: Reader): Html {
  const label = words.labels.block(String(height));
  return html`<a class="block" href="${blockPath(height)}">${label}</a>`;
}

/** Says in words what its colour and icon say. */
export function verdict(isGood: boolean, words: Html | string): Html {
  return isGood
    ? html`<p class="verdict good">${icon('good')} ${words}</p>`
    : html`<p class="verdict bad">${icon('bad')} ${words}</p>`;
}

export function lotForm({ words }: Reader, lotCode = ''): Html {
  return html`<form class="ask" action="/lot" method="get" role="search">
    <label for="lot_code">${words.forms.lotCode}</label>
    <div class="row">
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
      <button type="submit">${words.forms.showLot}</button>
    </div>
  </form>`;
}

/** What is closed until somebody wants it. */
export function fold(of: {
  readonly icon: Html;
  readonly heading: string;
  readonly content: Html;
}): Html {
  return html`<details class="fold">
    <summary>
      ${of.icon}
      <h2>${of.heading}</h2>
    </summary>
    <div>${of.content}</div>
  </details>`;
}
