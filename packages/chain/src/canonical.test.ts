// Canonical text against a reference implementation of RFC 8785, and what it refuses.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import reference from 'canonicalize';
import fc from 'fast-check';

import { anyCharacter } from '../test/any-character.ts';
import { canonicalize, ChainError, jsonString, type JsonValue } from './index.ts';
import { isCanonicalText, NESTING_MAX, toCanonicalText } from './canonical.ts';

const wellFormed = fc.string({ unit: anyCharacter });

const { value: jsonValues } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    wellFormed,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(wellFormed, tie('value'), { maxKeys: 6 }),
  ),
}));

test('canonical text equals that of a reference implementation', () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      assert.equal(canonicalize(value), reference(value));
    }),
    { numRuns: 500 },
  );
});

test('canonical text is JSON of the same value, and its own canonical text', () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      const text = canonicalize(value);

      const parsed: unknown = JSON.parse(text);

      assert.equal(toCanonicalText(parsed), text);
      assert.equal(JSON.stringify(sorted(parsed)), JSON.stringify(sorted(value)));
    }),
  );
});

test('canonical text does not depend on the order in which members were added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(wellFormed, fc.maxSafeInteger())), (members) => {
      const unique = [...new Map(members)];

      assert.equal(
        canonicalize(Object.fromEntries(unique)),
        canonicalize(Object.fromEntries(unique.toReversed())),
      );
    }),
  );
});

test('every number but a safe integer is refused', () => {
  fc.assert(
    fc.property(
      fc.double().filter((number) => !Number.isSafeInteger(number)),
      (number) => {
        assert.throws(() => canonicalize({ n: [number] }), codeIs('number_not_safe_integer'));
      },
    ),
  );
});

test('a string is quoted as RFC 8785 demands, or refused when it is not well-formed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
      const text = String.fromCharCode(...units);

      if (text.isWellFormed()) assert.equal(jsonString(text), reference(text));
      else assert.throws(() => jsonString(text), codeIs('lone_surrogate'));
    }),
  );
});

suite('a value without a canonical text is refused', () => {
  const values: readonly (readonly [name: string, value: unknown])[] = [
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['a hole in an array', Array(1)],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a boxed string', Object('a')],
  ];
  for (const [name, value] of values) {
    test(`${name}`, () => {
      assert.throws(() => toCanonicalText([value]), codeIs('value_unsupported'));
    });
  }
});

test('an object without a prototype is a plain object', () => {
  const member = { value: 1, enumerable: true };
  const value: unknown = Object.create(null, { b: member, a: member });

  assert.equal(toCanonicalText(value), '{"a":1,"b":1}');
});

test('a value that contains itself is refused and not followed for ever', () => {
  const value: unknown[] = [];
  value.push(value);

  assert.throws(() => toCanonicalText(value), codeIs('nesting_too_deep'));
});

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ChainError && error.code === code;
}

/** The value with the members of every object in one order, for comparison as text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}

test('a text is canonical when it is what its value is written as, however it is spelled', () => {
  const spellings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replace(':', ': '),
    (text) => text.replace('{', '{"\\u0061":1,'),
    (text) => text.replace(/^\{(.*)\}$/s, '{$1,"a":1}'),
    (text) => text.replace('a', '\\u0061'),
    (text) => text.replace('true', '1.0'),
    (text) => text.replace('true', '1e3'),
    (text) => text.replace('false', '1.5'),
    (text) => text.replace('null', '9007199254740993'),
    (text) => text.replace('null', '-0'),
    (text) => text.replace('""', '"\\ud800"'),
    (text) => text.replace('""', '"\\\\ud800"'),
    (text) => `${'['.repeat(NESTING_MAX - 6)}${text}${']'.repeat(NESTING_MAX - 6)}`,
  ];
  const keys = fc.oneof(wellFormed, fc.nat({ max: 20 }).map(String));
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      jsonValues,
      fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(...spellings), fc.boolean(), (json, spell, inOrder) => {
      const spelled = spell(inOrder ? canonicalize(json) : JSON.stringify(json));
      const parsed = parsedOrNothing(spelled);
      fc.pre(parsed !== undefined);

      assert.equal(isCanonicalText(spelled, parsed), writtenAnew(parsed) === spelled, spelled);
    }),
    { numRuns: 5_000 },
  );
});

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writtenAnew(value: unknown): string | undefined {
  try {
    return toCanonicalText(value);
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
