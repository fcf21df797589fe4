// The page of a GTIN: whose product it is as far as brands say so, and the question which brand or lot is meant.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { chooseDestination } from '../../digital-link/resolve.ts';
import type { Claim, LinkedLot, Resolution } from '../../digital-link/resolve.ts';
import { productPath } from '../../digital-link/linkset.ts';
import {
  LOT_CODE_MAX,
  brandName,
  code,
  lotForm,
  lotLink,
  lotPath,
  product as productName,
} from '../fragments.ts';
import type { Notice } from '../../lots/notices/schema.ts';
import type { Page } from '../layout.ts';
import { noticeArticle } from '../notice.ts';
import { watchSection, type WatchOffer } from '../watching/section.ts';
import type { Reader } from '../words/reader.ts';

/** A page with the status of its response. */
export interface ProductPage {
  readonly page: Page;
  readonly status: 200 | 404;
}

/** Open recalls of the product, by the id of their brand. */
export type OpenRecalls = ReadonlyMap<string, readonly Notice[]>;

/** Maximum number of recalls that the page shows; a link leads to all. */
const RECALLS_SHOWN_MAX = 3;

export interface ProductPageOptions {
  readonly openRecalls: OpenRecalls;
  /** The ways of notifying people of recalls; undefined: none. */
  readonly watchOffer: WatchOffer | undefined;
}

export function productPage(
  resolution: Resolution,
  { openRecalls, watchOffer }: ProductPageOptions,
  reader: Reader,
): ProductPage {
  const words = reader.words.product;
  const { claims, link } = resolution;
  const [first] = claims;
  const isUnknown = chooseDestination(resolution).kind === 'unknown';
  const number = words.number(link.gtin);
  if (claims.length === 0) {
    const title = words.nothingKnown;
    const body = html`
      <h1>${title}</h1>
      <p class="muted">${code(number)}</p>
      ${lotRemark(resolution, reader)}
      <p>${words.nothingKnownAdvice}</p>
      ${lotForm(reader)}
    `;
    return { page: { title, body }, status: 404 };
  }
  const brands = new Set(claims.map(({ brand }) => brand.id));
  const title = brands.size === 1 ? number : words.chooseBrand;
  const body = html`
    ${
      brands.size === 1
        ? ofOneBrand(resolution, openRecalls, reader)
        : ofSeveralBrands(resolution, openRecalls, reader)
    }
    <p>
      <a href="/recalls?${new URLSearchParams({ q: link.gtin }).toString()}">${words.recalls}</a>
    </p>
    ${
      brands.size === 1 && first !== undefined
        ? watchSection(watchOffer, { brand: first.brand.id, gtin: link.gtin }, reader)
        : null
    }
    <p class="muted">${code(number)} ${words.notTheirs}</p>
  `;
  return { page: { title, body }, status: isUnknown ? 404 : 200 };
}

function ofSeveralBrands(resolution: Resolution, openRecalls: OpenRecalls, reader: Reader): Html {
  const words = reader.words.product;
  const { claims, hasMoreClaims, lots } = resolution;
  const withLot = new Map(lots.map((lot) => [lot.brandId, lot]));
  // When some of them have the lot, only these are offered.
  const shown = lots.length === 0 ? claims : claims.filter(({ brand }) => withLot.has(brand.id));
  return html`
    <h1>${words.chooseBrand}</h1>
    <p class="lead">${words.severalBrands}</p>
    ${lotRemark(resolution, reader)}
    <ul class="cards">
      ${shown.map(
        (claim) =>
          html`<li class="card">
            ${picture(claim)}
            <h2>
              <a class="whole" href="${buildAddress(claim, resolution, withLot)}"
                >${brandName(claim.brand, reader)}</a
              >
            </h2>
            <p>${productName(claim.sku, claim.names, reader)}</p>
            ${openRecalls.has(claim.brand.id) ? recallChip(reader) : null}
          </li>`,
      )}
    </ul>
    ${hasMoreClaims ? html`<p>${words.more}</p>` : null}
  `;
}

