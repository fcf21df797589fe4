// Finding text whatever the case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textMatcher } from './text-match.ts';

const SAME = [
  ['cold room', 'COLD ROOM'],
  ['straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['Οδός', 'ΟΔΌΣ'],
  ['ÉCLAIR', 'éclair'],
  ['caf\u0065\u0301', 'CAFÉ'],
  ['МОСКВА', 'москва'],
] as const;

for (const [one, other] of SAME) {
  test(`${one} is found by ${other}, and the other way round`, () => {
    const found = textMatcher(other)({ title: `a ${one} b`, body: null });
    const back = textMatcher(one)({ title: 'none', body: `a ${other} b` });

    assert.deepEqual([found, back], [true, true]);
  });
}

test('the beginning of a word is found in its middle, too, whatever the letter at its end', () => {
  const matches = textMatcher('ΟΔΟΣ');

  const found = matches({ title: 'οδοσήμανση', body: null });

  assert.equal(found, true);
});

test('text that is in neither title nor body is not found', () => {
  const matches = textMatcher('warm');

  const found = matches({ title: 'Cold room 3', body: 'It is cold' });

  assert.equal(found, false);
});
