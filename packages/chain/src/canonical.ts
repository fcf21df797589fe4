/**
 * Canonical JSON text: RFC 8785 (JCS) for the values that may be on the chain.
 *
 * The domain is narrower than JSON. Numbers are safe integers only, because a fraction would make
 * the hash depend on how a language prints floating point; quantities are decimal strings instead.
 */
import { ChainError } from './chain-error.ts';

/** A value that has a canonical text. Numbers must be safe integers, strings well-formed UTF-16. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * Containers inside containers that a value may have. A block of this format has 6; the bound keeps
 * a hostile text from exhausting the stack of a verifier.
 */
export const NESTING_MAX = 64;

/**
 * The canonical text of a value: no white space, object keys sorted by UTF-16 code units.
 *
 * @throws {ChainError} `number_not_safe_integer` for a fraction, NaN, an infinity or an integer
 *   beyond 2^53 - 1; `lone_surrogate` for a string or key that is not well-formed; `nesting_too_deep`
 *   beyond {@link NESTING_MAX}; `value_unsupported` for undefined, a bigint, a function, a symbol or
 *   an object that is neither plain nor an array.
 */
export function canonicalize(value: JsonValue): string {
  return toCanonicalText(value);
}

/**
 * A string as canonical JSON, quotes included.
 *
 * @throws {ChainError} `lone_surrogate` when the string is not well-formed UTF-16
 */
export function jsonString(text: string): string {
  if (!text.isWellFormed()) {
    throw new ChainError(
      'lone_surrogate',
      'A string with a lone surrogate has no UTF-8 bytes and cannot be hashed; send whole characters.',
    );
  }
  // For well-formed strings ECMAScript's quoting is the one that RFC 8785, section 3.2.2.2 demands.
  return JSON.stringify(text);
}

/**
 * Whether `text`, out of which `JSON.parse` made `value`, is canonical: it has no white space, no repeated key
 * and no other spelling, and its keys are in order.
 *
 * The runtime writes a parsed value as it was spelled but for its spelling of strings and numbers, which is
 * canonical, so the text is canonical when both are equal, the keys are in order and each value has a
 * canonical text. What this does not confirm is made anew, member by member, and compared.
 */
export function isCanonicalText(text: string, value: unknown): boolean {
  // An escaped lone surrogate is written as it was parsed, and has no canonical text.
  const isOrdinary = !text.includes(SURROGATE_ESCAPE) && isInOrder(value, 0);
  if (isOrdinary && JSON.stringify(value) === text) return true;
  try {
    return toCanonicalText(value) === text;
  } catch (error) {
    if (error instanceof ChainError) return false;
    throw error;
  }
}

/** How the escape of a surrogate begins; also found in some texts that only look like one. */
const SURROGATE_ESCAPE = '\\ud';

/** Whether keys are in order, numbers safe integers, and containers as many as may be. */
function isInOrder(value: unknown, nesting: number): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (nesting >= NESTING_MAX) return false;
  if (Array.isArray(value)) return value.every((item) => isInOrder(item, nesting + 1));
  if (!isPlainObject(value)) return false;
  let before: string | undefined;
  for (const key of Object.keys(value)) {
    if (before !== undefined && key <= before) return false;
    if (!isInOrder(value[key], nesting + 1)) return false;
    before = key;
  }
  return true;
}

/** As {@link canonicalize}, for a value whose type is not known yet, such as one just parsed. */
export function toCanonicalText(value: unknown): string {
  return toText(value, 0);
}

function toText(value: unknown, nesting: number): string {
  switch (typeof value) {
    case 'string':
      return jsonString(value);
    case 'number':
      return integerText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (nesting >= NESTING_MAX) {
        throw new ChainError(
          'nesting_too_deep',
          `A value on the chain nests at most ${NESTING_MAX} containers.`,
        );
      }
      if (Array.isArray(value)) return arrayText(value, nesting + 1);
      if (isPlainObject(value)) return objectText(value, nesting + 1);
      break;
    default:
      break;
  }
  throw new ChainError(
    'value_unsupported',
    'Only strings, safe integers, booleans, null, arrays and plain objects have a canonical text; leave an absent member out.',
  );
}

function integerText(value: number): string {
  if (!Number.isSafeInteger(value)) {
    throw new ChainError(
      'number_not_safe_integer',
      'Only safe integers are hashed as numbers; write any other number as a decimal string.',
    );
  }
  return String(value);
}

function arrayText(values: readonly unknown[], nesting: number): string {
  let text = '[';
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ',';
    text += toText(values[index], nesting);
  }
  return text + ']';
}

function objectText(value: Readonly<Record<string, unknown>>, nesting: number): string {
  // Without a comparator, sort() compares UTF-16 code units, the order of RFC 8785, section 3.2.3.
  const keys = Object.keys(value).sort();
  let text = '{';
  for (const key of keys) {
    if (text.length > 1) text += ',';
    text += jsonString(key) + ':' + toText(value[key], nesting);
  }
  return text + '}';
}

/** Dates, maps and class instances are refused: their members are not what they mean. */
function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