function ofOneBrand(resolution: Resolution, openRecalls: OpenRecalls, reader: Reader): Html {
  const words = reader.words.product;
  const { claims, lots } = resolution;
  const [first] = claims;
  if (first === undefined) throw new Error('a page of one brand needs a claim');
  const brand = brandName(first.brand, reader);
  const [lot] = lots;
  return html`
    <h1>${claims.length === 1 ? renderName(first, reader) : brand}</h1>
    ${
      claims.length === 1
        ? html`${picture(first)}
            <p class="lead">${words.ofBrand(brand)}</p>`
        : html`<p class="lead">${words.severalProducts(brand)}</p>
            <ul class="cards">
              ${claims.map(
                (claim) =>
                  html`<li class="card">
                    ${picture(claim)}
                    <p>${productName(claim.sku, claim.names, reader)}</p>
                  </li>`,
              )}
            </ul>`
    }
    ${renderRecalls(openRecalls.get(first.brand.id) ?? [], reader)} ${lotRemark(resolution, reader)}
    ${lot === undefined || resolution.link.lotCode === undefined ? null : html`<p>${lotLink(resolution.link.lotCode, lot.brandId)}</p>`}
    <h2>${words.whichLot}</h2>
    ${lotQuestion(first.brand.id, reader)}
  `;
}

function renderRecalls(notices: readonly Notice[], reader: Reader): Html | null {
  if (notices.length === 0) return null;
  return html`<h2>${reader.words.product.recalls}</h2>
    ${notices.slice(0, RECALLS_SHOWN_MAX).map((notice) => noticeArticle(notice, reader))}`;
}

/** The recalls concern some lots of the product, maybe not the one in the reader's hand. */
function recallChip({ words }: Reader): Html {
  return html`<p><span class="chip bad">${icon('critical')} ${words.recalls.recall}</span></p>`;
}

function renderName({ sku, names }: Claim, reader: Reader): Html {
  return productName(sku, names, reader);
}

function picture({ pictureUrl }: Claim): Html | null {
  if (pictureUrl === null) return null;
  // The text next to it has the name, so that blind readers miss nothing.
  return html`<img
    class="picture"
    src="${new URL(pictureUrl).pathname}"
    alt=""
    width="88"
    height="88"
  />`;
}

function buildAddress(
  { brand }: Claim,
  { link }: Resolution,
  withLot: ReadonlyMap<string, LinkedLot>,
): string {
  return link.lotCode !== undefined && withLot.has(brand.id)
    ? lotPath(link.lotCode, brand.id)
    : productPath(link.gtin, { lotCode: link.lotCode, brandId: brand.id });
}

/** For a lot that no claimant has: says that it is unknown, and suggests what is known. */
function lotRemark({ link, lots, isCodeKnown, similar }: Resolution, reader: Reader): Html | null {
  const { lotCode } = link;
  if (lotCode === undefined || lots.length > 0) return null;
  const words = reader.words.product;
  const links = similar.map((one, index) => html`${index === 0 ? null : ', '}${lotLink(one)}`);
  return html`<div class="notice warn">
    ${icon('warning')}
    <div>
      <p>${words.lotUnknown(code(lotCode))}</p>
      ${similar.length === 0 ? null : html`<p>${reader.words.errors.didYouMean(html`${links}`)}</p>`}
      ${
        isCodeKnown
          ? html`<p>
              ${words.otherBrands(html`<a href="${lotPath(lotCode)}">${words.seeThem}</a>`)}
            </p>`
          : null
      }
    </div>
  </div>`;
}

function lotQuestion(brandId: string, { words }: Reader): Html {
  return html`<form class="ask" action="/lot" method="get" role="search">
    <input type="hidden" name="brand" value="${brandId}" />
    <label for="lot_code">${words.forms.lotCode}</label>
    <p class="hint" id="lot_code_hint">${words.product.whereLot}</p>
    <div class="row">
      <input
        id="lot_code"
        name="lot_code"
        required
        maxlength="${LOT_CODE_MAX}"
        aria-describedby="lot_code_hint"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button type="submit">${words.forms.showLot}</button>
    </div>
  </form>`;
}
