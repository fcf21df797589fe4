// Pieces that several pages are made of: times, codes, hashes, links to lots and blocks, verdicts.
import { icon } from '@lothub/design/icons';
import { html, type Html } from '@lothub/kit/html';
import { lotPath } from '../lots/lot-path.ts';
import { chooseName, chooseText } from '../lots/profiles/language.ts';
import type { ChosenText, TextInLanguages } from '../lots/profiles/language.ts';
import type { InLanguages } from '../lots/profiles/brand-texts.ts';
import type { Names } from '../lots/profiles/names.ts';
import type { Reader } from './words/reader.ts';

export { lotPath };

/** Maximum length of a lot code. */
export const LOT_CODE_MAX = 100;
/** Maximum length of a tenant id. */
export const BRAND_MAX = 64;

/**
 * Writes an instant in the time zone of the place, in the reader's format; in UTC if the zone is
 * unknown.
 */
export function time(instant: string, { formats }: Reader, timeZone?: string): Html {
  return html`<time datetime="${instant}">${formats.instant(instant, timeZone)}</time>`;
}

/**
 * Writes an instant of a computer in UTC. A browser that runs modules shows it in the reader's own
 * time.
 */
export function readersTime(instant: string, { formats }: Reader): Html {
  return html`<time datetime="${instant}" data-local="1">${formats.instant(instant)}</time>`;
}

/** A code that a tenant chose. The stylesheet isolates its direction of writing from what follows. */
export function code(text: string): Html {
  return html`<code>${text}</code>`;
}

/**
 * Writes the name of a product in a language of the reader, with its SKU; without a name only the
 * SKU.
 */
export function product(sku: string, names: Names | undefined, reader: Reader): Html {
  if (names === undefined) return code(sku);
  return html`${productName(sku, names, reader)} <small>${code(sku)}</small>`;
}

/** Writes the name of a product without its SKU. */
export function productName(sku: string, names: Names | undefined, { languages }: Reader): Html {
  if (names === undefined) return code(sku);
  const { language, name } = chooseName(names, languages);
  return html`<bdi lang="${language}">${name}</bdi>`;
}

/** Does the same as `productName` for a heading: adds the language when it is not the reader's. */
export function productHeading(sku: string, names: Names | undefined, reader: Reader): Html {
  if (names === undefined) return code(sku);
  const { language, name } = chooseName(names, reader.languages);
  return html`${chosenText({ text: name, language })}${languageMark({ language }, reader)}`;
}

/**
 * Writes a text of the brand in a language of the reader if there is one; otherwise adds the name
 * of its language, if that is known.
 */
export function brandsText(given: TextInLanguages, reader: Reader): Html {
  const chosen = chooseText(given, reader.languages);
  return html`${chosenText(chosen)}${languageMark(chosen, reader)}`;
}

export function chosenText({ text, language }: ChosenText): Html {
  return html`<bdi lang="${language ?? ''}">${text}</bdi>`;
}

/** The name of a language that is not the page's own. */
export function languageMark({ language }: Pick<ChosenText, 'language'>, reader: Reader) {
  if (language === undefined || toBase(language) === reader.language) return null;
  return html` <small class="muted">(${reader.formats.languageName(language)})</small>`;
}

function toBase(tag: string): string {
  return new Intl.Locale(tag).language;
}

/** Writes the name of a brand in a language of the reader. */
export function brandName(brand: NameInLanguages, reader: Reader): Html {
  const { text, language } = chooseText(nameIn(brand), reader.languages);
  return language === undefined
    ? html`<bdi>${text}</bdi>`
    : html`<bdi lang="${language}">${text}</bdi>`;
}

/** A name as answers show it. */
export interface NameInLanguages extends InLanguages {
  readonly name: string;
}

export function nameIn({ name, language, names = {} }: NameInLanguages): TextInLanguages {
  return { text: name, language, translations: names };
}

/** `a, b and c`, of pieces of a page. */
export function listed(items: readonly Html[], { formats }: Reader): Html {
  return html`${formats.listParts(items)}`;
}

/** Writes the name of a place; without a name the code that its events have. */
export function placeName(
  location: string,
  names: NameInLanguages | undefined,
  reader: Reader,
): Html {
  return names === undefined ? html`<bdi>${location}</bdi>` : brandName(names, reader);
}

/** Writes the name of a place with the code that its events have; without a name only the code. */
export function place(location: string, names: NameInLanguages | undefined, reader: Reader): Html {
  const name = placeName(location, names, reader);
  return names === undefined ? name : html`${name} <small>${code(location)}</small>`;
}

/** Writes a hash with all its digits, so that readers can compare it. */
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

/** Writes a verdict: the words say the same as its colour and icon. */
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

/** Content that is closed until it is opened. */
export function fold(folded: {
  readonly icon: Html;
  readonly heading: string;
  readonly content: Html;
}): Html {
  return html`<details class="fold">
    <summary>
      ${folded.icon}
      <h2>${folded.heading}</h2>
    </summary>
    <div>${folded.content}</div>
  </details>`;
}
