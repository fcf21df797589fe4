// What is left of a pattern for dialects that know no Unicode properties.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_PATTERN } from '../field-errors.ts';
import { portablePattern } from './portable-pattern.ts';

for (const [pattern, portable] of [
  ['^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'],
  [TEXT_PATTERN, '^[^\\x00]*$'],
  ['^https?://[^\\s\\0]+$', '^https?://[^\\s\\x00]+$'],
  [
    '^[^\\p{Cc}]*[^\\p{Z}\\p{C}][^\\u200B-\\u200F\\p{Cf}]*$',
    '^[^\\x00-\\x1f\\x7f-\\x9f]*[^ \\xa0\\x00-\\x1f\\x7f-\\x9f][\\s\\S]*$',
  ],
  ['^[^\\s"\\\\\\[\\]\\u{1D159}]{1,64}@x$', '^[^\\s"\\\\\\[\\]]{1,64}@x$'],
  ['^$|[^\\p{White_Space}\\u2800]|[\\u0600-\\u0605\\u{110BD}]', '^$|[^\\x09-\\x0d \\xa0\u2800]'],
  ['^[^\\p{C}]{2}$|[\\u0600]', undefined],
  ['^(?:a|b)$', '^(?:a|b)$'],
  ['[\\u0600-\\u0605]', undefined],
  ['^\\p{L}+$', undefined],
  ['^(?!x)', undefined],
] as const) {
  test(`${pattern} is described as ${portable ?? 'nothing'}`, () => {
    assert.equal(portablePattern(pattern), portable);
  });
}
