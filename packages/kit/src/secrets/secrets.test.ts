// Keys and salts: long, random, stored as a hash, compared whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from './hash.ts';
import { hashesEqual, keyHash, newKey, newSalt } from './secrets.ts';

const DRAWS = 1_000;

test('a key is its prefix and 256 bits in base64url', () => {
  const key = newKey('lh_tenant_');

  assert.match(key, /^lh_tenant_[A-Za-z0-9_-]{43}$/);
  assert.equal(Buffer.from(key.slice('lh_tenant_'.length), 'base64url').length, 32);
});

test('a salt is 256 bits in lower-case hex', () => {
  assert.match(newSalt(), /^[0-9a-f]{64}$/);
});

test('no two keys and no two salts are the same', () => {
  const draws = Array.from({ length: DRAWS }, () => [newKey('k_'), newSalt()]).flat();

  assert.equal(new Set(draws).size, 2 * DRAWS);
});

test('what is stored of a key is its SHA-256', () => {
  assert.equal(keyHash('lh_tenant_x'), sha256Hex('lh_tenant_x'));
});

test('hashes are equal when every digit is', () => {
  const hash = keyHash('a');

  assert.ok(hashesEqual(hash, keyHash('a')));
  assert.ok(!hashesEqual(hash, keyHash('b')));
  assert.ok(!hashesEqual(hash, `${hash.slice(0, -1)}g`));
  assert.ok(!hashesEqual(hash, hash.slice(0, -1)));
  assert.ok(!hashesEqual(hash, ''));
});
