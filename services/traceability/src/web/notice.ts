// A recall notice as consumers read it: what is recalled, why, what to do; on the page of a lot, and on
// the pages of notices.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Notice } from '../lots/notices/schema.ts';
import { lotLink, product, time } from './fragments.ts';
import type { Languages } from './fragments.ts';
import { caseStatusWords, severityWords } from './labels.ts';

/** Codes shown of one notice; its own page has all lots. */
const CODES_SHOWN_MAX = 10;

export function recallPath(caseNo: string): string {
  return `/recalls/${encodeURIComponent(caseNo)}`;
}

export function brandRecallsPath(brand: string): string {
  return `/recalls?${new URLSearchParams({ brand }).toString()}`;
}

/** One notice, with a heading that leads to its own page. */
export function noticeArticle(notice: Notice, languages: Languages): Html {
  return html`<article class="notice">
    <h3>
      <span class="icon" aria-hidden="true">!</span> Recall:
      <a href="${recallPath(notice.case_no)}"><bdi>${notice.title}</bdi></a>
    </h3>
    ${noticeFacts(notice, languages)}
  </article>`;
}

/** What a notice says, in the order in which a consumer needs it. */
export function noticeFacts(notice: Notice, languages: Languages): Html {
  const { brand } = notice;
  return html`<p class="advice">
      <strong><bdi>${notice.advice}</bdi></strong>
    </p>
    <dl>
      <dt>Reason</dt>
      <dd><bdi>${notice.reason}</bdi></dd>
      <dt>Brand</dt>
      <dd>
        <a href="${brandRecallsPath(brand.id)}"><bdi>${brand.name}</bdi></a>
      </dd>
      <dt>Products</dt>
      <dd>${products(notice, languages)}</dd>
      <dt>Lots</dt>
      <dd>
        ${lots(notice.lot_codes.slice(0, CODES_SHOWN_MAX), brand.id)}
        ${
          notice.lots_total > CODES_SHOWN_MAX
            ? html`and
                <a href="${recallPath(notice.case_no)}"
                  >${notice.lots_total - CODES_SHOWN_MAX} more</a
                >`
            : null
        }
      </dd>
      <dt>Class</dt>
      <dd>${severityWords(notice.severity)}</dd>
      <dt>Status</dt>
      <dd>${caseStatusWords(notice.status)}</dd>
      <dt>Case</dt>
      <dd>${notice.case_no}, since ${time(notice.opened_at)}</dd>
    </dl>`;
}

/** Codes of lots, each with the way to what is known of it. */
export function lots(lotCodes: readonly string[], brand: string): Html {
  if (lotCodes.length === 0) return html`none yet`;
  return html`${lotCodes.map(
    (lotCode, index) => html`${index === 0 ? null : ', '}${lotLink(lotCode, brand)}`,
  )}`;
}

function products(notice: Notice, languages: Languages): Html {
  const { product_skus: skus, products_total: total, products: told = [] } = notice;
  const names = new Map(told.map((one) => [one.sku, one.names]));
  const shown = skus.slice(0, CODES_SHOWN_MAX);
  const more = total - shown.length;
  return html`${shown.map(
    (sku, index) => html`${index === 0 ? null : ', '}${product(sku, names.get(sku), languages)}`,
  )}${more > 0 ? ` and ${more} more` : null}`;
}
