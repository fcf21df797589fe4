// What is wrong with a request, field by field, in the vocabulary of docs/errors.md#fields; and how the
// errors of the JSON schema validator translate into it. Never echoes what was sent.

import { INEXACT_VALUE } from '../number-literal.ts';

/** One path part is a field name or an index. */
export type Loc = readonly (string | number)[];

export interface FieldError {
  readonly loc: Loc;
  readonly msg: string;
  readonly type: string;
}

/** Errors named in one answer; a hostile body could otherwise make an answer of many megabytes. */
export const FIELD_ERRORS_MAX = 1_000;

/** Characters of a name that are repeated in a path; no field of ours has a longer one. */
const NAME_CHARS_MAX = 200;

/** The name of an unknown field as a path shows it: all else that is sent is never repeated. */
export function shownName(name: string): string {
  return name.slice(0, NAME_CHARS_MAX).toWellFormed();
}

/** The part of an AJV error object that is used here. */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/** Translates validator errors; `root` is what the path starts with, such as `['body']`. */
export function toFieldErrors(errors: readonly SchemaError[], root: Loc): readonly FieldError[] {
  return errors.slice(0, FIELD_ERRORS_MAX).map((error) => toFieldError(error, root));
}

function toFieldError(error: SchemaError, root: Loc): FieldError {
  const loc = [...root, ...pathParts(error.instancePath)];
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return {
        loc: [...loc, String(params['missingProperty'])],
        msg: 'Field required',
        type: 'missing',
      };
    case 'additionalProperties':
      return {
        loc: [...loc, shownName(String(params['additionalProperty']))],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
      };
    case 'type':
      return { loc, ...typeMessage(params['type'], error.data) };
    case 'enum': {
      const allowed = Array.isArray(params['allowedValues']) ? params['allowedValues'] : [];
      return { loc, msg: `Input should be one of ${allowed.join(', ')}`, type: 'enum' };
    }
    case 'minimum':
      return {
        loc,
        msg: `Input should be greater than or equal to ${String(params['limit'])}`,
        type: 'greater_than_equal',
      };
    case 'maximum':
      return {
        loc,
        msg: `Input should be less than or equal to ${String(params['limit'])}`,
        type: 'less_than_equal',
      };
    case 'minLength':
      return {
        loc,
        msg: `String should have at least ${String(params['limit'])} character(s)`,
        type: 'string_too_short',
      };
    case 'maxLength':
      return {
        loc,
        msg: `String should have at most ${String(params['limit'])} characters`,
        type: 'string_too_long',
      };
    case 'minItems':
      return {
        loc,
        msg: `List should have at least ${String(params['limit'])} item(s)`,
        type: 'too_short',
      };
    case 'maxItems':
      return {
        loc,
        msg: `List should have at most ${String(params['limit'])} items`,
        type: 'too_long',
      };
    case 'pattern':
      return { loc, ...patternMessage(params['pattern']) };
    default:
      return { loc, msg: 'Input is not valid', type: 'value_error' };
  }
}

/** Text without NUL and lone surrogates: both would be lost or changed on the way to a hash. */
export const TEXT_PATTERN = '^[^\\0\\p{Cs}]*$';

function patternMessage(pattern: unknown): Omit<FieldError, 'loc'> {
  if (pattern === TEXT_PATTERN) {
    return {
      msg: 'String should not contain NUL or lone surrogates',
      type: 'string_unicode',
    };
  }
  return { msg: `String should match ${String(pattern)}`, type: 'string_pattern_mismatch' };
}

const TYPE_MESSAGES: Readonly<Record<string, Omit<FieldError, 'loc'>>> = {
  string: { msg: 'Input should be a valid string', type: 'string_type' },
  number: { msg: 'Input should be a valid number', type: 'float_type' },
  integer: { msg: 'Input should be a valid integer', type: 'int_type' },
  boolean: { msg: 'Input should be a valid boolean', type: 'bool_type' },
  array: { msg: 'Input should be a valid list', type: 'list_type' },
  object: { msg: 'Input should be a valid object', type: 'dict_type' },
};

export const INEXACT_NUMBER: Omit<FieldError, 'loc'> = {
  msg: 'Number should have at most 15 significant digits',
  type: 'decimal_max_digits',
};

function typeMessage(type: unknown, data: unknown): Omit<FieldError, 'loc'> {
  const name: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (name === 'number' && data === INEXACT_VALUE) return INEXACT_NUMBER;
  return (
    TYPE_MESSAGES[typeof name === 'string' ? name : ''] ?? {
      msg: 'Input is not of the right type',
      type: 'type_error',
    }
  );
}

/** A name as a part of a JSON pointer (RFC 6901, section 3). */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function pathParts(pointer: string): Loc {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const text = part.replaceAll('~1', '/').replaceAll('~0', '~');
      return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : text;
    });
}
