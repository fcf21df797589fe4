// Cutting a value to the bounds of its schema: what is within them is not even copied, and what is
// cut stays as invalid as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIELD_ERRORS_MAX } from './field-errors.ts';
import { compileValueSchema } from './request-validation.ts';
import { takeExcessOff } from './schema-excess.ts';

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

const membersOf = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

test('a value within the bounds is returned itself', () => {
  const value = { name: 'a', lines: [{ n: 1 }, { n: 2, extra: 3 }, 4], unknown: {} };

  const bounded = takeExcessOff(SCHEMA, value);

  assert.equal(bounded.value, value);
  assert.deepEqual(bounded.errors, []);
});

test('a long list is cut and named', () => {
  const lines = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }];

  const bounded = takeExcessOff(SCHEMA, { lines, name: 'a' });

  assert.deepEqual(bounded.value, { lines: lines.slice(0, ITEMS_MAX), name: 'a' });
  assert.deepEqual(
    bounded.errors.map(({ keyword, instancePath, params }) => ({ keyword, instancePath, params })),
    [{ keyword: 'maxItems', instancePath: '/lines', params: { limit: ITEMS_MAX } }],
  );
});

test('unknown members are kept up to what one answer names, of the whole value', () => {
  const value = { lines: [membersOf(600), { ...membersOf(600), n: 1 }], unknown: 1 };

  const { value: bounded } = takeExcessOff(SCHEMA, value);

  const lines = Reflect.get(Object(bounded), 'lines') as readonly object[];
  const unknown = lines.flatMap((line) => Object.keys(line).filter((name) => name !== 'n'));
  assert.equal(unknown.length + 1, FIELD_ERRORS_MAX);
  assert.equal(Reflect.get(lines[1]!, 'n'), 1);
});

test('a member named __proto__ stays a member', () => {
  const text = `{"__proto__":1,${JSON.stringify(membersOf(2_000)).slice(1)}`;

  const { value } = takeExcessOff(SCHEMA, JSON.parse(text));

  assert.ok(Object.hasOwn(Object(value) as object, '__proto__'));
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
