// The order of texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTexts } from './text-order.ts';

test('texts are ordered by their code units, whatever the language of the machine', () => {
  const texts = ['b', 'ä', 'a', 'B', '', '10', '9', '\u{1F35E}', '\uFF21'];

  const sorted = texts.toSorted(compareTexts);

  assert.deepEqual(sorted, ['', '10', '9', 'B', 'a', 'b', 'ä', '\u{1F35E}', '\uFF21']);
});
