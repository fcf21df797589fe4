// The range of texts that start with a prefix, for an index in the order of code points.
import { present } from '@lothub/kit/present';

const CODE_POINT_MAX = 0x10ffff;
const SURROGATES_START = 0xd800;
const SURROGATES_END = 0xdfff;

/**
 * The smallest text above every text that starts with the prefix.
 * @returns undefined when there is none: the prefix is empty or all of the last code point
 */
export function textAbovePrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) =>
    present(character.codePointAt(0), 'a code point'),
  );
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === CODE_POINT_MAX) continue;
    const next = last + 1 === SURROGATES_START ? SURROGATES_END + 1 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}
