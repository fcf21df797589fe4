// The first part of a lot's page is about the product: its picture, its name, its brand, and the
// code that is printed on it. A brand sees the same before it publishes details.
import { linkedText } from '@lothub/design/linked-text';
import { html, type Html } from '@lothub/kit/html';
import type { Names } from '../../lots/profiles/names.ts';
import type { BrandContact } from '../../verification/verify-lot.ts';
import { brandName, code, productHeading, type NameInLanguages } from '../fragments.ts';
import type { Reader } from '../words/reader.ts';

/** Sides of the square that a picture is shown in, in CSS pixels: its place is kept while it loads. */
const PICTURE_SIDE = 88;

export interface AboutLot {
  readonly sku: string;
  /** Undefined when the brand has set no details of the product. */
  readonly names: Names | undefined;
  readonly pictureUrl: string | null;
  readonly brand: NameInLanguages;
  readonly lotCode: string;
}

export function aboutCard(lot: AboutLot, reader: Reader): Html {
  const words = reader.words.lot;
  return html`<section class="card about" aria-label="${words.product}">
    ${renderPicture(lot.pictureUrl)}
    <h2>${productHeading(lot.sku, lot.names, reader)}</h2>
    <p>${brandName(lot.brand, reader)}</p>
    <p>${words.lotCode} ${code(lot.lotCode)}</p>
  </section>`;
}

/**
 * Shows the picture by its path: pages load pictures from their own hub, at whichever address that
 * is.
 */
export function renderPicture(url: string | null): Html | null {
  if (url === null) return null;
  return html`<img
    class="picture"
    src="${new URL(url).pathname}"
    alt=""
    width="${PICTURE_SIDE}"
    height="${PICTURE_SIDE}"
    decoding="async"
  />`;
}

/** Telephone, mail and page as links; null when none is given. @param before is in front of them */
export function contactLine(
  { recallContact, website }: BrandContact,
  before: Html | null,
): Html | null {
  const given = [recallContact, website].filter((way) => way !== null);
  if (given.length === 0) return null;
  return html`<p class="contact">
    ${before}${given.map((way) => html`<span class="way">${linkedText(way)}</span> `)}
  </p>`;
}
