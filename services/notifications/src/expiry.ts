// When a key, a token or a mute ends by itself, as requests say it: an instant to come, or never.
import { instantText } from '@lothub/kit/clock';
import { Type } from '@lothub/kit/json-schema';
import { Problem } from './errors.ts';
import { INSTANT_PATTERN } from './instant-pattern.ts';

const INSTANT = new RegExp(INSTANT_PATTERN);
/** The local date and time of an instant, to see whether the calendar has it. */
const LOCAL_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;

export const expirySchema = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: INSTANT_PATTERN,
      description,
      examples: ['2027-01-01T00:00:00Z'],
    }),
  );

/**
 * @param pointer of the field
 * @returns milliseconds since the Unix epoch; null: never
 * @throws Problem `fields_invalid` for what has not the form of the schema, for a day that no calendar
 * has, and for what has passed
 */
export function computeExpiry(
  text: string | null,
  nowMs: number,
  pointer = '/expires_at',
): number | null {
  if (text === null) return null;
  const ms = Date.parse(text);
  const local = text.slice(0, LOCAL_LENGTH);
  const localMs = Date.parse(`${local}Z`);
  const isReal = !Number.isNaN(localMs) && instantText(localMs).startsWith(local);
  if (!INSTANT.test(text) || Number.isNaN(ms) || !isReal)
    throw wrong(pointer, 'wrong_form', 'YYYY-MM-DDThh:mm:ssZ');
  if (ms <= nowMs) throw wrong(pointer, 'too_small', 'now');
  return ms;
}

function wrong(pointer: string, code: 'wrong_form' | 'too_small', limit: string): Problem {
  return new Problem('fields_invalid', 'The end has to be an instant that is to come', {
    fields: [{ pointer, code, limit, actual: null }],
  });
}
