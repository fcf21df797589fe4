// What is wrong with the fields of a request, as problem answers say it (RFC 9457): where, which rule, what
// would be right and what was counted; and how a JSON schema's refusals translate into it. What was sent is
// never repeated.
import { FIELD_ERRORS_MAX, TEXT_PATTERN, pointerPart, shownName } from './field-errors.ts';
import type { SchemaError } from './field-errors.ts';
import type { RequestPart } from './http-failures.ts';

/** What is wrong with one field; never what was sent in it. */
export interface FieldProblem {
  /** RFC 6901, into the body: `/title`; or `query:limit`, `path:seq`, `header:idempotency-key`. */
  readonly pointer: string;
  readonly code: FieldCode;
  /** What is right, in the unit of the rule; null when there is none. */
  readonly limit: number | string | null;
  /** What was counted; null when nothing was. */
  readonly actual: number | string | null;
}

export type FieldCode =
  | 'required'
  | 'unknown'
  | 'wrong_type'
  | 'not_one_of'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'too_many'
  | 'blank'
  | 'text_refused'
  /** A new password that is easy to guess. */
  | 'guessable'
  | 'wrong_form';

/** The sentence is for people; the list of problems has them all. */
const PLACES_NAMED_MAX = 5;

/** What a refusal says of all that is wrong. */
export function fieldsSentence(fields: readonly FieldProblem[]): string {
  const places = [...new Set(fields.map(({ pointer }) => (pointer === '' ? 'the body' : pointer)))];
  const named = places.slice(0, PLACES_NAMED_MAX).join(', ');
  const more = places.length > PLACES_NAMED_MAX ? ' and more' : '';
  return `Wrong: ${named}${more}; \`errors\` says how`;
}

/**
 * Text that shows something. Refused are texts of nothing but white space (White_Space), control
 * characters (Cc), formatting characters (Cf) and what fonts show nothing for: Default_Ignorable_Code_Point
 * (zero-width and variation selectors, Hangul fillers), BRAILLE PATTERN BLANK, the Egyptian and Khitan
 * blanks and MUSICAL SYMBOL NULL NOTEHEAD. The formatting characters of the last bracket are drawn (such
 * as ARABIC NUMBER SIGN). The empty text is left to `minLength`.
 */
export const VISIBLE_PATTERN =
  '^$' +
  '|[^\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\p{Cs}' +
  '\\u2800\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}]' +
  '|[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]';

/** All of them, up to as many as one answer names. */
export function toFieldProblems(
  errors: readonly SchemaError[],
  part: RequestPart,
): readonly FieldProblem[] {
  return errors.slice(0, FIELD_ERRORS_MAX).map((error) => toFieldProblem(error, part));
}

function toFieldProblem(error: SchemaError, part: RequestPart): FieldProblem {
  const { instancePath, params, data } = error;
  const at = (code: FieldCode, limit: FieldProblem['limit'], actual: FieldProblem['actual']) => ({
    pointer: buildPointer(part, instancePath),
    code,
    limit,
    actual,
  });
  const limit = toNumber(params['limit']);
  switch (error.keyword) {
    case 'required':
      return member(error, part, { name: params['missingProperty'], code: 'required' });
    case 'additionalProperties':
      return member(error, part, { name: params['additionalProperty'], code: 'unknown' });
    case 'type':
      return at('wrong_type', typeNames(params['type']), nameType(data));
    case 'enum':
      return at('not_one_of', joinValues(params['allowedValues']), null);
    case 'const':
      return at('not_one_of', joinValues([params['allowedValue']]), null);
    case 'minLength':
      return at('too_short', limit, codePoints(data));
    case 'maxLength':
      return at('too_long', limit, codePoints(data));
    case 'minItems':
      return at('too_short', limit, countItems(data));
    case 'maxItems':
      return at('too_many', limit, countItems(data));
    case 'minimum':
    case 'exclusiveMinimum':
      return at('too_small', limit, null);
    case 'maximum':
    case 'exclusiveMaximum':
      return at('too_large', limit, null);
    case 'pattern':
      return at(codeOfPattern(params['pattern']), null, null);
    case 'format':
      return at('wrong_form', String(params['format']), null);
    default:
      return at('wrong_form', null, null);
  }
}

function member(
  { instancePath }: SchemaError,
  part: RequestPart,
  { name, code }: { readonly name: unknown; readonly code: FieldCode },
): FieldProblem {
  const escaped = pointerPart(shownName(String(name)));
  return {
    pointer: buildPointer(part, `${instancePath}/${escaped}`),
    code,
    limit: null,
    actual: null,
  };
}

/** RFC 6901 into the body; other parts have one level, and their name in front. */
function buildPointer(part: RequestPart, path: string): string {
  return part === 'body' ? path : `${part}:${path.slice(1)}`;
}

function codeOfPattern(pattern: unknown): FieldCode {
  if (pattern === TEXT_PATTERN) return 'text_refused';
  return pattern === VISIBLE_PATTERN ? 'blank' : 'wrong_form';
}

/** Unicode code points: JavaScript's own length counts UTF-16 units. */
export function codePoints(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function countItems(list: unknown): number | null {
  return Array.isArray(list) ? list.length : null;
}

function toNumber(limit: unknown): number | null {
  return typeof limit === 'number' ? limit : null;
}

function typeNames(type: unknown): string {
  return Array.isArray(type) ? type.join(', ') : String(type);
}

function joinValues(values: unknown): string {
  return Array.isArray(values) ? values.join(', ') : '';
}

function nameType(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
