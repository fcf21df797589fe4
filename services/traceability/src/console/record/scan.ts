// Reads what a scanner writes into a field: a GS1 element string, as people read it `(01)…(10)…` or as symbols have it
// with separators (GS1 General Specifications, chapter 7.8), or the address of a GS1 Digital Link. Pure.
import { parseDigitalLink } from '../../digital-link/uri.ts';
import { readGtin } from '../../lots/profiles/gs1.ts';

export interface Scanned {
  /** It has 14 digits. */
  readonly gtin: string | undefined;
  readonly lotCode: string | undefined;
}

/** FNC1 in the middle of a message. */
const SEPARATOR = '\u001D';
/** Prefix of scanners that name the type of the symbol (ISO/IEC 15424). */
const SYMBOLOGY = /^\](?:d2|C1|Q3|e0|J1)/;
/** Identifiers whose values have a fixed length: digits without the identifier (GS1, figure 7.8.5-2). */
const FIXED: ReadonlyMap<string, number> = new Map([
  ...[['00', 18] as const, ['01', 14] as const, ['02', 14] as const, ['20', 2] as const],
  ...['11', '12', '13', '15', '16', '17'].map((identifier) => [identifier, 6] as const),
]);
/** Measures: four digits of identifier, six of value. */
const MEASURE = /^3[1-6]\d{2}/;
/** Of variable length, up to a separator. */
const VARIABLE = [
  '10',
  '21',
  '22',
  '37',
  '30',
  '240',
  '241',
  '250',
  '251',
  '400',
  '410',
  '414',
  '422',
];
const BRACKETED = /^(?:\(\d{2,4}\)[^()]+)+$/;
const GTIN_DIGITS = 14;

/** @returns undefined for a plain code */
export function readScan(text: string): Scanned | undefined {
  const trimmed = text.trim();
  return readAddress(trimmed) ?? readBracketed(trimmed) ?? readElements(trimmed);
}

function readAddress(text: string): Scanned | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { pathname, searchParams } = new URL(text);
  // A resolver may be below a path of its own.
  const start = pathname.indexOf('/01/');
  if (start < 0) return undefined;
  const link = parseDigitalLink(pathname.slice(start));
  if ('fault' in link) return undefined;
  return { gtin: link.gtin, lotCode: link.lotCode ?? searchParams.get('10') ?? undefined };
}

function readBracketed(text: string): Scanned | undefined {
  if (!BRACKETED.test(text)) return undefined;
  const elements = [...text.matchAll(/\((\d{2,4})\)([^()]+)/g)].map(
    ([, identifier = '', value = '']) => [identifier, value] as const,
  );
  return readScanned(new Map(elements));
}

function readElements(text: string): Scanned | undefined {
  const isMarked = SYMBOLOGY.test(text) || text.includes(SEPARATOR);
  let rest = text.replace(SYMBOLOGY, '');
  if (rest.startsWith(SEPARATOR)) rest = rest.slice(1);
  // Without a mark it may be a code of the brand that begins with these digits.
  if (!isMarked && !(rest.startsWith('01') && rest.length > GTIN_DIGITS + 2)) return undefined;
  const elements = new Map<string, string>();
  while (rest !== '') {
    const element = nextElement(rest);
    if (element === undefined) return undefined;
    elements.set(element.identifier, element.value);
    rest = element.rest;
  }
  return readScanned(elements);
}

function nextElement(
  text: string,
): { readonly identifier: string; readonly value: string; readonly rest: string } | undefined {
  const two = text.slice(0, 2);
  const measure = MEASURE.exec(text)?.[0];
  const length = measure === undefined ? FIXED.get(two) : 6;
  if (length !== undefined) {
    const identifier = measure ?? two;
    const value = text.slice(identifier.length, identifier.length + length);
    if (!/^\d+$/.test(value) || value.length !== length) return undefined;
    const rest = text.slice(identifier.length + length);
    return { identifier, value, rest: rest.startsWith(SEPARATOR) ? rest.slice(1) : rest };
  }
  const identifier = VARIABLE.find((one) => text.startsWith(one));
  if (identifier === undefined) return undefined;
  const [value = '', ...others] = text.slice(identifier.length).split(SEPARATOR);
  return value === '' ? undefined : { identifier, value, rest: others.join(SEPARATOR) };
}

function readScanned(elements: ReadonlyMap<string, string>): Scanned | undefined {
  const digits = elements.get('01') ?? elements.get('02');
  const lotCode = elements.get('10');
  if (digits === undefined) return lotCode === undefined ? undefined : { gtin: undefined, lotCode };
  const gtin = readGtin(digits);
  return typeof gtin === 'string' ? { gtin, lotCode } : undefined;
}
