// Reads which languages a case has after a request.
import { FieldsRefusal } from '../../errors.ts';
import type { CaseTexts, CaseWording } from '../../ledger/record/decisions/contents.ts';
import { NO_TAG, findCanonicalTag } from '../../lots/profiles/language-tag.ts';
import type { SentTranslations } from './wording-schema.ts';

export interface SentWording {
  /** Null: that of the brand. */
  readonly language?: string | null | undefined;
  readonly translations?: SentTranslations | null | undefined;
}

/**
 * Returns the wording after a request; parts that are not sent stay unchanged. @throws
 * FieldsRefusal
 */
export function wordingAfter(before: CaseWording, sent: SentWording): CaseWording {
  const language =
    sent.language === undefined ? before.language : (readLanguage(sent.language) ?? undefined);
  const translations =
    sent.translations === undefined ? before.translations : filled(sent.translations ?? {});
  return {
    ...(language === undefined ? {} : { language }),
    ...(translations === undefined ? {} : { translations }),
  };
}

/** @throws FieldsRefusal */
function readLanguage(sent: string | null): string | null {
  if (sent === null) return null;
  const tag = findCanonicalTag(sent);
  if (tag !== undefined) return tag;
  throw FieldsRefusal.of(['body', 'language'], `Text ${NO_TAG}`, 'language_tag');
}

/** An empty object is the same as an absent one. */
function filled(sent: SentTranslations): CaseWording['translations'] {
  const texts: Readonly<Record<string, CaseTexts>> = sent;
  return Object.keys(texts).length === 0 ? undefined : texts;
}
