// SHA-256 against published values and another implementation of the runtime.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { sha256Hex } from './hash.ts';

test('the digests of FIPS 180-4 examples are the published ones', () => {
  assert.equal(sha256Hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(
    sha256Hex('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('the UTF-8 bytes of a text are hashed', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const bytes = Buffer.from(text, 'utf8');
      assert.equal(sha256Hex(text), createHash('sha256').update(bytes).digest('hex'));
    }),
  );
});
