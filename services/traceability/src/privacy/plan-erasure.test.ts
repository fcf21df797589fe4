// When a text quotes a customer's reference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotesWord } from './plan-erasure.ts';

for (const [text, word] of [
  ['C-1', 'C-1'],
  ['for C-1.', 'C-1'],
  ['(C-1)', 'C-1'],
  ['C-1’s sister', 'C-1'],
  ['C-10 and C-1', 'C-1'],
  ['C-1-C-1', 'C-1'],
  ['C-1a', 'C-1'],
  ['Annas Paket', 'Anna'],
  ['für Müller, eilig', 'Müller'],
  ['bought by(7)today', '(7)'],
  ['山田様', '山田'],
] as const) {
  test(`"${text}" quotes ${word}`, () => {
    assert.equal(quotesWord(text, word), true);
  });
}

for (const [text, word] of [
  ['', 'C-1'],
  ['C-10', 'C-1'],
  ['c-1', 'C-1'],
  ['ABC-1, C-12 and ÑC-1', 'C-1'],
  ['1234', '23'],
  ['Johanna', 'anna'],
] as const) {
  test(`"${text}" does not quote ${word}`, () => {
    assert.equal(quotesWord(text, word), false);
  });
}
