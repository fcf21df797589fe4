// The pages of recall notices for consumers: all that are open, newest first, and one with all its lots.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { LogStanding } from '../log/standing.ts';
import type { NoticeDetail, NoticeHistory } from '../lots/notices/schema.ts';
import type { NoticePage } from '../lots/notices/notices.ts';
import { stepSections } from './case-steps.ts';
import { BRAND_MAX, LOT_CODE_MAX } from './fragments.ts';
import type { Languages } from './fragments.ts';
import type { Page } from './layout.ts';
import { logModule } from './log-words.ts';
import { lots, noticeArticle, noticeFacts, recallPath } from './notice.ts';

export interface RecallsAsked {
  /** Only notices of this brand. */
  readonly brand: string | undefined;
  /** Only notices that cover a lot of this code. */
  readonly lotCode: string | undefined;
  /** Only cases before this one. */
  readonly before: string | undefined;
}

export function recallsPage(
  { notices, next }: NoticePage,
  asked: RecallsAsked,
  languages: Languages,
): Page {
  return {
    title: 'Recalls',
    body: html`
      <h1>Open recalls</h1>
      ${filterForm(asked)} ${narrowedTo(asked)}
      <section class="notices" aria-labelledby="notices">
        <h2 id="notices">Recall notices, newest first</h2>
        ${
          notices.length === 0
            ? html`<p>${nothing(asked)}</p>`
            : notices.map((notice) => noticeArticle(notice, languages))
        }
      </section>
      ${
        next === null
          ? null
          : html`<nav class="beside" aria-label="More notices">
              <a href="${recallsPath({ ...asked, before: next })}">Older notices</a>
            </nav>`
      }
    `,
  };
}

/** What the page of a case says besides its notice. */
export interface CaseSteps {
  readonly history: NoticeHistory;
  /** Of the newest block of these steps. */
  readonly standing: LogStanding;
}

/** A page of the lots of one notice, and of the steps of its case. */
export function recallPage(
  notice: NoticeDetail,
  { history, standing }: CaseSteps,
  languages: Languages,
): Page {
  const { next } = notice;
  const more = next === null ? '' : new URLSearchParams({ after: next }).toString();
  const laterSteps = history.next === null ? null : `steps_after=${history.next}`;
  return {
    title: `Recall ${notice.case_no}`,
    ...logModule(standing),
    body: html`
      <h1><span class="icon" aria-hidden="true">!</span> Recall: <bdi>${notice.title}</bdi></h1>
      <div class="notice">${noticeFacts(notice, languages)}</div>
      <section aria-labelledby="lots">
        <h2 id="lots">Lots</h2>
        <p>
          ${notice.lots_total === 1 ? 'One lot is' : `${notice.lots_total} lots are`} covered now.
          Lots can still be added: look your own up.
        </p>
        <p class="codes">${lots(notice.lot_codes, notice.brand.id)}</p>
      </section>
      ${stepSections(history, {
        standing,
        morePath: laterSteps === null ? null : `${recallPath(notice.case_no)}?${laterSteps}`,
      })}
      <nav class="beside" aria-label="More">
        ${more === '' ? null : html`<a href="${recallPath(notice.case_no)}?${more}">More lots</a>`}
        <a href="/recalls">All open recalls</a>
      </nav>
    `,
  };
}

export function recallsPath(asked: Partial<RecallsAsked>): string {
  const query = new URLSearchParams();
  if (asked.brand !== undefined) query.set('brand', asked.brand);
  if (asked.lotCode !== undefined) query.set('lot_code', asked.lotCode);
  if (asked.before !== undefined) query.set('before', asked.before);
  return query.size === 0 ? '/recalls' : `/recalls?${query.toString()}`;
}

function filterForm({ brand, lotCode }: RecallsAsked): Html {
  return html`<form class="ask" action="/recalls" method="get" role="search">
    <label for="lot_code">Lot code, as printed on the product</label>
    <div class="field">
      <input
        id="lot_code"
        name="lot_code"
        value="${lotCode}"
        maxlength="${LOT_CODE_MAX}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
    </div>
    <label for="brand">Brand, by its id on this hub</label>
    <div class="field">
      <input
        id="brand"
        name="brand"
        value="${brand}"
        maxlength="${BRAND_MAX}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button type="submit">Show recalls</button>
    </div>
  </form>`;
}

function narrowedTo(asked: RecallsAsked): Html | null {
  if (asked.brand === undefined && asked.lotCode === undefined && asked.before === undefined) {
    return null;
  }
  return html`<p><a href="/recalls">Show all open recalls</a></p>`;
}

function nothing({ brand, lotCode, before }: RecallsAsked): string {
  if (before !== undefined) return 'There are no older notices.';
  if (brand === undefined && lotCode === undefined) return 'There is no open recall notice.';
  return 'There is no open recall notice for what you look for. Check the spelling.';
}
