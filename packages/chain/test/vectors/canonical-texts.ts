/**
 * JSON texts and the canonical text of the value each one means, or the reason why it has none.
 *
 * Both sides are written by hand, so that the vectors do not merely repeat what the code makes.
 */
import { NESTING_MAX } from '../../src/canonical.ts';
import type { ChainErrorCode } from '../../src/index.ts';

export type CanonicalVector = {
  readonly name: string;
  /** Any JSON text of the value. */
  readonly json: string;
} & ({ readonly canonical: string } | { readonly refused: ChainErrorCode });

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

export function makeCanonicalTexts(): readonly CanonicalVector[] {
  return [
    { name: 'literals', json: '[ true , false , null ]', canonical: '[true,false,null]' },
    { name: 'empty containers', json: '{ "a" : { } , "b" : [ ] }', canonical: '{"a":{},"b":[]}' },
    {
      name: 'integers',
      json: '[0,-1,9007199254740991,-9007199254740991]',
      canonical: '[0,-1,9007199254740991,-9007199254740991]',
    },
    { name: 'integers in other spellings', json: '[1.0,1e2,-0,10E-1]', canonical: '[1,100,0,1]' },
    { name: 'keys in order', json: '{"b":1,"a":2,"B":3}', canonical: '{"B":3,"a":2,"b":1}' },
    {
      name: 'keys that look like numbers',
      json: '{"10":1,"9":2,"1":3,"":4}',
      canonical: '{"":4,"1":3,"10":1,"9":2}',
    },
    {
      name: 'keys by UTF-16 code units',
      json: '{"\\ufb33":1,"\\ud83d\\ude00":2,"\\u20ac":3,"\\r":4,"\\u0080":5,"\\u00f6":6}',
      canonical:
        '{"\\r":4,"\u0080":5,"\u00f6":6,"\u20ac":3,"\u{1f600}":2,"\ufb33":1}',
    },
    {
      name: 'keys of nested objects',
      json: '[{"z":{"y":1,"x":2},"a":[{"c":1,"b":2}]}]',
      canonical: '[{"a":[{"b":2,"c":1}],"z":{"x":2,"y":1}}]',
    },
    { name: 'a key of Object.prototype', json: '{"__proto__":1}', canonical: '{"__proto__":1}' },
    {
      name: 'short escapes',
      json: '"\\u0008\\u0009\\u000a\\u000c\\u000d\\u0022\\u005c"',
      canonical: '"\\b\\t\\n\\f\\r\\"\\\\"',
    },
    {
      name: 'control characters',
      json: '"\\u0000\\u001F\\u007f"',
      canonical: '"\\u0000\\u001f\u007f"',
    },
    {
      name: 'characters that are not escaped',
      json: '"\\/\\u0041\\u2028\\u2029\\ufeff\\uffff\\ud83c\\udf5e"',
      canonical: '"/A\u2028\u2029\ufeff\uffff\u{1f35e}"',
    },
    {
      name: 'strings are not normalised',
      json: '["\\u00e9","e\\u0301"]',
      canonical: '["\u00e9","e\u0301"]',
    },
    { name: 'nesting at the limit', json: nested(NESTING_MAX), canonical: nested(NESTING_MAX) },
    { name: 'nesting over the limit', json: nested(NESTING_MAX + 1), refused: 'nesting_too_deep' },
    { name: 'a fraction', json: '{"quantity":1.5}', refused: 'number_not_safe_integer' },
    { name: 'an unsafe integer', json: '[9007199254740992]', refused: 'number_not_safe_integer' },
    { name: 'a huge number', json: '[1e400]', refused: 'number_not_safe_integer' },
    { name: 'a lone high surrogate', json: '["\\ud83c"]', refused: 'lone_surrogate' },
    { name: 'a lone low surrogate in a key', json: '{"\\udf5e":1}', refused: 'lone_surrogate' },
    { name: 'surrogates in the wrong order', json: '"\\udf5e\\ud83c"', refused: 'lone_surrogate' },
  ];
}
