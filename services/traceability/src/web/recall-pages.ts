// The pages of recalls for consumers: all of them, newest first, and one with all its lots and steps.
import { icon } from '@lothub/design/icons';
import { linkedText } from '@lothub/design/linked-text';
import { html, type Html } from '@lothub/kit/html';
import type { LogStanding } from '../log/standing.ts';
import type { ShownNotice } from '../lots/notices/notices.ts';
import type { SaidHistory } from '../lots/notices/history.ts';
import { RECALL_SEARCH_MAX } from '../lots/notices/search.ts';
import { CLOSED_SHOWN_DAYS, SEARCHED_MAX } from '../lots/notices/shown.ts';
import type { RecallDetail, RecallPage, RecallsAsked } from '../lots/notices/shown.ts';
import { CANCELLED } from '../terms.ts';
import { stepSections } from './case-steps.ts';
import { brandName } from './fragments.ts';
import type { Page } from './layout.ts';
import { logModule } from './log-words.ts';
import { adviceWords, lots, noticeFacts, noticeTitle, products, recallPath } from './notice.ts';
import { FEED_FORMS, feedPath } from './recalls/feed-path.ts';
import type { Reader } from './words/reader.ts';

export function recallsPage(page: RecallPage, asked: RecallsAsked, reader: Reader): Page {
  const words = reader.words.recalls;
  const { recalls, isCut } = page;
  return {
    title: words.title,
    head: feedLinks(reader),
    body: html`
      <h1>${words.title}</h1>
      ${searchForm(asked, reader)} ${narrowedTo(asked, reader)}
      <h2>${words.newestFirst}</h2>
      ${
        recalls.length === 0
          ? html`<p class="empty">${nothing(asked, reader)}</p>`
          : html`<ul class="cards">
              ${recalls.map((shown) => card(shown, reader))}
            </ul>`
      }
      ${isCut ? html`<p class="muted">${words.cut(reader.formats.number(SEARCHED_MAX))}</p>` : null}
      ${pager(page, asked, reader)}
      <p class="muted">${words.kept(reader.formats.number(CLOSED_SHOWN_DAYS))}</p>
      <p>
        ${words.feeds}:
        ${FEED_FORMS.map(
          ({ form, label }, index) =>
            html`${index === 0 ? null : ', '}<a href="${feedPath(form, reader.language)}"
                >${label}</a
              >`,
        )}
      </p>
    `,
  };
}

/** Makes the card of one recall: a picture, the product, the brand, the advice. */
function card(shown: ShownNotice, reader: Reader): Html {
  const { notice, endedAt } = shown;
  const words = reader.words.recalls;
  const { formats } = reader;
  return html`<li class="card">
    ${picture(shown)}
    <h3>
      <a class="whole" href="${recallPath(notice.case_no)}"
        >${notice.product_skus.length === 0 ? noticeTitle(notice, reader) : products(notice, reader)}</a
      >
    </h3>
    <p>${brandName(notice.brand, reader)}</p>
    ${endedAt === null ? null : html`<p><span class="chip">${words.endedBadge}</span></p>`}
    <p class="${endedAt === null ? 'bad' : 'muted'}">
      <strong>${adviceWords(notice, reader)}</strong>
    </p>
    <p>${noticeTitle(notice, reader)}</p>
    <p class="muted">
      ${
        endedAt === null
          ? words.since(formats.date(notice.opened_at))
          : words.ended(formats.date(endedAt))
      }
    </p>
  </li>`;
}

function picture({ products: profiles }: ShownNotice): Html | null {
  const url = profiles.find((product) => product.picture_url !== null)?.picture_url;
  if (url === undefined || url === null) return null;
  // The name of the product is next to it.
  return html`<img
    class="picture"
    src="${new URL(url).pathname}"
    alt=""
    width="88"
    height="88"
    loading="lazy"
  />`;
}

/** The parts of a case's page besides its notice. */
export interface CaseSteps extends SaidHistory {
  /** The state of the newest block of these steps in the log. */
  readonly standing: LogStanding;
}

