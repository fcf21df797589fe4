// A text that people or systems wrote, with its addresses as links: web pages, mail and telephones. Everything
// else of it is escaped, and an address that could lead elsewhere than it reads stays text.
import { html, type Html } from '@lothub/kit/html';
import { LinkifyIt } from 'linkify-it';

/** Characters in which links are looked for; what is behind them is shown as it is. */
const SEARCHED_MAX = 20_000;
/** Links in one text; a longer list of addresses is shown as it is from there on. */
const LINKS_MAX = 100;
const URL_MAX = 2_000;

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Addresses that say what they are: a word with a dot in it is more often a file or a code than a host. */
const FINDER = new LinkifyIt({
  fuzzyLink: false,
  fuzzyEmail: true,
  urlAuth: true,
  maxLength: URL_MAX,
})
  .add('ftp:', null)
  .add('//', null);

/**
 * Telephone numbers as they are printed: with the code of their country (`+49 30 123456`), as free numbers
 * (`0800 123 4567`, `1-800-555-0199`), with an area (`030/1234567`) or in pairs (`01 23 45 67 89`). Digits
 * without a gap, dates and parts of codes are none.
 */
const TELEPHONES =
  /(?<![\p{L}\p{N}_.+/-])(?:tel:)?(?:\+[1-9](?:[ .()/-]{0,2}\d){6,14}|1-\d{3}-\d{3}-\d{4}|0[1-9](?:[ .]\d{2}){4}|0[1-9]\d{1,4}[ /-]\d{3,8}(?: \d{2,5}){0,3})(?![\p{L}\p{N}_]|[./-]\d)/gu;
/** Digits of a national number: fewer are a quantity or a code (ITU-T E.164 allows 15 with the country). */
const DIGITS_MIN = 8;
const DIGITS_MAX = 15;

interface Link {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

export function linkedText(text: string): Html {
  const pieces: (string | Html)[] = [];
  let shownTo = 0;
  for (const { start, end, href } of findLinks(text).slice(0, LINKS_MAX)) {
    const words = text.slice(start, end);
    pieces.push(
      text.slice(shownTo, start),
      html`<a href="${href}" rel="noopener noreferrer nofollow"><bdi>${words}</bdi></a>`,
    );
    shownTo = end;
  }
  return html`${pieces}${text.slice(shownTo)}`;
}

/** In the order of the text; none reaches into another. */
function findLinks(text: string): readonly Link[] {
  const searched = text.slice(0, SEARCHED_MAX);
  const addresses = (FINDER.match(searched) ?? []).map(({ index, lastIndex, url }) => ({
    start: index,
    end: lastIndex,
    href: findSafeHref(url),
  }));
  const telephones = [...searched.matchAll(TELEPHONES)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    href: telephoneHref(found[0]),
  }));
  const free = telephones.filter(
    (telephone) =>
      !addresses.some(({ start, end }) => telephone.start < end && start < telephone.end),
  );
  return [...addresses, ...free]
    .flatMap(({ start, end, href }) => (href === undefined ? [] : [{ start, end, href }]))
    .sort((one, other) => one.start - other.start);
}

/** Nothing with a name and a password in front of its host: `https://bank.example@elsewhere.example`. */
function findSafeHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  const isSafe = PROTOCOLS.has(protocol) && username === '' && password === '';
  return isSafe ? href : undefined;
}

function telephoneHref(words: string): string | undefined {
  const digits = words.replace(/[^\d+]/g, '');
  const count = digits.replace('+', '').length;
  return count >= DIGITS_MIN && count <= DIGITS_MAX ? `tel:${digits}` : undefined;
}
