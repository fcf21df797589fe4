// Searches recalls by a text: words of the product, the brand and the title, a GTIN, a lot code.
// Decides whether a notice matches. Pure.
import { pickTranslations } from '../../ledger/record/decisions/wording.ts';
import { codeVariants } from '../../ledger/record/code-text.ts';
import { readGtin } from '../profiles/gs1.ts';
import type { ShownNotice } from './notices.ts';

/** Maximum number of characters of a text to search. */
export const RECALL_SEARCH_MAX = 200;
/** Maximum number of words that are compared; people enter fewer. */
const WORDS_MAX = 20;

export interface RecallSearch {
  /** Words that the texts of a notice must contain; folded. */
  readonly words: readonly string[];
  /** 14 digits, when it is a GTIN. */
  readonly gtin: string | undefined;
  /** Possible codes of lots, the typed one first. */
  readonly lotCodes: readonly string[];
}

/** Undefined of a text without a letter or digit: it says nothing. */
export function readSearch(text: string): RecallSearch | undefined {
  const words = fold(text)
    .split(NO_WORD)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
  if (words.length === 0) return undefined;
  const lotCode = text.trim();
  const gtin = readGtin(lotCode.replaceAll(/[ -]/g, ''));
  return {
    words,
    gtin: typeof gtin === 'string' ? gtin : undefined,
    lotCodes: [lotCode, ...codeVariants(lotCode)],
  };
}

/** @param caseIds of cases that cover a lot of one of the codes */
export function isFound(
  shown: ShownNotice,
  search: RecallSearch,
  caseIds: ReadonlySet<number>,
): boolean {
  if (caseIds.has(shown.caseId) || search.lotCodes.includes(shown.notice.lot_code)) return true;
  const { gtin } = search;
  if (gtin !== undefined && shown.products.some((product) => isSameGtin(product.gtin, gtin)))
    return true;
  const texts = fold(listTexts(shown).join('\n'));
  return search.words.every((word) => texts.includes(word));
}

function listTexts({ notice, products }: ShownNotice): readonly string[] {
  return [
    notice.title,
    ...Object.values(pickTranslations(notice, 'title')),
    notice.brand.name,
    ...Object.values(notice.brand.names ?? {}),
    notice.brand.id,
    notice.case_no,
    ...notice.product_skus,
    ...products.flatMap(({ names }) => Object.values(names)),
  ];
}

function isSameGtin(claimed: string | null, gtin: string): boolean {
  return claimed !== null && readGtin(claimed) === gtin;
}

/**
 * The characters between words: neither letters nor digits, and no part of a code such as
 * `RYE-750`.
 */
const NO_WORD = /[^\p{L}\p{N}_.\-/]+/u;

/** Removes accents and case: `Müsli`, `MUSLI` and `müsli` are one; `ß` is `ss`. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase();
}
