// One serializer for each schema, which writes what the schema names and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileAnswerSchema } from './answer-serializers.ts';

const POINT = { type: 'object', properties: { x: { type: 'integer' } } } as const;
const NAMED = { type: 'object', properties: { name: { type: 'string' } } } as const;

function compileSerializer(schema: object, url: string): (answer: unknown) => string {
  return compileAnswerSchema({ schema, method: 'GET', url, httpStatus: '200' });
}

test('routes that answer with one schema share its serializer', () => {
  const [first, second] = [compileSerializer(POINT, '/first'), compileSerializer(POINT, '/second')];

  assert.equal(first, second);
});

test('each schema has a serializer of its own, which leaves out what the schema does not name', () => {
  const answer = { x: 1, name: 'one', secret: 'two' };

  const written = [POINT, NAMED].map((schema) => compileSerializer(schema, '/')(answer));

  assert.deepEqual(written, ['{"x":1}', '{"name":"one"}']);
});
