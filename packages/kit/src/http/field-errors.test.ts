// From what the schema validator says to the vocabulary of docs/errors.md#fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { FIELD_ERRORS_MAX, TEXT_PATTERN, toFieldErrors } from './field-errors.ts';
import { compileValueSchema } from './schemas/request-validation.ts';

/** What is said of one member with this schema and value. */
function judged(schema: object, value: unknown): readonly unknown[] {
  const check = compileValueSchema({ type: 'object', properties: { a: schema } });
  const checked = check({ a: value });
  assert.equal(checked.kind, 'invalid');
  return checked.kind === 'invalid' ? toFieldErrors(checked.errors, ['body']) : [];
}

const CASES: readonly (readonly [object, unknown, string, string])[] = [
  [{ type: 'string' }, 5, 'Input should be a valid string', 'string_type'],
  [{ type: ['string', 'null'] }, 5, 'Input should be a valid string', 'string_type'],
  [{ type: 'string' }, Infinity, 'Input should be a valid string', 'string_type'],
  [{ type: 'number' }, '5', 'Input should be a valid number', 'float_type'],
  [{ type: 'integer' }, '5', 'Input should be a valid integer', 'int_type'],
  [{ type: 'boolean' }, 1, 'Input should be a valid boolean', 'bool_type'],
  [{ type: 'array' }, {}, 'Input should be a valid list', 'list_type'],
  [{ type: 'object' }, [], 'Input should be a valid object', 'dict_type'],
  [{ enum: ['x', 'y'] }, 'z', 'Input should be one of x, y', 'enum'],
  [
    { type: 'number', minimum: 0 },
    -1,
    'Input should be greater than or equal to 0',
    'greater_than_equal',
  ],
  [
    { type: 'number', maximum: 9 },
    10,
    'Input should be less than or equal to 9',
    'less_than_equal',
  ],
  [{ minLength: 1 }, '', 'String should have at least 1 character(s)', 'string_too_short'],
  [{ maxLength: 2 }, 'abc', 'String should have at most 2 characters', 'string_too_long'],
  [{ minItems: 1 }, [], 'List should have at least 1 item(s)', 'too_short'],
  [{ maxItems: 1 }, [1, 2], 'List should have at most 1 items', 'too_long'],
  [{ pattern: '^a+$' }, 'b', 'String should match ^a+$', 'string_pattern_mismatch'],
  [
    { pattern: TEXT_PATTERN },
    'a\0',
    'String should not contain NUL or lone surrogates',
    'string_unicode',
  ],
  [
    { type: 'number' },
    Infinity,
    'Number should have at most 15 significant digits',
    'decimal_max_digits',
  ],
];

for (const [schema, value, msg, type] of CASES) {
  test(`${JSON.stringify(schema)} against ${inspect(value)} is ${type}`, () => {
    assert.deepEqual(judged(schema, value), [{ loc: ['body', 'a'], msg, type }]);
  });
}

test('missing and unknown members are named at their own place', () => {
  const check = compileValueSchema({
    type: 'array',
    items: {
      type: 'object',
      required: ['a'],
      properties: { a: {} },
      additionalProperties: false,
    },
  });

  const checked = check([{ a: 1 }, { 'b/c~d': 1 }]);

  assert.ok(checked.kind === 'invalid');
  assert.deepEqual(toFieldErrors(checked.errors, ['body', 'events', 3]), [
    { loc: ['body', 'events', 3, 1, 'a'], msg: 'Field required', type: 'missing' },
    {
      loc: ['body', 'events', 3, 1, 'b/c~d'],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    },
  ]);
});

test('members with slashes and tildes in their name keep it in the path', () => {
  const check = compileValueSchema({
    type: 'object',
    properties: { 'a/b~c': { type: 'object', properties: { '01': { type: 'string' } } } },
  });

  const checked = check({ 'a/b~c': { '01': 5 } });

  assert.ok(checked.kind === 'invalid');
  assert.deepEqual(toFieldErrors(checked.errors, [])[0]?.loc, ['a/b~c', '01']);
});

test('one answer names a bounded number of errors', () => {
  const error = { keyword: 'type', instancePath: '/a', params: { type: 'string' } };
  const errors = new Array<typeof error>(FIELD_ERRORS_MAX + 1).fill(error);

  assert.equal(toFieldErrors(errors, []).length, FIELD_ERRORS_MAX);
});

test('the text pattern takes every well-formed text without NUL', () => {
  const pattern = new RegExp(TEXT_PATTERN, 'u');

  assert.ok(['', 'a', '🍞', '\u0001', '\uffff', '\n'].every((text) => pattern.test(text)));
  assert.ok(['\0', 'a\ud800', '\udc00b', '\udc00\ud800'].every((text) => !pattern.test(text)));
});
