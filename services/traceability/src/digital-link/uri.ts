// Addresses of GS1 Digital Link (GS1 Digital Link Standard: URI Syntax, section 4): read from a path and written, and
// the element string that says the same in a GS1 DataMatrix (GS1 General Specifications, chapter 3). Pure.
import { readGtin, type NumberFault } from '../lots/profiles/gs1.ts';

/** A product, and which part of all that is sold of it. */
export interface DigitalLink {
  /** 14 digits. */
  readonly gtin: string;
  /** Consumer product variant. */
  readonly variant?: string;
  readonly lotCode?: string;
  readonly serial?: string;
  /** Third-party controlled serial number; it is alone behind the GTIN. */
  readonly controlledSerial?: string;
}

const GTIN = '01';
const LOT = '10';
const SERIAL = '21';
const CONTROLLED = '235';

type QualifierName = Exclude<keyof DigitalLink, 'gtin'>;

interface Qualifier {
  readonly name: QualifierName;
  readonly title: string;
  readonly lengthMax: number;
}

/** The key qualifiers of a GTIN, in the order in which a path has them; the last one never beside another. */
const QUALIFIERS: ReadonlyMap<string, Qualifier> = new Map([
  ['22', { name: 'variant', title: 'variant', lengthMax: 20 }],
  [LOT, { name: 'lotCode', title: 'lot', lengthMax: 20 }],
  [SERIAL, { name: 'serial', title: 'serial number', lengthMax: 20 }],
  [CONTROLLED, { name: 'controlledSerial', title: 'controlled serial number', lengthMax: 28 }],
]);
const IN_ORDER = [...QUALIFIERS.keys()];

/** GS1 AI encodable character set 82 (General Specifications, figure 7.11-1). */
const CHARACTERS_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;

/** @param path as it was requested, still encoded, without its query */
export function parseDigitalLink(path: string): DigitalLink | NumberFault {
  // A slash at the end is tolerated (GS1-Conformant Resolver Standard, section 2.13).
  const [key, digits = '', ...rest] = path.replace(/\/$/, '').split('/').slice(1).map(decoded);
  if (key !== GTIN) return { fault: 'The address should begin with /01/ and a GTIN' };
  const gtin = readGtin(digits);
  if (typeof gtin !== 'string') return gtin;
  if (rest.length % 2 !== 0) return { fault: 'An application identifier has no value' };
  const found: Partial<Record<QualifierName, string>> = {};
  let before = -1;
  for (let index = 0; index < rest.length; index += 2) {
    const [identifier = '', value = ''] = rest.slice(index, index + 2);
    const qualifier = QUALIFIERS.get(identifier);
    if (qualifier === undefined) {
      return { fault: `Behind a GTIN come ${IN_ORDER.join(', ')} and nothing else` };
    }
    const place = IN_ORDER.indexOf(identifier);
    const isAlone = identifier !== CONTROLLED || before === -1;
    if (place <= before || !isAlone) {
      return { fault: `Behind a GTIN come 22, 10, 21 in this order, or 235 alone` };
    }
    const fault = valueFault(qualifier, value);
    if (fault !== undefined) return { fault };
    found[qualifier.name] = value;
    before = place;
  }
  return { gtin, ...found };
}

/** The path, with the qualifiers in their order. */
export function digitalLinkPath(link: DigitalLink): string {
  const rest = listQualifiers(link).map(
    ([identifier, value]) => `/${identifier}/${encodeURIComponent(value)}`,
  );
  return `/${GTIN}/${link.gtin}${rest.join('')}`;
}

/** Pairs of application identifier and value, the GTIN first: what people read beside a symbol. */
export function listElements(link: DigitalLink): readonly (readonly [string, string])[] {
  return [[GTIN, link.gtin], ...listQualifiers(link)];
}

/** What keeps a text from being the lot or serial number of a GS1 symbol; undefined when nothing does. */
export function qualifierFault(identifier: '10' | '21', value: string): string | undefined {
  const qualifier = QUALIFIERS.get(identifier);
  return qualifier && valueFault(qualifier, value);
}

function listQualifiers(link: DigitalLink): readonly (readonly [string, string])[] {
  return [...QUALIFIERS].flatMap(([identifier, { name }]) => {
    const value = link[name];
    return value === undefined ? [] : [[identifier, value] as const];
  });
}

function valueFault({ title, lengthMax }: Qualifier, value: string): string | undefined {
  if (value.length > lengthMax) return `GS1 allows a ${title} at most ${lengthMax} characters`;
  if (CHARACTERS_82.test(value)) return undefined;
  return `GS1 allows a ${title} letters A to Z and a to z, digits and ! " % & ' ( ) * + , - . / : ; < = > ? _ alone`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The router refuses such a path before it comes here; no value has this character.
    return '\uFFFD';
  }
}