/** A page of the lots of one notice, and of the steps of its case. */
export function recallPage(
  recall: RecallDetail,
  { history, said, standing }: CaseSteps,
  reader: Reader,
): Page {
  const { notice, endedAt } = recall;
  const { next, lot_codes: lotCodes } = recall.lots;
  const words = reader.words.recalls;
  const path = recallPath(notice.case_no);
  const laterSteps = history.next === null ? null : `steps_after=${history.next}`;
  const count = reader.formats.number(notice.lots_total);
  return {
    title: words.recallTitle(notice.case_no),
    head: feedLinks(reader),
    ...logModule(standing),
    body: html`
      <h1 class="${endedAt === null ? 'bad' : null}">
        ${icon('critical')} ${words.recall}: ${noticeTitle(notice, reader)}
      </h1>
      ${endedRemark(recall, reader)}
      <div class="notice ${endedAt === null ? 'bad' : ''}">
        <div>
          ${picture(recall)} ${noticeFacts(notice, reader)} ${contact(recall, reader)}
          ${
            notice.updated_at === notice.opened_at
              ? null
              : html`<p class="muted">
                  ${words.changed(reader.formats.instant(notice.updated_at))}
                </p>`
          }
        </div>
      </div>
      <section aria-labelledby="lots">
        <h2 id="lots">${words.lots}</h2>
        ${endedAt === null ? html`<p>${words.covered(count, notice.lots_total === 1)}</p>` : null}
        <p class="codes">${lots(lotCodes, notice.brand.id, reader)}</p>
        ${
          next === null
            ? null
            : html`<p>
                <a rel="next" href="${path}?${new URLSearchParams({ after: next }).toString()}"
                  >${words.moreLots}</a
                >
              </p>`
        }
      </section>
      ${stepSections(
        { history, said },
        { standing, morePath: laterSteps === null ? null : `${path}?${laterSteps}` },
        reader,
      )}
      <nav class="pager" aria-label="${words.pages}"><a href="/recalls">${words.all}</a></nav>
    `,
  };
}

function endedRemark({ notice, endedAt }: ShownNotice, { words, formats }: Reader): Html | null {
  if (endedAt === null) return null;
  const at = formats.date(endedAt);
  return html`<div class="notice">
    ${icon('info')}
    <p>
      ${
        notice.status === CANCELLED
          ? words.recalls.cancelled(at)
          : html`<strong>${words.recalls.endedBadge}</strong>: ${at}. ${words.recalls.endedAdvice}`
      }
    </p>
  </div>`;
}

/** Writes how consumers reach the brand, as the brand says. */
export function contact(
  { notice, recallContact, website }: Pick<ShownNotice, 'notice' | 'recallContact' | 'website'>,
  reader: Reader,
): Html | null {
  const ways = [recallContact, website].filter((way) => way !== null);
  if (ways.length === 0) return null;
  return html`<p class="contact">
    ${reader.words.advice.contact(brandName(notice.brand, reader))}
    ${ways.map((way) => html`<span class="way">${linkedText(way)}</span> `)}
  </p>`;
}

export function recallsPath(asked: Partial<RecallsAsked>): string {
  const query = new URLSearchParams();
  if (asked.q !== undefined) query.set('q', asked.q);
  if (asked.brand !== undefined) query.set('brand', asked.brand);
  if (asked.lotCode !== undefined) query.set('lot_code', asked.lotCode);
  if (asked.before !== undefined) query.set('before', asked.before);
  if (asked.after !== undefined) query.set('after', asked.after);
  return query.size === 0 ? '/recalls' : `/recalls?${query.toString()}`;
}

function searchForm({ q, brand, lotCode }: RecallsAsked, { words }: Reader): Html {
  return html`<form class="ask" action="/recalls" method="get" role="search">
    ${brand === undefined ? null : html`<input type="hidden" name="brand" value="${brand}" />`}
    <label for="q">${words.recalls.search}</label>
    <div class="row">
      <input
        id="q"
        name="q"
        type="search"
        value="${q ?? lotCode}"
        maxlength="${RECALL_SEARCH_MAX}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button type="submit">${words.recalls.searchButton}</button>
    </div>
  </form>`;
}

function narrowedTo(asked: RecallsAsked, { words }: Reader): Html | null {
  const isNarrowed = [asked.q, asked.brand, asked.lotCode].some((one) => one !== undefined);
  if (!isNarrowed) return null;
  return html`<p><a href="/recalls">${words.recalls.all}</a></p>`;
}

function nothing({ q, brand, lotCode, before }: RecallsAsked, { words }: Reader): string {
  if (before !== undefined) return words.recalls.noneOlder;
  const isAsked = q !== undefined || brand !== undefined || lotCode !== undefined;
  return isAsked ? words.recalls.noneFound : words.recalls.none;
}

function pager({ older, newer }: RecallPage, asked: RecallsAsked, { words }: Reader): Html | null {
  if (older === null && newer === null) return null;
  const { q, brand, lotCode } = asked;
  const kept = { q, brand, lotCode };
  return html`<nav class="pager" aria-label="${words.recalls.pages}">
    ${
      newer === null
        ? null
        : html`<a rel="prev" href="${recallsPath({ ...kept, after: newer })}"
            >${icon('back')} ${words.recalls.newer}</a
          >`
    }
    ${
      older === null
        ? null
        : html`<a rel="next" href="${recallsPath({ ...kept, before: older })}"
            >${words.recalls.older} ${icon('next')}</a
          >`
    }
  </nav>`;
}

/** Links for programs that find feeds by the page. */
function feedLinks({ language, words }: Reader): Html {
  return html`${FEED_FORMS.map(
    ({ form, mediaType, label }) =>
      html`<link
        rel="alternate"
        type="${mediaType}"
        title="${words.recalls.title} (${label})"
        href="${feedPath(form, language)}"
      />`,
  )}`;
}
