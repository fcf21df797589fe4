// Makes the recalls of a feed in any form: the content of each entry, and the id by which readers
// recognise it. Pure.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { html, type Html } from '@lothub/kit/html';
import { chooseName, chooseText, type ChosenText } from '../../lots/profiles/language.ts';
import type { ShownNotice } from '../../lots/notices/notices.ts';
import { lotPath } from '../../lots/lot-path.ts';
import { CANCELLED } from '../../terms.ts';
import { caseStatusWords, severityWords } from '../labels.ts';
import { nameIn } from '../fragments.ts';
import { adviceWords, findBrandsAdvice, pickReason, pickTitle, recallPath } from '../notice.ts';
import type { Reader } from '../words/reader.ts';

/** Lots and products that an entry names; its page has all. */
const NAMED_MAX = 10;

export interface FeedHub {
  readonly hubName: string;
  /** The public address, without a slash at the end. */
  readonly publicUrl: string;
  /** Name of the chain: the same wherever the hub is served. */
  readonly chainId: string;
}

export interface FeedEntry {
  /** A URN that never changes, whatever happens to the case or the address of the hub. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** The language tag of the brand's words in the title; undefined while it is not set. */
  readonly titleLanguage: string | undefined;
  /** The advice in one sentence. */
  readonly summary: string;
  readonly content: Html;
  readonly brand: { readonly name: string; readonly website: string | null };
  readonly pictureUrl: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: string;
  readonly updatedAt: string;
}

export interface Feed {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly language: string;
  readonly homeUrl: string;
  readonly feedUrl: string;
  readonly nextUrl: string | null;
  /** The time of the entry that changed last. */
  readonly updatedAt: string;
  readonly entries: readonly FeedEntry[];
}

export function buildFeedEntry(shown: ShownNotice, hub: FeedHub, reader: Reader): FeedEntry {
  const { notice, endedAt, website, products } = shown;
  const { severity, status } = notice;
  const words = reader.words.recalls;
  const title = chooseText(pickTitle(notice), reader.languages);
  const ended =
    endedAt === null ? '' : `${status === CANCELLED ? words.cancelledBadge : words.endedBadge}: `;
  return {
    id: computeUuid(`${hub.chainId} ${notice.case_no}`),
    url: hub.publicUrl + recallPath(notice.case_no),
    title: `${ended}${title.text}`,
    // The words before the title are in the language of the feed.
    titleLanguage: ended === '' || title.language === reader.language ? title.language : undefined,
    summary: status === CANCELLED ? words.cancelledBadge : adviceWords(notice, reader),
    content: renderContent(shown, hub, reader),
    brand: { name: chooseText(nameIn(notice.brand), reader.languages).text, website },
    pictureUrl: products.find((product) => product.picture_url !== null)?.picture_url ?? null,
    tags: [severityWords(severity, reader), caseStatusWords(status, reader)],
    publishedAt: notice.opened_at,
    updatedAt: notice.updated_at,
  };
}

function renderContent(
  { notice, endedAt, recallContact, website }: ShownNotice,
  hub: FeedHub,
  reader: Reader,
): Html {
  const words = reader.words.recalls;
  const { formats } = reader;
  const names = new Map((notice.products ?? []).map((product) => [product.sku, product.names]));
  const skus = notice.product_skus.slice(0, NAMED_MAX).map((sku) => {
    const named = names.get(sku);
    return named === undefined ? sku : `${chooseName(named, reader.languages).name} (${sku})`;
  });
  const codes = notice.lot_codes.slice(0, NAMED_MAX);
  const links = codes.map(
    (lotCode, index) =>
      html`${index === 0 ? null : ', '}<a
          href="${hub.publicUrl}${lotPath(lotCode, notice.brand.id)}"
          >${lotCode}</a
        >`,
  );
  const more = notice.lots_total - codes.length;
  const ways = [recallContact, website].filter((way) => way !== null).join(', ');
  const brand = inItsLanguage(chooseText(nameIn(notice.brand), reader.languages));
  const advice = findBrandsAdvice(notice, reader);
  const ended = endedWords(notice.status, endedAt, reader);
  return html`${ended === null ? null : html`<p>${ended}</p>`}
    <p>
      <strong>${adviceWords(notice, reader)}</strong>
      ${reader.words.advice.giveBack(brand)}
    </p>
    ${advice === undefined ? null : html`<p>${inItsLanguage(advice)}</p>`}
    ${ways === '' ? null : html`<p>${reader.words.advice.contact(brand)} ${ways}</p>`}
    <p>${words.reason}: ${inItsLanguage(chooseText(pickReason(notice), reader.languages))}</p>
    <p>${words.products}: ${skus.length === 0 ? words.noLots : skus.join(', ')}</p>
    <p>
      ${words.lots}: ${links.length === 0 ? words.noLots : links}
      ${more > 0 ? words.more(formats.number(more)) : null}
    </p>`;
}

/** Words of the brand in the text of an entry. */
function inItsLanguage({ text, language }: ChosenText): Html {
  return language === undefined ? html`${text}` : html`<span lang="${language}">${text}</span>`;
}

function endedWords(status: string, endedAt: string | null, { words, formats }: Reader) {
  if (endedAt === null) return null;
  const at = formats.date(endedAt);
  return status === CANCELLED
    ? words.recalls.cancelled(at)
    : html`${words.recalls.endedBadge}: ${at}. ${words.recalls.endedAdvice}`;
}

/** The id of the feed itself, the same in each form and language. */
export function buildFeedId(hub: Pick<FeedHub, 'chainId'>): string {
  return computeUuid(`${hub.chainId} recalls`);
}

/** A UUID of version 8 (RFC 9562, section 5.8) that only this name has. */
function computeUuid(name: string): string {
  const digits = sha256Hex(name);
  // The four bits of the version and the two of the variant take the place of some of the hash.
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
