// Which schemas of a description become components, and under which names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameSchemas } from './named-schemas.ts';

const NUMBER = { type: 'integer' } as const;

/** A description with one operation, which answers with a schema. */
function describing(schema: object, others: Readonly<Record<string, object>> = {}) {
  const answers = { 200: schema, ...others };
  const responses = Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { description: '', content: { 'application/json': { schema: answer } } },
    ]),
  );
  return { openapi: '3.1.0', paths: { '/x': { get: { operationId: 'getX', responses } } } };
}

const readComponents = (schema: object): unknown =>
  nameSchemas(describing(schema)).components.schemas;

test('an object is called by its title, and its parts by their places in it', () => {
  const part = { type: 'object', properties: { x: NUMBER } };
  const properties = { one_part: part, parts: { type: 'array', items: part } };

  const components = readComponents({ title: 'Whole', type: 'object', properties });

  assert.deepEqual(components, {
    Whole: {
      type: 'object',
      properties: {
        one_part: { $ref: '#/components/schemas/WholeOnePart' },
        parts: { type: 'array', items: { $ref: '#/components/schemas/WholePartsItem' } },
      },
    },
    WholeOnePart: part,
    WholePartsItem: part,
  });
});

test('an object without a title is called by its operation and status', () => {
  const answer = { type: 'object', properties: { x: NUMBER } };
  const refusal = { type: 'object', properties: { detail: { type: 'string' } } };

  const described = nameSchemas(describing(answer, { 404: refusal }));

  assert.deepEqual(described.components.schemas, { GetXAnswer: answer, GetXAnswer404: refusal });
});

test('an object that may be null is a component that is not null', () => {
  const point = { title: 'Point', type: ['object', 'null'], properties: { x: NUMBER } };

  const described = nameSchemas(describing({ type: 'array', items: point }));

  assert.deepEqual(described.components.schemas, {
    Point: { type: 'object', properties: { x: NUMBER } },
  });
  assert.match(
    JSON.stringify(described.paths),
    /"items":\{"anyOf":\[\{"\$ref":"#\/components\/schemas\/Point"\},\{"type":"null"\}\]\}/,
  );
});

test('the examples of a component are beside its reference', () => {
  const example = { x: 1 };
  const point = { title: 'Point', properties: { x: NUMBER }, examples: [example] };

  const described = nameSchemas(describing(point));

  assert.match(JSON.stringify(described.paths), /"example":\{"x":1\}/);
  assert.deepEqual(described.components.schemas, { Point: { properties: { x: NUMBER } } });
});

test('two schemas of one name have to be the same', () => {
  const first = { title: 'Point', properties: { x: NUMBER } };
  const second = { title: 'Point', properties: { y: NUMBER } };

  assert.doesNotThrow(() => nameSchemas(describing(first, { 201: first })));
  assert.throws(
    () => nameSchemas(describing(first, { 201: second })),
    /two schemas that differ are called Point/,
  );
});

test('an operation without an operationId is named', () => {
  const document = { paths: { '/x': { get: { responses: {} } } } };

  assert.throws(() => nameSchemas(document), /get \/x has no operationId/);
});

test('a choice of texts is described as a text', () => {
  assert.deepEqual(readComponents({ title: 'Side', enum: ['in', 'out'] }), {
    Side: { type: 'string', enum: ['in', 'out'] },
  });
});
