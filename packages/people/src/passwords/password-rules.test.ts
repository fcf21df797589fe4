// Which passwords are taken, at their boundaries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPasswordProblem, foldPassword } from './password-rules.ts';

const OF = { email: 'Ada.Lovelace@example.com', pointer: '/password' };

for (const [what, password] of [
  ['of 12 code points', 'kumquat tree'],
  ['of 12 emoji', '🥐🥖🥨🥯🧇🥞🧀🍞🥐🥖🥨🥯'],
  ['of 1,000 code points', 'kumquat tr'.repeat(100)],
  ['of letters with accents in two code points each', 'ÄÖÜäöüÄÖÜßéè'.normalize('NFD')],
  ['that holds the e-mail and more', 'ada.lovelace@example.com!!'],
  ['that holds the product name and a word', 'lothub-kumquat'],
  ['of twelve digits in no order', '839104756201'],
  ['of five different signs', 'abcdeabcdeab'],
] as const) {
  test(`a password ${what} is taken`, () => {
    const problem = findPasswordProblem(password, OF);

    assert.equal(problem, undefined);
  });
}

for (const [what, password, code, limit, actual] of [
  ['of 11 code points', 'kumquat tre', 'too_short', 12, 11],
  ['of 11 emoji', '🥐🥖🥨🥯🧇🥞🧀🍞🥐🥖🥨', 'too_short', 12, 11],
  ['of 12 code points that fold to 11', 'kumquat trë'.normalize('NFD'), 'too_short', 12, 11],
  ['of 1,001 code points', `${'kumquat tr'.repeat(100)}e`, 'too_long', 1_000, 1_001],
  ['with a NUL', 'kumquat\0 tree', 'text_refused', null, null],
  ['with a line break', 'kumquat\n tree', 'text_refused', null, null],
  ['with half a surrogate pair', 'kumquat \ud83e tree', 'text_refused', null, null],
  ['of one repeated sign', 'zzzzzzzzzzzzzzzz', 'guessable', null, null],
  ['of four different signs', 'abcdabcdabcd', 'guessable', null, null],
  ['that counts up', '123456789012', 'guessable', null, null],
  ['that counts down', '210987654321', 'guessable', null, null],
  ['in the order of the alphabet', 'ABCDEFGHIJKL', 'guessable', null, null],
  ['that is the e-mail in capitals', 'ADA.Lovelace@Example.com', 'guessable', null, null],
  ['that is the first part of the e-mail', 'ada.lovelace', 'guessable', null, null],
  ['of the product name and digits', 'LotHub-2026!!', 'guessable', null, null],
  ['that everybody tries first', 'Password1234', 'guessable', null, null],
] as const) {
  test(`a password ${what} is refused as ${code}`, () => {
    const problem = findPasswordProblem(password, OF);

    assert.deepEqual(problem, { pointer: '/password', code, limit, actual });
  });
}

test('accents and spaces count as the same however they are typed', () => {
  const typed = ['crème brûlée für alle', 'crème brûlée für alle'.normalize('NFD')];
  const spaced = 'crème\u00a0brûlée\u2003für\u3000alle';

  const folded = new Set([...typed, spaced].map(foldPassword));

  assert.deepEqual([...folded], ['crème brûlée für alle']);
});

test('case and the width of letters count', () => {
  assert.notEqual(foldPassword('Kumquat'), foldPassword('kumquat'));
  assert.notEqual(foldPassword('ｋumquat'), foldPassword('kumquat'));
});
