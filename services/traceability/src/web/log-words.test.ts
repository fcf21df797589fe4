// A page writes the number of a log's entry as its reader writes numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logEntry } from './log-words.ts';
import { readerIn } from './words/reader.ts';

const STANDING = {
  kind: 'signed',
  epoch: 1,
  height: 1_234_567,
  opinion: undefined,
  timeStamp: undefined,
} as const;

for (const [language, text] of [
  ['en', 'Entry 1,234,567 of this hub’s public log.'],
  ['de', 'Eintrag 1.234.567 im öffentlichen Protokoll dieser Plattform.'],
] as const) {
  test(`the number of an entry is grouped in ${language}`, () => {
    assert.ok(String(logEntry(STANDING, readerIn(language))).includes(text));
  });
}
