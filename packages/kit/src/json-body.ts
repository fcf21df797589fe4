// Reads a JSON body strictly: valid UTF-8, valid JSON, and no number that a double would round
// without saying so.
import { isUtf8 } from 'node:buffer';

export class JsonBodyError extends Error {
  readonly code = 'json_invalid';

  constructor(message: string) {
    super(message);
    this.name = 'JsonBodyError';
  }
}

/** Digits that survive the way through a double, whatever they are. */
const EXACT_DIGITS = 15;
/** Only a body with such a run of digits can hold a number that is rounded. */
const LONG_DIGITS = /\d(?:[.]?\d){15}|[eE][+-]?\d{3}/;

/**
 * The value of a JSON text. A number of more than 15 significant digits becomes NaN, which no
 * schema accepts, so that it is refused with its path.
 * @throws JsonBodyError when the bytes are not UTF-8 or the text is not JSON
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonBodyError('Body is not valid UTF-8');
  const text = bytes.toString('utf8');
  try {
    return LONG_DIGITS.test(text) ? JSON.parse(text, refuseInexact) : JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new JsonBodyError('Body is nested too deeply');
    throw new JsonBodyError('Body is not valid JSON');
  }
}

function refuseInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isExactNumber(context.source) && Number.isFinite(value) ? value : Number.NaN;
}

/** True when a decimal literal has at most 15 significant digits, zeros at both ends not counted. */
export function isExactNumber(literal: string): boolean {
  const mantissa = literal.replace(/^[-+]/, '').replace(/[eE].*$/, '');
  const digits = mantissa.includes('.') ? mantissa.replace('.', '') : mantissa;
  return digits.replace(/^0+/, '').replace(/0+$/, '').length <= EXACT_DIGITS;
}
