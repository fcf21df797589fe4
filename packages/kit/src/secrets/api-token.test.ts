// Tokens with a prefix, an id, a secret and a checksum.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOfApiToken, newApiToken } from './api-token.ts';
import { sha256Hex } from './hash.ts';

test('a token is its prefix and 59 letters and digits, the first ten of which are its id', () => {
  const { token, id, hash } = newApiToken('nk_');

  assert.match(token, /^nk_[0-9A-Za-z]{59}$/);
  assert.equal(token.slice(3, 13), id);
  assert.equal(hash, sha256Hex(token));
  assert.equal(idOfApiToken('nk_', token), id);
});

test('no two tokens are alike', () => {
  const tokens = Array.from({ length: 1_000 }, () => newApiToken('nk_'));

  assert.equal(new Set(tokens.map(({ token }) => token)).size, tokens.length);
  assert.equal(new Set(tokens.map(({ id }) => id)).size, tokens.length);
});

test('the checksum is the CRC-32 of what is before it, in six digits of 62', () => {
  const text = `nk_${'0'.repeat(10)}${'a'.repeat(43)}`;

  const id = idOfApiToken('nk_', `${text}3GkPEQ`); // 2 995 879 954

  assert.equal(id, '0'.repeat(10));
  assert.equal(idOfApiToken('nk_', `${text}3GkPER`), undefined);
});

test('a token with any one character changed, left out or doubled is distinguished from a good one', () => {
  const { token } = newApiToken('nk_');

  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'x' ? 'y' : 'x';
    const changed = [
      `${token.slice(0, at)}${other}${token.slice(at + 1)}`,
      `${token.slice(0, at)}${token.slice(at + 1)}`,
      `${token.slice(0, at)}${token[at]}${token.slice(at)}`,
    ];
    for (const wrong of changed) assert.equal(idOfApiToken('nk_', wrong), undefined, wrong);
  }
});

for (const [what, token] of [
  ['nothing', ''],
  ['the prefix alone', 'nk_'],
  ['a token of another prefix', newApiToken('nr_').token],
  ['characters outside of ASCII', `nk_${'é'.repeat(59)}`],
  ['a line break at the end', `${newApiToken('nk_').token}\n`],
] as const) {
  test(`${what} is no token`, () => {
    assert.equal(idOfApiToken('nk_', token), undefined);
  });
}
