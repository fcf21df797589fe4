// The languages of the texts of a recall case, in its blocks and in its row.
import { canonicalize, type JsonObject } from '@lothub/chain';
import type { CaseTexts, CaseWording } from './contents.ts';
import { hasOnly, isFields, isText, mayBeText } from './members.ts';

/** The texts that a case may have in further languages. */
export const CASE_TEXTS = ['title', 'reason', 'advice'] as const;

/** Also accepts an empty wording, which a case without languages has. */
export function isWording(value: unknown): boolean {
  if (!isFields(value) || !hasOnly(value, ['language', 'translations'])) return false;
  const { language, translations } = value;
  return (
    (language === undefined || isText(language)) &&
    (translations === undefined || areTranslations(translations))
  );
}

function areTranslations(value: unknown): boolean {
  return (
    isFields(value) && Object.keys(value).length > 0 && Object.values(value).every(isTranslation)
  );
}

function isTranslation(value: unknown): boolean {
  return (
    isFields(value) &&
    Object.keys(value).length > 0 &&
    hasOnly(value, CASE_TEXTS) &&
    mayBeText(value, CASE_TEXTS)
  );
}

/** Returns the column of the case's row; null when the wording is empty. */
export function wordingText(wording: CaseWording | undefined): string | null {
  return wording === undefined || Object.keys(wording).length === 0 ? null : formatWording(wording);
}

/** Returns canonical JSON; `{}` for an empty wording. */
export function formatWording({ language, translations }: CaseWording): string {
  const texts = Object.entries(translations ?? {}).map(
    ([tag, { advice, reason, title }]): readonly [string, JsonObject] => [
      tag,
      {
        ...(advice === undefined ? {} : { advice }),
        ...(reason === undefined ? {} : { reason }),
        ...(title === undefined ? {} : { title }),
      },
    ],
  );
  return canonicalize({
    ...(language === undefined ? {} : { language }),
    ...(texts.length === 0 ? {} : { translations: Object.fromEntries(texts) }),
  });
}

/** @param text of the row, as `wordingText` made it */
export function readWording(text: string | null): CaseWording {
  return text === null ? {} : (JSON.parse(text) as CaseWording);
}

/** Returns one of the texts by further language; empty when it is in none. */
export function pickTranslations(
  { translations = {} }: Pick<CaseWording, 'translations'>,
  name: keyof CaseTexts,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(translations).flatMap(([tag, texts]) => {
      const text = texts[name];
      return text === undefined ? [] : [[tag, text]];
    }),
  );
}
