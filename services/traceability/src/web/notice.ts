// Makes a recall notice for consumers: the recalled product, the advice, the reason; on the page of
// a lot, and on the pages of recalls.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import type { Notice } from '../lots/notices/schema.ts';
import type { CaseTexts } from '../ledger/record/decisions/contents.ts';
import { pickTranslations } from '../ledger/record/decisions/wording.ts';
import { chooseName, type ChosenText, type TextInLanguages } from '../lots/profiles/language.ts';
import {
  brandName,
  brandsText,
  chosenText,
  languageMark,
  lotLink,
  product,
  time,
} from './fragments.ts';
import { caseStatusWords, severityWords } from './labels.ts';
import { chooseAdviceKind } from './lot/verdict.ts';
import type { Reader } from './words/reader.ts';

/** Codes shown of one notice; its own page has all lots. */
const CODES_SHOWN_MAX = 10;

export function recallPath(caseNo: string): string {
  return `/recalls/${encodeURIComponent(caseNo)}`;
}

export function brandRecallsPath(brand: string): string {
  return `/recalls?${new URLSearchParams({ brand }).toString()}`;
}

/**
 * Makes one notice, with a heading that leads to its own page.
 * @param buildPath makes the path of that page; a notice that is not public yet has another link
 */
export function noticeArticle(notice: Notice, reader: Reader, buildPath = recallPath): Html {
  const words = reader.words.recalls;
  return html`<article class="notice bad">
    ${icon('critical')}
    <div>
      <h3>
        ${words.recall}:
        <a href="${buildPath(notice.case_no)}">${noticeTitle(notice, reader)}</a>
      </h3>
      ${noticeFacts(notice, reader, buildPath)}
    </div>
  </article>`;
}

/** Writes the facts of a notice, in the order in which a consumer needs them. */
export function noticeFacts(notice: Notice, reader: Reader, buildPath = recallPath): Html {
  const { brand } = notice;
  const words = reader.words.recalls;
  return html`<p class="advice"><strong>${adviceWords(notice, reader)}</strong></p>
    <p>${reader.words.advice.giveBack(brandName(brand, reader))}</p>
    ${brandsAdvice(notice, reader)}
    <dl class="facts">
      <dt>${words.reason}</dt>
      <dd>${noticeReason(notice, reader)} <small class="muted">(${words.brandsWords})</small></dd>
      <dt>${words.brand}</dt>
      <dd>
        <a href="${brandRecallsPath(brand.id)}">${brandName(brand, reader)}</a>
      </dd>
      <dt>${words.products}</dt>
      <dd>${products(notice, reader)}</dd>
      <dt>${words.lots}</dt>
      <dd>
        ${lots(notice.lot_codes.slice(0, CODES_SHOWN_MAX), brand.id, reader)}
        ${
          notice.lots_total > CODES_SHOWN_MAX
            ? html`<a href="${buildPath(notice.case_no)}"
                >${words.more(reader.formats.number(notice.lots_total - CODES_SHOWN_MAX))}</a
              >`
            : null
        }
      </dd>
      <dt>${words.severity}</dt>
      <dd>${severityWords(notice.severity, reader)}</dd>
      <dt>${words.status}</dt>
      <dd>${caseStatusWords(notice.status, reader)}</dd>
      <dt>${words.case}</dt>
      <dd>${notice.case_no}, ${words.since(time(notice.opened_at, reader))}</dd>
    </dl>`;
}

/** Writes the advice in one sentence of the reader's language; programs get that of `chooseAdvice`. */
export function adviceWords(notice: Notice, { words }: Reader): string {
  return words.advice.what[chooseAdviceKind(notice)];
}

export function noticeTitle(notice: Notice, reader: Reader): Html {
  return brandsText(pickTitle(notice), reader);
}

export function noticeReason(notice: Notice, reader: Reader): Html {
  return brandsText(pickReason(notice), reader);
}

export function pickTitle(notice: Notice): TextInLanguages {
  return { text: notice.title, ...inOthers(notice, 'title') };
}

export function pickReason(notice: Notice): TextInLanguages {
  return { text: notice.reason, ...inOthers(notice, 'reason') };
}

function inOthers(notice: Notice, name: keyof CaseTexts) {
  return { language: notice.language, translations: pickTranslations(notice, name) };
}

/** Finds the brand's own advice to consumers; undefined when there is only the sentence for all. */
export function findBrandsAdvice(notice: Notice, { languages }: Reader): ChosenText | undefined {
  const texts = pickTranslations(notice, 'advice');
  if (Object.keys(texts).length === 0) return undefined;
  const { language } = notice;
  const preferred = language === undefined ? languages : [...languages, language.toLowerCase()];
  const { name, language: found } = chooseName(texts, preferred);
  return { text: name, language: found };
}

export function brandsAdvice(notice: Notice, reader: Reader): Html | null {
  const advice = findBrandsAdvice(notice, reader);
  if (advice === undefined) return null;
  const { brandsWords } = reader.words.recalls;
  return html`<p>
    ${chosenText(advice)}${languageMark(advice, reader)}
    <small class="muted">(${brandsWords})</small>
  </p>`;
}

/** Writes codes of lots, each with a link to the page of the lot. */
export function lots(lotCodes: readonly string[], brand: string, { words }: Reader): Html {
  if (lotCodes.length === 0) return html`${words.recalls.noLots}`;
  return html`${lotCodes.map(
    (lotCode, index) => html`${index === 0 ? null : ', '}${lotLink(lotCode, brand)}`,
  )}`;
}

/** Writes the names of the first products of a notice. */
export function products(notice: Notice, reader: Reader): Html {
  const { product_skus: skus, products_total: total, products: profiles = [] } = notice;
  const names = new Map(profiles.map((one) => [one.sku, one.names]));
  const shown = skus.slice(0, CODES_SHOWN_MAX);
  const more = total - shown.length;
  return html`${shown.map(
    (sku, index) => html`${index === 0 ? null : ', '}${product(sku, names.get(sku), reader)}`,
  )}${more > 0 ? ` ${reader.words.recalls.more(reader.formats.number(more))}` : null}`;
}
