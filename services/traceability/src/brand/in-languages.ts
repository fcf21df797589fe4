// The language of a name, and the name in others, as they are sent.
import { canonicalize } from '@lothub/chain';
import { FieldsRefusal } from '../errors.ts';
import { NO_TAG, findCanonicalTag } from '../lots/profiles/language-tag.ts';
import type { LanguageRow } from '../lots/profiles/brand-texts.ts';

/** As it is sent: null takes it back. */
export interface SentInLanguages {
  readonly language?: string | null | undefined;
  readonly names?: Readonly<Record<string, string>> | null | undefined;
}

/** As rows keep it; what was not sent is absent. @throws FieldsRefusal */
export function readInLanguages({ language, names }: SentInLanguages): Partial<LanguageRow> {
  return {
    ...(language === undefined ? {} : { language: language && readLanguage(language) }),
    ...(names === undefined ? {} : { names: names && readNames(names) }),
  };
}

/** @throws FieldsRefusal */
function readLanguage(sent: string): string {
  const tag = findCanonicalTag(sent);
  if (tag !== undefined) return tag;
  throw FieldsRefusal.of(['body', 'language'], `Text ${NO_TAG}`, 'language_tag');
}

/** None is as null. */
function readNames(names: Readonly<Record<string, string>>): string | null {
  return Object.keys(names).length === 0 ? null : canonicalize(names);
}
