// The text that is sent to a recipient of a case, in one language: what is recalled and why, the lots that reached
// the recipient, what to do, who to contact. Plain text, to be copied into a message.
import { LANGUAGES, isLanguage, type Language } from '@lothub/languages';
import { isHidden } from '../../../ledger/decisions/hidden-cases.ts';
import { readWording } from '../../../ledger/record/decisions/wording.ts';
import type { RecallCase } from '../../../recall/case/rows.ts';
import type { Audience } from '../../../recall/notification-status.ts';
import { hasAllLots, type LotOfRecipient } from '../../../recall/outbox/recipient-lots.ts';
import type { Quantity } from '../../../recall/trace/reach.ts';
import { chooseAdviceKind } from '../../../web/lot/verdict.ts';
import { recallPath } from '../../../web/notice.ts';
import { readerIn, type Reader } from '../../../web/words/reader.ts';

/** The language of the letter around texts that are in no language of the pages. */
const OTHERWISE: Language = 'en';
/** A longer link is cut by programs that write messages. */
const MAILTO_CHARS_MAX = 8_000;
/** As long as an address may be (RFC 5321, section 4.5.3.1). */
const ADDRESS_CHARS_MAX = 254;
const ADDRESS = /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\]+\.[^\s@<>",;:()[\]\\.]+$/u;

export interface Letter {
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
}

export interface LetterContent {
  readonly recallCase: RecallCase;
  readonly audience: Audience;
  readonly brandName: string;
  readonly recallContact: string | null;
  readonly website: string | null;
  /** Language tag of the brand's own words. */
  readonly brandLanguage: string | null;
  readonly publicUrl: string;
  /** The first of them. */
  readonly lots: readonly LotOfRecipient[];
  readonly lotsTotal: number;
  readonly quantities: readonly Quantity[];
}

/** Lists a letter for each language that the case has texts in, that of the case first. */
export function listLetters(content: LetterContent): readonly Letter[] {
  const { language, translations = {} } = readWording(content.recallCase.wording);
  const own = languageOfTag(language ?? content.brandLanguage) ?? OTHERWISE;
  const others = LANGUAGES.filter((one) => one !== own && translations[one] !== undefined);
  return [own, ...others].map((one) => letterIn(one, content));
}

function languageOfTag(tag: string | null): Language | undefined {
  const base = tag?.split('-', 1)[0]?.toLowerCase();
  return base !== undefined && isLanguage(base) ? base : undefined;
}

function letterIn(language: Language, content: LetterContent): Letter {
  const { recallCase, audience, brandName } = content;
  const reader = readerIn(language);
  const { letter: words } = reader.words.console.cases;
  const { caseNo, severity, status } = recallCase;
  const translation = readWording(recallCase.wording).translations?.[language] ?? {};
  const title = translation.title ?? recallCase.title;
  const isOfCause = audience === 'supplier' || audience === 'internal_qa';
  const contact = [content.recallContact, content.website].filter((way) => way !== null).join(', ');
  const paragraphs = [
    words.greeting,
    `${words.intro[audience](brandName)}\n${title} (${caseNo})\n${words.reason(translation.reason ?? recallCase.reason)}`,
    ...(isOfCause
      ? []
      : [
          [
            reader.words.advice.what[chooseAdviceKind({ severity, status })],
            translation.advice,
          ].filter(isText),
        ].map((sentences) => sentences.join('\n'))),
    ...lotLines(content, reader),
    words.request[audience],
    [
      ...(contact === '' ? [] : [words.contact(contact)]),
      ...(isHidden(recallCase) ? [] : [words.notice(content.publicUrl + recallPath(caseNo))]),
    ].join('\n'),
    `${words.regards}\n${brandName}`,
  ];
  return {
    language,
    subject: (isOfCause ? words.subjectOfCheck : words.subject)(oneLine(title), caseNo),
    text: paragraphs.filter((one) => one !== '').join('\n\n'),
  };
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function lotLines(content: LetterContent, { words, formats }: Reader): readonly string[] {
  const { letter } = words.console.cases;
  const { audience, lots, lotsTotal, quantities } = content;
  if (lots.length === 0) return [];
  const amounts = (some: readonly Quantity[]): string =>
    some.map(({ quantity, unit }) => formats.quantity(quantity, unit)).join(', ');
  const heading =
    audience === 'supplier'
      ? letter.lotsOfSupplier
      : audience === 'customer'
        ? letter.lotsOfYours
        : hasAllLots(audience)
          ? letter.lotsOfCase
          : letter.lots;
  const lines = lots.map((lot) => {
    const amount = amounts(lot.quantities);
    return `- ${lot.lotCode} (${lot.productSku})${amount === '' ? '' : `: ${amount}`}`;
  });
  const more = lotsTotal - lots.length;
  return [
    [
      heading,
      ...lines,
      ...(more > 0 ? [letter.more(formats.number(more))] : []),
      ...(quantities.length === 0 ? [] : [letter.inAll(amounts(quantities))]),
    ].join('\n'),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Returns whether a recipient is an e-mail address. */
export function isAddress(recipient: string): boolean {
  return recipient.length <= ADDRESS_CHARS_MAX && ADDRESS.test(recipient);
}

/**
 * Builds the link that opens a new message (RFC 6068).
 * @returns whether the link has room for the text; otherwise it has only the subject
 */
export function buildMailto(
  address: string,
  { subject, text }: Letter,
): { readonly href: string; readonly hasText: boolean } {
  const to = `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;
  const start = `${to}?subject=${encodeURIComponent(subject)}`;
  const whole = `${start}&body=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`;
  return whole.length > MAILTO_CHARS_MAX
    ? { href: start, hasText: false }
    : { href: whole, hasText: true };
}
