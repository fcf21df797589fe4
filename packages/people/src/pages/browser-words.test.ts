// Browsers by the names that people know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserWords } from './browser-words.ts';
import { PEOPLE_WORDS } from './words.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

for (const [agent, words] of [
  [CHROME, 'Chrome on Linux'],
  [`${CHROME} Edg/140.0`, 'Edge on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/604',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.5.0', 'curl'],
  ['', 'Unknown browser'],
] as const) {
  test(`${words} is recognised by what it calls itself`, () => {
    assert.equal(browserWords(agent, PEOPLE_WORDS.en), words);
  });
}
