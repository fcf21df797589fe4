// The name of a product in the language that a reader prefers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredLanguages } from '@lothub/languages';
import { chooseName } from './language.ts';

const NAMES = { 'de-CH': 'Ruchbrot', de: 'Roggenbrot', en: 'Rye bread', 'pt-BR': 'Pão' };

for (const [header, language] of [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE-ch, de;q=0.9', 'de-CH'],
  ['de-AT', 'de'],
  ['fr, de;q=0.5', 'de'],
  ['en;q=0.4, de;q=0.8', 'de'],
  ['de;q=0, pt', 'pt-BR'],
  ['*', 'en'],
  ['fr', 'en'],
  ['d', 'en'],
  ['de;q=2', 'en'],
  [`de,${'x'.repeat(2_000)}`, 'en'],
] as const) {
  test(`of ${header?.slice(0, 30) ?? 'no header'} the name is in ${language}`, () => {
    assert.equal(chooseName(NAMES, preferredLanguages(header)).language, language);
  });
}

test('without English the first name by tag is shown', () => {
  const chosen = chooseName({ it: 'Pane', fr: 'Pain' }, preferredLanguages('de'));

  assert.deepEqual(chosen, { language: 'fr', name: 'Pain' });
});

test('another English is English', () => {
  assert.equal(chooseName({ 'en-GB': 'Bread', de: 'Brot' }, []).name, 'Bread');
});
