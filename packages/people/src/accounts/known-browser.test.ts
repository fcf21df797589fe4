// Marks of browsers that have logged in before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownBrowserId, knownBrowserMark } from './known-browser.ts';

const ADA = { id: 'usr_ada', passwordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA' };

test('a mark names its browser, and a browser keeps its mark', () => {
  const mark = knownBrowserMark(ADA, undefined)!;

  const again = knownBrowserMark(ADA, mark);

  assert.equal(again, mark);
  assert.equal(knownBrowserId(ADA, mark), mark.split('.')[0]);
});

test('two browsers of one person have marks of their own', () => {
  assert.notEqual(knownBrowserMark(ADA, undefined), knownBrowserMark(ADA, undefined));
});

const mark = knownBrowserMark(ADA, undefined)!;
for (const [what, account, sent] of [
  ['of another account', { ...ADA, id: 'usr_bob' }, mark],
  ['of a former password', { ...ADA, passwordHash: 'another' }, mark],
  ['with another id', ADA, `AAAAAAAAAAAAAAAA${mark.slice(16)}`],
  ['with a changed proof', ADA, mark.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
  ['cut short', ADA, mark.slice(0, -1)],
  ['of nothing', ADA, ''],
] as const) {
  test(`a mark ${what} is no mark, and is replaced`, () => {
    assert.equal(knownBrowserId(account, sent), undefined);
    assert.notEqual(knownBrowserMark(account, sent), sent);
  });
}

test('an account without a password has no mark, and takes none', () => {
  const account = { ...ADA, passwordHash: null };

  assert.equal(knownBrowserMark(account, undefined), null);
  assert.equal(knownBrowserId(account, mark), undefined);
});
