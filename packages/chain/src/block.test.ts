// Sealing and reading back: what is accepted, what is refused, and that the one undoes the other.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import fc from 'fast-check';

import { anyCharacter } from '../test/any-character.ts';
import {
  BEFORE_GENESIS,
  canonicalize,
  ChainError,
  GENESIS_PREV_HASH,
  parseBlock,
  payloadText,
  sealBlock,
  sha256Hex,
  type JsonObject,
  type UnsealedBlock,
} from './index.ts';

const HASH_A = 'a'.repeat(64);
const GOOD: UnsealedBlock = { height: 3, payloadText: '{"v":1}', prevHash: HASH_A };

function seal(changes: Partial<UnsealedBlock> = {}): ReturnType<typeof sealBlock> {
  return sealBlock({ ...GOOD, ...changes, hash: sha256Hex });
}

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ChainError && error.code === code;
}

test('a sealed block holds height, payload and link in one canonical text', () => {
  const block = seal();

  assert.equal(block.canonical, `{"height":3,"payload":{"v":1},"prev_hash":"${HASH_A}"}`);
  assert.equal(block.blockHash, sha256Hex(block.canonical));
  assert.equal(block.height, 3);
  assert.equal(block.prevHash, HASH_A);
});

test('the canonical text of a block is the canonical text of its three members', () => {
  const payload = { v: 1, a: ['\u{1f35e}'] };

  const block = seal({ payloadText: canonicalize(payload) });

  assert.equal(block.canonical, canonicalize({ prev_hash: HASH_A, payload, height: 3 }));
});

test('block 0 links to 64 zeros and to nothing else', () => {
  const block = seal({ height: 0, prevHash: GENESIS_PREV_HASH });

  assert.equal(BEFORE_GENESIS.blockHash, block.prevHash);
  assert.throws(() => seal({ height: 0, prevHash: HASH_A }), codeIs('hash_invalid'));
});

suite('an input that cannot be part of a chain is refused', () => {
  const cases: readonly (readonly [string, Partial<UnsealedBlock>, string])[] = [
    ['a negative height', { height: -1 }, 'height_invalid'],
    ['a fraction of a height', { height: 1.5 }, 'height_invalid'],
    ['an unsafe height', { height: 2 ** 53 }, 'height_invalid'],
    ['a short previous hash', { prevHash: 'abc' }, 'hash_invalid'],
    ['a previous hash in upper case', { prevHash: 'A'.repeat(64) }, 'hash_invalid'],
    ['a previous hash with a line feed', { prevHash: `${HASH_A}\n` }, 'hash_invalid'],
    ['a payload that is no object', { payloadText: '[1]' }, 'payload_text_invalid'],
    ['no payload', { payloadText: '' }, 'payload_text_invalid'],
    ['a payload that is one brace', { payloadText: '{' }, 'payload_text_invalid'],
  ];
  for (const [name, changes, code] of cases) {
    test(`${name}`, () => {
      assert.throws(() => seal(changes), codeIs(code));
    });
  }
});

test('a hash function that does not answer lower-case hex is refused', () => {
  assert.throws(
    () => sealBlock({ ...GOOD, hash: (text) => sha256Hex(text).toUpperCase() }),
    codeIs('hash_invalid'),
  );
});

test('parseBlock reads back what was sealed', () => {
  const payloads = fc.dictionary(
    fc.string({ unit: anyCharacter }),
    fc.oneof(fc.string({ unit: anyCharacter }), fc.maxSafeInteger()),
  );
  fc.assert(
    fc.property(fc.nat(), payloads, (height, payload: JsonObject) => {
      const text = canonicalize(payload);
      const block = seal({ height: height + 1, payloadText: text });

      const parsed = parseBlock(block.canonical);

      assert.equal(parsed.height, height + 1);
      assert.equal(parsed.prevHash, HASH_A);
      assert.equal(parsed.payloadText, text);
      assert.equal(payloadText(block.canonical), text);
      assert.equal(canonicalize(parsed.payload), text);
    }),
  );
});

suite('parseBlock refuses a text without the frame of a block', () => {
  const { canonical } = seal();
  const texts: readonly (readonly [string, string])[] = [
    ['no text', ''],
    ['another object', '{"a":1}'],
    ['a space in the frame', canonical.replace('"height":3', '"height": 3')],
    ['a height with a leading zero', canonical.replace('"height":3', '"height":03')],
    ['an unsafe height', canonical.replace('"height":3', '"height":9999999999999999')],
    ['a payload that is no object', canonical.replace('{"v":1}', '[]')],
    ['a line feed at the end', `${canonical}\n`],
    ['a hash in upper case', canonical.replace(HASH_A, HASH_A.toUpperCase())],
    ['a cut text', canonical.slice(0, -1)],
  ];
  for (const [name, text] of texts) {
    test(`${name}`, () => {
      assert.throws(() => parseBlock(text), codeIs('not_canonical'));
    });
  }
});

test('parseBlock refuses a payload that is not JSON', () => {
  const { canonical } = seal({ payloadText: '{"v":}' });

  assert.throws(() => parseBlock(canonical), codeIs('not_json'));
});
