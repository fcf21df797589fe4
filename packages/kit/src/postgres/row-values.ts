// Values of rows as SQLite gives them, so that the same TypeScript rows come out of both engines:
// integers and truth values are numbers, text is text, and nothing becomes a Date.
import type { CustomTypesConfig } from 'pg';

type Parse = (text: string) => unknown;

/** Type numbers of PostgreSQL's catalogue (pg_type.oid); they never change. */
const PARSE_OF_TYPE: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [16, (text) => (text === 't' ? 1 : 0)], // bool
  [17, parseBytes], // bytea
  [20, parseInteger], // int8, also count()
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [700, Number], // float4
  [701, Number], // float8
  [1700, parseNumeric], // numeric, also sum() of int8
]);

export const rowTypes: CustomTypesConfig = {
  getTypeParser: (type: number) => PARSE_OF_TYPE.get(type) ?? ((text: string) => text),
};

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is too large to be read as a number without loss`);
  }
  return value;
}

function parseNumeric(text: string): number {
  return text.includes('.') ? Number(text) : parseInteger(text);
}

/** Bytes come as `\x` and hexadecimal digits. */
function parseBytes(text: string): Uint8Array {
  return Uint8Array.fromHex(text.slice(2));
}
