// Unions that a serializer writes without validators, and what it writes of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '../../json-schema.ts';
import { compileAnswerSchema } from './answer-serializers.ts';
import { withPlainUnions } from './plain-unions.ts';

const NULL = Type.Null();

test('a union with null is the other schema, which may be null', () => {
  const schema = Type.Union([Type.String({ maxLength: 3 }), NULL], { description: 'A name' });

  const plain = withPlainUnions({ ...schema });

  assert.deepEqual(plain, {
    description: 'A name',
    type: 'string',
    maxLength: 3,
    nullable: true,
  });
});

test('a union of literals and enumerations is an enumeration', () => {
  const literals = [Type.Literal('starting'), Type.Literal('upgrading')];

  const unions = [
    Type.Union(literals),
    Type.Union([...literals, NULL]),
    Type.Union([Type.Enum(['on', 'off']), NULL]),
  ];

  const plain = unions.map((union) => withPlainUnions({ ...union }));

  assert.deepEqual(plain, [
    { enum: ['starting', 'upgrading'] },
    { enum: ['starting', 'upgrading', null] },
    { enum: ['on', 'off', null] },
  ]);
});

test('a union of other schemas stays, and what is in it is plain', () => {
  const inner = Type.Object({ at: Type.Union([Type.String(), NULL]) });

  const union = Type.Union([inner, Type.Object({ size: Type.Integer() })]);

  const plain = withPlainUnions({ ...union });

  const members: unknown = plain['anyOf'];
  assert.ok(Array.isArray(members));
  assert.deepEqual(members[0], {
    type: 'object',
    required: ['at'],
    properties: { at: { type: 'string', nullable: true } },
  });
  assert.equal(members.length, 2);
});

test('a union of null and a schema of no one type stays', () => {
  for (const other of [{ type: ['string', 'integer'] }, {}, { anyOf: [{}, {}] }]) {
    const union = { anyOf: [other, { type: 'null' }] };

    assert.deepEqual(withPlainUnions(union), union);
  }
});

test('names of members and values are no keywords', () => {
  const schema = {
    type: 'object',
    properties: { anyOf: { type: 'integer' }, items: { type: 'string' } },
    const: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  };

  const plain = withPlainUnions({ ...schema });

  assert.deepEqual(plain, schema);
});

const ANSWER: object = Type.Object({
  text: Type.Union([Type.String(), NULL]),
  number: Type.Union([Type.Integer(), NULL]),
  state: Type.Union([Type.Enum(['on', 'off']), NULL]),
  kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
  object: Type.Union([Type.Object({ name: Type.String() }), NULL]),
  list: Type.Union([Type.Array(Type.Union([Type.Integer(), NULL])), NULL]),
  named: Type.Record(Type.String(), Type.Union([Type.Boolean(), NULL])),
  either: Type.Union(
    ['one', 'two'].map((name) =>
      Type.Object({
        [name]: Type.Integer(),
        state: Type.Union([Type.Enum(['on', 'off']), NULL]),
        text: Type.Union([Type.String(), NULL]),
      }),
    ),
  ),
});

for (const [what, answer] of [
  [
    'values',
    {
      text: 'x"y',
      number: 5,
      state: 'on',
      kind: 'b',
      object: { name: 'n' },
      list: [1, null],
      named: { yes: true, none: null },
      either: { two: 2, state: 'on', text: 'x' },
    },
  ],
  [
    'null where a member may be null',
    {
      text: null,
      number: null,
      state: null,
      kind: 'a',
      object: null,
      list: null,
      named: {},
      either: { one: 1, state: null, text: null },
    },
  ],
] as const) {
  test(`an answer of all kinds of unions is written as it is: ${what}`, () => {
    const write = compileAnswerSchema({
      ...{ schema: ANSWER, method: 'GET', url: '/', httpStatus: '200' },
    });

    const written: unknown = JSON.parse(write(answer));

    assert.deepEqual(written, answer);
  });
}

test('members that a schema does not name are left out inside of a union with null', () => {
  const write = compileAnswerSchema({
    ...{ schema: ANSWER, method: 'GET', url: '/', httpStatus: '200' },
  });

  const written = write({
    ...{ text: null, number: null, state: null, kind: 'a', list: null, named: {} },
    object: { name: 'n', secret: 's' },
    either: { one: 1, state: null, text: null },
  });

  assert.doesNotMatch(written, /secret/);
});
