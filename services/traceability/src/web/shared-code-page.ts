// The page of a lot code that several brands use: the open recalls of all of them, and the question whose
// product it is. It gives no verdict, for there is no lot yet that it would be about.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { SharedCode, Sharer } from '../verification/sharers.ts';
import { BRAND_MAX, LOT_CODE_MAX, code, lotPath, product } from './fragments.ts';
import type { Languages } from './fragments.ts';
import type { Page } from './layout.ts';
import { noticeArticle } from './notice.ts';
import { recallsPath } from './recall-pages.ts';

export function sharedCodePage(shared: SharedCode, languages: Languages): Page {
  return {
    title: `Lot ${shared.lotCode}: which brand?`,
    body: html`
      <h1>Lot ${code(shared.lotCode)}</h1>
      <p class="lead">Several brands use this lot code. Which brand is your product of?</p>
      ${notices(shared, languages)} ${brands(shared, languages)}
    `,
  };
}

function notices(shared: SharedCode, languages: Languages): Html | null {
  if (shared.notices.length === 0) return null;
  return html`<section class="notices" aria-labelledby="notices">
    <h2 id="notices">Open recalls for this lot code</h2>
    ${shared.notices.map((notice) => noticeArticle(notice, languages))}
    ${
      shared.hasMoreNotices
        ? html`<p>
            <a href="${recallsPath({ lotCode: shared.lotCode })}"
              >All recall notices for this lot code</a
            >
          </p>`
        : null
    }
  </section>`;
}

function brands(shared: SharedCode, languages: Languages): Html {
  return html`<section aria-labelledby="brands">
    <h2 id="brands">Choose the brand of your product</h2>
    <p>Nothing on this page says that a product is unchanged or safe: choose its brand first.</p>
    <ul class="choices">
      ${shared.sharers.map((sharer) => html`<li>${choice(sharer, shared.lotCode, languages)}</li>`)}
    </ul>
    ${shared.hasMore ? moreBrands(shared) : null}
  </section>`;
}

function choice(
  { brand, productSku, productNames, openNotices }: Sharer,
  lotCode: string,
  languages: Languages,
): Html {
  return html`<a href="${lotPath(lotCode, brand.id)}"><bdi>${brand.name}</bdi></a
    >, product ${product(productSku, productNames, languages)}${openRecalls(openNotices)}`;
}

/** Behind the name of a brand; nothing when it has no open recall. */
export function openRecalls(count: number): Html | null {
  if (count === 0) return null;
  return html` <strong class="bad"
    ><span class="icon" aria-hidden="true">!</span> ${
      count === 1 ? 'open recall' : `${count} open recalls`
    }</strong
  >`;
}

function moreBrands({ lotCode, sharers }: SharedCode): Html {
  return html`<p>These are the first ${sharers.length} brands that use the code.</p>
    <form class="ask" action="/lot" method="get" role="search">
      <label for="lot_code">Lot code</label>
      <div class="field">
        <input
          id="lot_code"
          name="lot_code"
          value="${lotCode}"
          maxlength="${LOT_CODE_MAX}"
          required
        />
      </div>
      <label for="brand">Brand, by its id on this hub</label>
      <div class="field">
        <input
          id="brand"
          name="brand"
          required
          maxlength="${BRAND_MAX}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
        <button type="submit">Show this lot</button>
      </div>
    </form>`;
}
