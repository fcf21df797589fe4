// Any character of Unicode, for texts that fast-check makes up: `fc.string({ unit: anyCharacter })`.
import fc from 'fast-check';

const CODE_POINTS = 0x110000;
const SURROGATES_BEGIN = 0xd800;
const SURROGATES = 0x800;

/** As fast-check's own `binary`, which takes a second and 125 MB in each process that uses it. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(CODE_POINTS - SURROGATES - 1)
  .map(characterAt, rankCharacter);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES_BEGIN ? place : place + SURROGATES);
}

/** What fast-check asks of texts that it makes of its own accord, to make them smaller. */
function rankCharacter(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  const isOne = point !== undefined && String.fromCodePoint(point) === character;
  if (!isOne) throw new Error('not one character');
  return point < SURROGATES_BEGIN ? point : point - SURROGATES;
}
