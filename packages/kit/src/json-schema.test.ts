// The builders of schemas make what those of typebox make.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as Typebox } from 'typebox';
import { Type } from './json-schema.ts';

/** One schema of each kind, made by either. */
function schemasBy(type: typeof Type): Readonly<Record<string, object>> {
  const point = type.Object(
    {
      x: type.Integer({ minimum: 0, maximum: 9, default: 5 }),
      y: type.Optional(type.Number({ exclusiveMinimum: 0 })),
      name: type.String({ maxLength: 9, pattern: '^a', description: 'a name', examples: ['a'] }),
    },
    { additionalProperties: false, description: 'a point' },
  );
  return {
    point,
    'without members': type.Object({}),
    'with optional members only': type.Object({ a: type.Optional(type.String()) }),
    'an optional copied': type.Object({ a: { ...type.Optional(type.String()) } }),
    'twice optional': type.Object({ a: type.Optional(type.Optional(type.Null())) }),
    'an unsafe optional': type.Object({
      a: type.Unsafe<string>(type.Optional(type.Number())),
      b: type.Optional(type.Unsafe<string>({ type: 'string', format: 'date' })),
    }),
    omitted: type.Omit(point, ['x']),
    partial: type.Partial(point),
    'partial of optional': type.Partial(type.Object({ a: type.Optional(type.Boolean()) })),
    'members of a partial': type.Object({ ...type.Partial(point).properties, z: type.Null() }),
    list: type.Array(point, { minItems: 1, maxItems: 2 }),
    list2: type.Array(type.Boolean({ default: false })),
    words: type.Enum(['a', 'b'], { default: 'a' }),
    yes: type.Literal(true, { description: 'only then' }),
    no: type.Literal('no'),
    one: type.Literal(1),
    either: type.Union([type.Integer(), type.Null()], { examples: [1, null] }),
    texts: type.Record(type.String(), type.Integer(), { description: 'by name' }),
    counts: type.Record(type.Enum(['b', 'a']), type.Integer()),
    nothing: type.Null({ description: 'absent' }),
  };
}

test('each schema is the one that typebox makes, its members in the same order', () => {
  const [ours, theirs] = [schemasBy(Type), schemasBy(Typebox)];

  for (const [name, schema] of Object.entries(theirs)) {
    assert.equal(JSON.stringify(ours[name]), JSON.stringify(schema), name);
  }
});
