// The schema of the languages of a case in requests.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import { LANGUAGES, type Language } from '@lothub/languages';
import { optionalText } from '../../http.ts';
import type { CaseTexts } from '../../ledger/record/decisions/contents.ts';
import { TAG_CHARS_MAX } from '../../lots/profiles/language-tag.ts';
import { CASE_ADVICE_MAX, CASE_REASON_MAX, CASE_TITLE_MAX } from './text-limits.ts';

/** The texts as a request sends them. */
export type SentTranslations = Partial<Record<Language, CaseTexts>>;

const buildTextSchema = (maxLength: number) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: TEXT_PATTERN,
});

const TEXTS = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    title: buildTextSchema(CASE_TITLE_MAX),
    reason: buildTextSchema(CASE_REASON_MAX),
    advice: {
      ...buildTextSchema(CASE_ADVICE_MAX),
      description:
        'What consumers should do; shown behind the sentence that follows from `severity`',
    },
  },
};

export const WORDING_INPUT = {
  language: optionalText(
    TAG_CHARS_MAX,
    'Language tag (BCP 47) of `title` and `reason`; null: that of the brand',
    'en',
  ),
  translations: Type.Optional(
    Type.Unsafe<SentTranslations | null>({
      type: ['object', 'null'],
      additionalProperties: false,
      properties: Object.fromEntries(LANGUAGES.map((language) => [language, TEXTS])),
      description:
        'Public texts in the languages that pages are in, each optional; takes the place of all that ' +
        'were there',
      examples: [{ de: { title: 'Metall im Roggenbrot', advice: 'Bringen Sie das Brot zurück' } }],
    }),
  ),
};
