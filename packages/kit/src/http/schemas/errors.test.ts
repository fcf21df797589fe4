// Collecting what a schema refuses: every error is found until there are enough of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIELD_ERRORS_MAX } from '../field-errors.ts';
import { compileValueSchema } from './request-validation.ts';

const ITEMS_MAX = 3;
const SCHEMA = {
  type: 'object',
  required: ['lines'],
  properties: {
    name: { type: 'string' },
    lines: {
      type: 'array',
      maxItems: ITEMS_MAX,
      items: {
        type: 'object',
        properties: { n: { type: 'number' } },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** The paths and keywords of the errors of a value. */
function errorsIn(schema: object, value: unknown): readonly string[] {
  const checked = compileValueSchema(schema)(value);
  assert.ok(checked.kind === 'invalid');
  return checked.errors.map(({ keyword, instancePath }) => `${instancePath} ${keyword}`);
}

const makeMembers = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

test('collecting stops at as many errors as one answer names', () => {
  const lines = { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } };
  const schema = { type: 'object', properties: { lines } };
  let looked = 0;
  const wrong = (): object => ({
    get n() {
      looked += 1;
      return 'x';
    },
  });

  const errors = errorsIn(schema, { lines: Array.from({ length: 50_000 }, wrong) });

  assert.equal(errors.length, FIELD_ERRORS_MAX);
  assert.ok(looked < 10 * FIELD_ERRORS_MAX, `${looked} values were looked at`);
});

test('lists in lists and in objects are looked at, each error at its own place', () => {
  const schema = {
    type: 'object',
    properties: {
      'a/b': {
        type: 'object',
        properties: {
          rows: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        },
      },
    },
  };

  assert.deepEqual(errorsIn(schema, { 'a/b': { rows: [[1, 'x'], 2, ['y']] } }), [
    '/a~1b/rows/0/1 type',
    '/a~1b/rows/1 type',
    '/a~1b/rows/2/0 type',
  ]);
});

test('unknown members are named up to what one answer names, of the whole value', () => {
  const value = { lines: [makeMembers(600), { ...makeMembers(600), n: 'x' }], unknown: 1 };

  assert.equal(errorsIn(SCHEMA, value).length, FIELD_ERRORS_MAX);
});

test('a member named __proto__ is an unknown member like others', () => {
  const value: unknown = JSON.parse(
    `{"__proto__":1,${JSON.stringify(makeMembers(2_000)).slice(1)}`,
  );
  const checked = compileValueSchema(SCHEMA)(value);

  assert.ok(checked.kind === 'invalid');
  assert.ok(checked.errors.some(({ params }) => params['additionalProperty'] === '__proto__'));
});

test('a long list is named, and what is beyond its bound is not looked at', () => {
  const lines = [{ n: 1 }, { n: 2 }, { n: 3 }, 'wrong'];

  assert.deepEqual(errorsIn(SCHEMA, { lines }), ['/lines maxItems']);
});

test('a validator names a long list and every other error once', () => {
  const check = compileValueSchema(SCHEMA);

  const checked = check({ name: 5, lines: [1, {}, { n: 'x' }, 4, 5], colour: 1 });

  assert.ok(checked.kind === 'invalid');
  assert.deepEqual(
    checked.errors.map(({ keyword, instancePath }) => `${instancePath} ${keyword}`).toSorted(),
    [' additionalProperties', '/lines maxItems', '/lines/0 type', '/lines/2/n type', '/name type'],
  );
});

test('a value is judged valid exactly when a validator without bounds judges so', () => {
  const lines = fc.array(fc.oneof(fc.record({ n: fc.integer() }), fc.jsonValue({ maxDepth: 1 })), {
    maxLength: 5,
  });
  const values = fc.oneof(
    fc.record({ lines, name: fc.oneof(fc.string(), fc.constant(5)) }, { requiredKeys: [] }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const check = compileValueSchema(SCHEMA);
  fc.assert(
    fc.property(values, (value) => {
      assert.equal(check(value).kind === 'valid', isValid(value));
    }),
  );
});

/** SCHEMA in plain words. */
function isValid(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { lines, name, ...unknown } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(unknown).length > 0) return false;
  if (Object.hasOwn(value, 'name') && typeof name !== 'string') return false;
  return (
    Array.isArray(lines) &&
    lines.length <= ITEMS_MAX &&
    lines.every((line: unknown) => {
      if (typeof line !== 'object' || line === null || Array.isArray(line)) return false;
      return Object.entries(line).every(
        ([key, member]) => key === 'n' && typeof member === 'number',
      );
    })
  );
}
