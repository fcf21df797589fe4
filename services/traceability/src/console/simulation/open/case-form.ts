// What is typed into the form of a new case, and the request that it makes: the same as programs send, judged by
// the same rules.
import { TICKED } from '@lothub/design/desk-parts';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { toFieldProblems, type FieldProblem } from '@lothub/kit/http/field-problems';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { LANGUAGES, type Language } from '@lothub/languages';
import { fieldsProblem } from '@lothub/people/errors';
import type { CaseOpening } from '../../../recall/case/open-case.ts';
import { CaseRequestSchema } from '../../../recall/case/schema.ts';
import type { Words } from '../../../web/words/reader.ts';

export type CaseFormRequest = CaseOpening['request'];

/** The texts that a further language may have. */
export const TRANSLATED = ['title', 'reason', 'advice'] as const;

/** Name of the field of a text in another language. Names of fields have no dot. */
export function translatedName(language: Language, text: (typeof TRANSLATED)[number]): string {
  return `${language}_${text}`;
}

const checkCase = compileValueSchema<CaseFormRequest>(Type.Omit(CaseRequestSchema, ['opened_by']));

/**
 * @throws PeopleProblem `fields_invalid`, by the names of the form
 */
export function readCaseForm(values: FormValues): CaseFormRequest {
  const text = (name: string): string | undefined => {
    // Forms send line breaks as CRLF.
    return textOrNothing(values[name])?.replaceAll('\r\n', '\n').trim();
  };
  const language = text('language');
  const main = mainLanguage(values);
  const translations = Object.fromEntries(
    LANGUAGES.flatMap((one) => {
      const texts =
        one === main
          ? { advice: text('advice') }
          : Object.fromEntries(TRANSLATED.map((name) => [name, text(translatedName(one, name))]));
      const given = Object.entries(texts).filter(([, value]) => value !== undefined);
      return given.length === 0 ? [] : [[one, Object.fromEntries(given)] as const];
    }),
  );
  const supplierName = text('supplier_name');
  const checked = checkCase({
    seed_lot_code: text('lot_code') ?? '',
    ...(supplierName === undefined ? {} : { supplier_name: supplierName }),
    direction: text('direction') ?? 'both',
    title: text('title') ?? '',
    reason: text('reason') ?? '',
    severity: text('severity'),
    ...(language === undefined ? {} : { language }),
    ...(Object.keys(translations).length === 0 ? {} : { translations }),
    auto_hold: values['auto_hold'] === TICKED,
    confidential: values['confidential'] === TICKED,
  });
  if (checked.kind === 'valid') return checked.value;
  throw fieldsProblem(toFieldProblems(checked.errors, 'body').map(inForm));
}

/** Returns the language of title and reason, if pages have this language. */
function mainLanguage(values: FormValues): Language | undefined {
  const language = textOrNothing(values['language']);
  const base = language?.split('-', 1)[0]?.toLowerCase();
  return LANGUAGES.find((one) => one === base);
}

/**
 * Finds texts of a form in a language that they cannot have, and returns the errors by field. The rules of a
 * case do not know the fields of the form.
 */
export function findMisplaced(
  values: FormValues,
  words: Pick<Words['console']['opening'], 'sameLanguage' | 'adviceLanguage'>,
): Readonly<Record<string, string>> {
  const main = mainLanguage(values);
  if (main === undefined) {
    return textOrNothing(values['advice']) === undefined ? {} : { advice: words.adviceLanguage };
  }
  return Object.fromEntries(
    TRANSLATED.map((one) => translatedName(main, one))
      .filter((name) => textOrNothing(values[name]) !== undefined)
      .map((name) => [name, words.sameLanguage]),
  );
}

/** `/translations/de/title` as `/de_title`. */
function inForm(problem: FieldProblem): FieldProblem {
  const pointer = problem.pointer.replace(/^\/translations\/([a-z]+)\/([a-z]+)$/, '/$1_$2');
  return { ...problem, pointer };
}
