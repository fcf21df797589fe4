// The plain SHA-256 against the platform's own.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';

import fc from 'fast-check';

import { anyCharacter } from '../test/any-character.ts';
import { sha256Hex } from './index.ts';

/** Over three blocks of 64 bytes: every length at which the padding goes into another block. */
const LENGTHS = 200;

test('the empty text has the hash that FIPS 180-4 gives', () => {
  assert.equal(sha256Hex(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('texts of every length around the block size hash as on the platform', () => {
  for (let length = 0; length <= LENGTHS; length += 1) {
    const text = 'x'.repeat(length);

    assert.equal(sha256Hex(text), hash('sha256', text, 'hex'), `length ${length}`);
  }
});

test('any text hashes as on the platform, lone surrogates included', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 500 }),
        fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      ),
      (text) => {
        assert.equal(sha256Hex(text), hash('sha256', text, 'hex'));
      },
    ),
    { numRuns: 500 },
  );
});
