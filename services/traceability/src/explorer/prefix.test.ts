// The range of a prefix holds exactly the texts that start with it, in the order of code points.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { textAbovePrefix } from './prefix.ts';

test('the last character is raised by one code point', () => {
  assert.equal(textAbovePrefix('LOT-1'), 'LOT-2');
  assert.equal(textAbovePrefix('é'), 'ê');
});

test('a last character that cannot be raised is dropped', () => {
  assert.equal(textAbovePrefix('A\u{10ffff}'), 'B');
  assert.equal(textAbovePrefix('\u{10ffff}'), undefined);
});

test('surrogates are stepped over', () => {
  assert.equal(textAbovePrefix('A\ud7ff'), 'A\ue000');
});

const wellFormed = fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed());

test('a text is in the range when it starts with the prefix, and only then', () => {
  const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

  fc.assert(
    fc.property(wellFormed, wellFormed, (prefix, text) => {
      fc.pre(prefix !== '');
      const above = textAbovePrefix(prefix);

      for (const candidate of [text, prefix + text]) {
        const inRange =
          compare(candidate, prefix) >= 0 && (above === undefined || compare(candidate, above) < 0);

        assert.equal(inRange, candidate.startsWith(prefix));
      }
    }),
  );
});
