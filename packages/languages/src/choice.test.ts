// Which language a page is in: the address, the cookie, the browser, English.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLanguage, languageCookie, pathInLanguage } from './choice.ts';

for (const [what, request, language] of [
  ['nothing', {}, 'en'],
  ['a browser that prefers German', { accept: 'de-AT,de;q=0.9,en;q=0.5' }, 'de'],
  ['a browser that prefers what pages are not written in', { accept: 'pl,it;q=0.3' }, 'it'],
  ['a browser that refuses French', { accept: 'fr;q=0,es;q=0.1' }, 'es'],
  ['a browser that reads nothing of it', { accept: 'pl' }, 'en'],
  ['an earlier choice', { accept: 'de', cookie: 'a=b; lothub_language=fr' }, 'fr'],
  ['a cookie of another name', { accept: 'de', cookie: 'other_lothub_language=fr' }, 'de'],
  ['a cookie that is no language', { accept: 'de', cookie: 'lothub_language=xx' }, 'de'],
  ['a choice in the address', { url: '/?lang=it', cookie: 'lothub_language=fr' }, 'it'],
  ['a choice in capitals', { url: '/lot/A?brand=b&lang=DE' }, 'de'],
  ['a choice of what there is not', { url: '/?lang=pl', accept: 'es' }, 'es'],
] as const) {
  test(`of ${what} the page is in ${language}`, () => {
    const {
      accept,
      cookie,
      url = '/',
    }: { accept?: string; cookie?: string; url?: string } = request;

    const choice = chooseLanguage({ url, headers: { cookie, 'accept-language': accept } });

    assert.equal(choice.language, language);
    assert.equal(choice.isChosenNow, url.includes('lang=') && language !== 'es');
  });
}

test('names come in the language that was chosen, in the region that the browser names', () => {
  const headers = { 'accept-language': 'fr, de-CH;q=0.5' };

  assert.deepEqual(chooseLanguage({ url: '/?lang=de', headers }).languages, ['de-ch', 'de', 'fr']);
});

test('names come in what the browser prefers, also where pages are not written in it', () => {
  const { languages } = chooseLanguage({
    url: '/',
    headers: { 'accept-language': 'pl, de;q=0.5' },
  });

  assert.deepEqual(languages, ['pl', 'de']);
});

test('a choice lasts a year, and no script reads it', () => {
  assert.equal(
    languageCookie('de'),
    'lothub_language=de; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly',
  );
});

for (const [url, language, path] of [
  ['/lot/A?brand=b', 'de', '/lot/A?brand=b&lang=de'],
  ['/lot/A?lang=fr&brand=b', 'de', '/lot/A?brand=b&lang=de'],
  ['/?lang=fr', undefined, '/'],
  ['/lot/A%2F1', 'it', '/lot/A%2F1?lang=it'],
] as const) {
  test(`${url} in ${language ?? 'no language'} is ${path}`, () => {
    assert.equal(pathInLanguage(url, language), path);
  });
}
