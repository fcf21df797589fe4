// Texts that are the content of a JSON string already, and that an answer takes as they are: what makes many answers
// of the same parts escapes each part once. Of ASCII alone, of which a character is a byte in memory and on the wire.
import { Type } from '../../json-schema.ts';

declare const isEscaped: unique symbol;

/** What is between the quotes of a JSON string. */
export type JsonText = string & { readonly [isEscaped]: true };

/** The format of fast-json-stringify for texts that it does not escape. */
export const ESCAPED_FORMAT = 'unsafe';

/** JSON texts of printable ASCII. */
export function jsonText(text: string): JsonText {
  const content = JSON.stringify(text).slice(1, -1);
  const ascii = content.replace(/[^\x20-\x7e]/g, escapeUnit);
  // What comes of a text of two bytes a character has two as well, and so has all that it becomes a part of.
  return Buffer.from(ascii, 'latin1').toString('latin1') as JsonText;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A member of an answer whose value is a `JsonText`; descriptions have a string. */
export function escapedString(options: { readonly description: string }) {
  return Type.Unsafe<JsonText>({ type: 'string', format: ESCAPED_FORMAT, ...options });
}
