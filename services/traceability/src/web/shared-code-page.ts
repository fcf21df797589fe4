// The page of a lot code that several brands use: the open recalls of all of them, and the question whose
// product it is. It gives no verdict, for there is no lot yet that it would be about.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { SharedCode, Sharer } from '../verification/sharers.ts';
import { BRAND_MAX, LOT_CODE_MAX, brandName, code, lotPath, product } from './fragments.ts';
import type { Page } from './layout.ts';
import { noticeArticle } from './notice.ts';
import { recallsPath } from './recall-pages.ts';
import type { Reader } from './words/reader.ts';

export function sharedCodePage(shared: SharedCode, reader: Reader): Page {
  const { lot, sharedCode: words } = reader.words;
  return {
    title: words.title(shared.lotCode),
    body: html`
      <h1>${lot.lotCode} ${code(shared.lotCode)}</h1>
      <p class="lead">${words.lead}</p>
      ${notices(shared, reader)} ${brands(shared, reader)}
    `,
  };
}

function notices(shared: SharedCode, reader: Reader): Html | null {
  if (shared.notices.length === 0) return null;
  const words = reader.words.sharedCode;
  return html`<section class="notices" aria-labelledby="notices">
    <h2 id="notices">${words.notices}</h2>
    ${shared.notices.map((notice) => noticeArticle(notice, reader))}
    ${
      shared.hasMoreNotices
        ? html`<p>
            <a href="${recallsPath({ lotCode: shared.lotCode })}">${words.allNotices}</a>
          </p>`
        : null
    }
  </section>`;
}

function brands(shared: SharedCode, reader: Reader): Html {
  const words = reader.words.sharedCode;
  return html`<section aria-labelledby="brands">
    <h2 id="brands">${words.choose}</h2>
    <p>${words.nothingSaid}</p>
    <ul class="choices">
      ${shared.sharers.map((sharer) => html`<li>${choice(sharer, shared.lotCode, reader)}</li>`)}
    </ul>
    ${shared.hasMore ? moreBrands(shared, reader) : null}
  </section>`;
}

function choice(
  { brand, productSku, productNames, openNotices }: Sharer,
  lotCode: string,
  reader: Reader,
): Html {
  return html`<a href="${lotPath(lotCode, brand.id)}">${brandName(brand, reader)}</a>,
    ${product(productSku, productNames, reader)}${openRecalls(openNotices, reader)}`;
}

/** Writes the number of open recalls after the name of a brand; null when there is none. */
export function openRecalls(count: number, { formats, words }: Reader): Html | null {
  if (count === 0) return null;
  const { openRecall, openRecalls: several } = words.sharedCode;
  return html` <strong class="bad"
    >${icon('critical')} ${count === 1 ? openRecall : several(formats.number(count))}</strong
  >`;
}

function moreBrands({ lotCode, sharers }: SharedCode, { formats, words }: Reader): Html {
  const { brandId, firstBrands, lotCode: lotCodeLabel } = words.sharedCode;
  return html`<p>${firstBrands(formats.number(sharers.length))}</p>
    <form class="ask" action="/lot" method="get" role="search">
      <label for="lot_code">${lotCodeLabel}</label>
      <div class="row">
        <input
          id="lot_code"
          name="lot_code"
          value="${lotCode}"
          maxlength="${LOT_CODE_MAX}"
          required
        />
      </div>
      <label for="brand">${brandId}</label>
      <div class="row">
        <input
          id="brand"
          name="brand"
          required
          maxlength="${BRAND_MAX}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
        <button type="submit">${words.forms.showLot}</button>
      </div>
    </form>`;
}
