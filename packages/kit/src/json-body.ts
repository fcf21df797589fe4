// Reads a JSON body strictly: valid UTF-8, valid JSON, and no number that a double would round
// without saying so.
import { isUtf8 } from 'node:buffer';

export class JsonBodyError extends Error {
  readonly code = 'json_invalid';
  readonly reason: 'not_utf8' | 'not_json' | 'too_deep';

  constructor(reason: JsonBodyError['reason']) {
    super(MESSAGES[reason]);
    this.name = 'JsonBodyError';
    this.reason = reason;
  }
}

const MESSAGES: Readonly<Record<JsonBodyError['reason'], string>> = {
  not_utf8: 'Body is not valid UTF-8',
  not_json: 'Body is not valid JSON',
  too_deep: 'Body is nested too deeply',
};

/** Digits that survive the way through a double, whatever they are. */
const EXACT_DIGITS = 15;
/** Only a body with such a run of digits can hold a number that is rounded. */
const LONG_DIGITS = /\d(?:[.]?\d){15}|[eE][+-]?\d{3}/;
/** Containers inside containers; no request of ours has more than six. */
const NESTING_MAX = 64;
/**
 * Bodies up to this size are parsed as deep as they come, and then refused by the schema. A body of
 * 10 MB that is nothing but nesting takes seconds to parse, 64 KiB of it a few milliseconds.
 */
const NESTING_UNCHECKED_BYTES = 65_536;

/**
 * The value of a JSON text. A number that a double would round (more than 15 significant digits, or
 * beyond its range) becomes NaN, which no schema accepts, so that it is refused with its path.
 * @throws JsonBodyError when the bytes are not UTF-8, the text is not JSON or nests too deeply
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonBodyError('not_utf8');
  if (bytes.length > NESTING_UNCHECKED_BYTES && nestsDeeperThan(bytes, NESTING_MAX)) {
    throw new JsonBodyError('too_deep');
  }
  const text = bytes.toString('utf8');
  try {
    return LONG_DIGITS.test(text) ? JSON.parse(text, refuseInexact) : JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new JsonBodyError('too_deep');
    throw new JsonBodyError('not_json');
  }
}

function refuseInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isExactNumber(context.source) && isInRange(value, context.source) ? value : Number.NaN;
}

/** False when a literal is too large for a double, or so small that it would become zero. */
function isInRange(value: number, literal: string): boolean {
  return Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(literal.replace(/[eE].*$/, '')));
}

/** True when a decimal literal has at most 15 significant digits, zeros at both ends not counted. */
export function isExactNumber(literal: string): boolean {
  const mantissa = literal.replace(/^[-+]/, '').replace(/[eE].*$/, '');
  const digits = mantissa.includes('.') ? mantissa.replace('.', '') : mantissa;
  return digits.replace(/^0+/, '').replace(/0+$/, '').length <= EXACT_DIGITS;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, and `]` and `}`, differ in this bit only. */
const CASE_BIT = 0x20;
const BRACKET_OPEN = 0x5b | CASE_BIT;
const BRACKET_CLOSE = 0x5d | CASE_BIT;

/** Whether brackets outside of strings nest deeper, without parsing. */
function nestsDeeperThan(bytes: Buffer, nestingMax: number): boolean {
  let nesting = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if ((byte | CASE_BIT) === BRACKET_OPEN) {
      nesting += 1;
      if (nesting > nestingMax) return true;
    } else if ((byte | CASE_BIT) === BRACKET_CLOSE) nesting -= 1;
  }
  return false;
}
