// The rules for the text of a code or an id, and the other spellings that a search tries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { CODE_VARIANTS_MAX, codeFault, codeVariants } from './code-text.ts';

for (const code of [
  'FLOUR-0711',
  'a/b',
  'Mehl 7',
  '...',
  '.a',
  'Größe-Ä',
  '小麦-1',
  '🍞',
  'a\u00A0b',
]) {
  test(`${JSON.stringify(code)} is a code`, () => {
    assert.equal(codeFault(code), undefined);
  });
}

const UNSEEN: readonly (readonly [string, string])[] = [
  ['a NUL', '\0'],
  ['a tab', '\t'],
  ['a line end', '\n'],
  ['a C1 control', '\u0085'],
  ['a soft hyphen', '\u00AD'],
  ['a zero-width space', '\u200B'],
  ['a zero-width joiner', '\u200D'],
  ['a right-to-left mark', '\u200F'],
  ['a right-to-left override', '\u202E'],
  ['an isolate', '\u2066'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\uFEFF'],
  ['an Arabic letter mark', '\u061C'],
  ['a line separator', '\u2028'],
  ['a noncharacter', '\uFFFF'],
  ['a noncharacter of another plane', '\u{1FFFE}'],
  ['a noncharacter of Arabic forms', '\uFDD0'],
];

for (const [what, character] of UNSEEN) {
  test(`a code has no ${what.replace(/^an? /, '')}, wherever it would be`, () => {
    for (const text of [`${character}A`, `A${character}B`, `A${character}`]) {
      assert.match(codeFault(text) ?? '', /control, bidirectional, zero-width/);
    }
  });
}

test('a code neither begins nor ends with a space of any kind, and is no step of an address', () => {
  for (const space of [' ', '\u00A0', '\u2003', '\u3000']) {
    assert.match(codeFault(`${space}A`) ?? '', /begin or end with a space/);
    assert.match(codeFault(`A${space}`) ?? '', /begin or end with a space/);
  }
  for (const dots of ['.', '..']) assert.match(codeFault(dots) ?? '', /"\." or "\.\."/);
});

test('a fault never quotes the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 8 }), (text) => {
      assert.ok(!(codeFault(text) ?? '').includes(text));
    }),
  );
});

test('a code is looked for trimmed, in other case, otherwise separated and in its compatible form', () => {
  const found: readonly (readonly [string, string])[] = [
    [' FLOUR-1 ', 'FLOUR-1'],
    ['flour-1', 'FLOUR-1'],
    ['FLOUR-1', 'flour-1'],
    ['ＦＬＯＵＲ－１', 'FLOUR-1'],
    ['FLOUR\u200B-1', 'FLOUR-1'],
    ['flour-1\u00A0', 'FLOUR-1'],
    ['flour 1', 'FLOUR-1'],
    ['FLOUR1', 'FLOUR-1'],
    ['flour–1', 'FLOUR-1'],
    ['L-2026 11', 'L202611'],
    ['l2026', 'L 2026'],
  ];
  for (const [asked, stored] of found) assert.ok(codeVariants(asked).includes(stored), asked);
});

test('the variants of a code are few, none is empty, and none is the code itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const variants = codeVariants(text);
      assert.ok(variants.length <= CODE_VARIANTS_MAX);
      assert.ok(!variants.includes(text) && !variants.includes(''));
    }),
  );
});
