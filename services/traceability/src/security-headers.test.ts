// What an answer says to browsers, and that a route has the last word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { setSecurityHeaders } from './security-headers.ts';

test('an answer says how little browsers may do with it, also when it refuses', async () => {
  await using app = fastify();
  app.addHook('onRequest', setSecurityHeaders);
  app.get('/', async () => ({}));

  const answers = [await app.inject('/'), await app.inject('/nothing')];

  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 404],
  );
  for (const { headers } of answers) {
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['strict-transport-security'], undefined);
  }
});

test('a route that sets one of these headers decides it', async () => {
  await using app = fastify();
  app.addHook('onRequest', setSecurityHeaders);
  app.get('/', async (_request, reply) => reply.header('Referrer-Policy', 'same-origin').send({}));

  const { headers } = await app.inject('/');

  assert.equal(headers['referrer-policy'], 'same-origin');
});
