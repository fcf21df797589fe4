// The validators of requests: bodies are taken as they are, query and path are turned from text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { compileFirstErrorSchema, compileRequestSchema } from './request-validation.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    n: { type: 'integer', minimum: 0, maximum: 9, default: 5 },
    b: { type: 'boolean' },
  },
  additionalProperties: false,
} as const;

/** Sends one request to an app that answers what it understood. */
async function understood(options: {
  readonly query?: string;
  readonly body?: unknown;
}): Promise<{ readonly status: number; readonly json: unknown }> {
  await using app = fastify();
  app.setValidatorCompiler(compileRequestSchema);
  app.post('/', { schema: { querystring: SCHEMA, body: SCHEMA } }, (request) => ({
    query: request.query,
    body: request.body,
  }));
  app.setErrorHandler((error, _request, reply) =>
    reply.code(422).send(Reflect.get(Object(error), 'validation')),
  );
  const answer = await app.inject({
    method: 'POST',
    url: `/?${options.query ?? ''}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(options.body ?? {}),
  });
  return { status: answer.statusCode, json: JSON.parse(answer.payload) };
}

test('text of a query is turned into the type it should have, and defaults are filled in', async () => {
  const { json } = await understood({ query: 'b=true' });

  assert.deepEqual(json, { query: { b: true, n: 5 }, body: {} });
});

test('a body is neither turned nor filled in', async () => {
  const { status, json } = await understood({ body: { n: '5' } });

  assert.equal(status, 422);
  assert.ok(Array.isArray(json));
  assert.equal(Reflect.get(Object(json[0]), 'instancePath'), '/n');
});

test('unknown members of a body are refused, not removed', async () => {
  const { status } = await understood({ body: { x: 1 } });

  assert.equal(status, 422);
});

test('all errors of a part are found at once', async () => {
  const { json } = await understood({ body: { n: 10, b: 'no', x: 1 } });

  assert.ok(Array.isArray(json));
  assert.equal(json.length, 3);
});

for (const n of ['1e400', '-1', '10', '1.5', 'x', 'NaN', 'Infinity', '1&n=2']) {
  test(`n=${n} is refused in a query`, async () => {
    const { status } = await understood({ query: `n=${n}` });

    assert.equal(status, 422);
  });
}

test('NaN is no number of a body', () => {
  const check = compileFirstErrorSchema({ type: 'number' });

  assert.equal(check(Number.NaN).kind, 'invalid');
  assert.equal(check(Number.POSITIVE_INFINITY).kind, 'invalid');
  assert.equal(check(0).kind, 'valid');
});

test('the first-error validator names one error', () => {
  const checked = compileFirstErrorSchema(SCHEMA)({ n: 10, b: 'no', x: 1 });

  assert.ok(checked.kind === 'invalid');
  assert.equal(checked.errors.length, 1);
});

test('what is no schema is refused, whatever part of a request it is for', () => {
  const schema: object = { type: 'object', properties: { n: { minimum: 'nothing' } } };

  for (const httpPart of ['body', 'querystring', 'params', 'headers']) {
    assert.throws(
      () => compileRequestSchema({ schema, method: 'POST', url: '/', httpPart }),
      /schema is invalid: .*minimum must be number/,
      httpPart,
    );
  }
});
