// Reading a JSON body strictly: what is refused, what is marked as inexact, what is read unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonBodyError, isExactNumber, parseJsonBody } from './json-body.ts';

const parse = (text: string): unknown => parseJsonBody(Buffer.from(text, 'utf8'));

test('any JSON value whose numbers have at most 15 digits is read as JSON.parse reads it', () => {
  const values = fc
    .jsonValue({ maxDepth: 4 })
    .map((value): unknown =>
      JSON.parse(
        JSON.stringify(value, (_key, member: unknown) =>
          typeof member === 'number' ? Number(member.toPrecision(15)) : member,
        ),
      ),
    );
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
  );
});

for (const literal of ['0', '-0', '15', '0.1', '1e3', '1E-3', '123456789012345', '1.5e300']) {
  test(`${literal} is kept`, () => {
    assert.deepEqual(parse(`[${literal}]`), [Number(literal)]);
  });
}

for (const literal of [
  '100000000000000000000',
  '0.00000000000000000000012',
  '5.000000000000000000',
]) {
  test(`${literal} has few significant digits and is kept`, () => {
    assert.deepEqual(parse(`{"a":${literal}}`), { a: Number(literal) });
  });
}

for (const literal of [
  ...['1234567890123456', '0.30000000000000000001', '9007199254740993', '-0.1234567890123456'],
  ...['1e400', '-1e400', '1e-400', '-1E-400', `0.${'0'.repeat(400)}1`, `1${'0'.repeat(400)}`],
]) {
  test(`${literal.slice(0, 30)} becomes NaN, which no schema accepts`, () => {
    assert.deepEqual(parse(`{"a":[${literal}]}`), { a: [Number.NaN] });
  });
}

test('zero is zero, however it is written', () => {
  assert.deepEqual(parse('[0e400, 0.0000000000000000000000, -0e-999]'), [0, 0, -0]);
});

test('long digits in a text are text', () => {
  const body = { code: '1234567890123456789', note: '1e400' };

  assert.deepEqual(parse(JSON.stringify(body)), body);
});

for (const [name, bytes] of [
  ['bytes that are not UTF-8', [0x22, 0xff, 0x22]],
  ['an overlong sequence', [0x22, 0xc0, 0x80, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a sequence that is cut off', [0x22, 0xf0, 0x9f, 0x8d]],
] as const) {
  test(`${name} are refused`, () => {
    assert.throws(() => parseJsonBody(Buffer.from(bytes)), JsonBodyError);
  });
}

for (const text of ['', ' ', '{', '[1,]', '{a:1}', "'a'", 'NaN', '01', '1.', '\ufeff{}', '1 2']) {
  test(`${JSON.stringify(text)} is no JSON`, () => {
    assert.throws(() => parse(text), { code: 'json_invalid', message: 'Body is not valid JSON' });
  });
}

test('a large body may nest 64 deep and not deeper', () => {
  const padding = JSON.stringify('x'.repeat(70_000));
  const nested = (depth: number): string => `${'['.repeat(depth)}${padding}${']'.repeat(depth)}`;

  assert.doesNotThrow(() => parse(nested(64)));
  assert.throws(() => parse(nested(65)), { message: 'Body is nested too deeply' });
});

test('brackets in texts do not nest', () => {
  const body = ['[{'.repeat(40_000), '\\"[[[[', '"', '{'.repeat(100)];

  assert.deepEqual(parse(JSON.stringify(body)), body);
});

test('many containers beside each other do not nest', () => {
  const body = Array.from({ length: 20_000 }, () => [{}]);

  assert.deepEqual(parse(JSON.stringify(body)), body);
});

test('a number is exact up to 15 digits, zeros at both ends not counted', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,13}[1-9]$/);
  fc.assert(
    fc.property(digits, fc.nat({ max: 20 }), fc.nat({ max: 20 }), (text, left, right) => {
      assert.ok(isExactNumber(`-0.${'0'.repeat(left)}${text}${'0'.repeat(right)}e7`));
      assert.ok(!isExactNumber(`${text.padEnd(15, '1')}1`));
    }),
  );
});
