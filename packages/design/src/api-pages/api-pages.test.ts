// The pages of a description: what a caller needs of an endpoint is on its page, and nothing that a
// description says becomes markup.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ApiPages } from './api-pages.ts';

const HOSTILE = `<script>alert(1)</script>"'`;

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Ovens', version: '1.2.3', description: 'Heats `things`.' },
  servers: [{ url: 'https://ovens.example' }],
  tags: [{ name: 'Heat', description: 'Heating' }],
  components: {
    securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    schemas: {
      Oven: {
        type: 'object',
        required: ['name'],
        description: 'An oven',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 20, description: 'As `people` say' },
          state: { type: ['string', 'null'], enum: ['on', 'off'] },
          racks: { type: 'array', maxItems: 9, items: { $ref: '#/components/schemas/Rack' } },
          maker: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
      Rack: { type: 'object', properties: { oven: { $ref: '#/components/schemas/Oven' } } },
      Unused: { type: 'object' },
    },
  },
  paths: {
    '/ovens/{name}': {
      put: {
        operationId: 'setOven',
        summary: `Set ${HOSTILE}`,
        tags: ['Heat'],
        security: [{ ApiKey: [] }],
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string' }, example: 'a/b' },
          { name: 'force', in: 'query', schema: { type: 'boolean', default: false } },
          { name: 'at', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Oven' },
              example: { name: `O'Brien ${HOSTILE}` },
            },
          },
        },
        responses: {
          204: { description: 'It is set' },
          404: { description: '`not_found`: none' },
        },
      },
      get: { operationId: 'getOven', responses: {} },
    },
  },
};

const pages = new ApiPages(() => Promise.resolve(DESCRIPTION), {
  prefix: '/docs',
  descriptionPath: '/openapi.json',
});

const readBody = async (id: string): Promise<string> => {
  const page = await pages.operation(id);
  assert.ok(page !== undefined);
  return page.body.text;
};

test('all endpoints are listed by group, and those of no group last', async () => {
  const { title, body } = await pages.index();

  assert.equal(title, 'API: Ovens');
  assert.match(body.text, /Heats <code>things<\/code>\./);
  assert.deepEqual(
    [...body.text.matchAll(/<h2[^>]*>([^<]*)<|href="\/docs\/(\w+)"/g)].map(
      ([, group, id]) => group ?? id,
    ),
    ['Heat', 'setOven', 'Other', 'getOven'],
  );
});

test('a name that no endpoint has has no page', async () => {
  assert.equal(await pages.operation('toString'), undefined);
  assert.equal(await pages.operation('__proto__'), undefined);
});

test('the page of an endpoint has its parameters with their limits', async () => {
  const text = (await readBody('setOven')).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  assert.match(text, /name required path string Example: a\/b/);
  assert.match(text, /force query boolean, otherwise false/);
  assert.match(text, /at required query integer, at least 1/);
});

test('shapes are explained once, with those they are made of and no others', async () => {
  const text = await readBody('setOven');

  const shapes = [...text.matchAll(/<h3 id="shape-(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(shapes, ['Oven', 'Rack']);
  const words = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  assert.match(words, /name string, 1 to 20 characters As people say/);
  assert.match(words, /state may be absent on , off/);
  assert.match(words, /racks may be absent list of Rack , at most 9 of them/);
  assert.match(words, /maker\.city may be absent string/);
});

test('nothing that a description says becomes markup', async () => {
  assert.doesNotMatch(await readBody('setOven'), /<script/);
  assert.doesNotMatch((await pages.index()).body.text, /<script/);
});

test('the command is one that a shell understands, whatever the examples have', async () => {
  const [, shown = ''] = /data-copy-text="([^"]*)"/.exec(await readBody('setOven')) ?? [];
  const command = shown
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    env: { API_KEY: 'key' },
    encoding: 'utf8',
  });

  const [head, example] = printed.split(/\n-d\n/);
  assert.deepEqual(head?.split('\n'), [
    ...['-sS', '-X', 'PUT', 'https://ovens.example/ovens/a%2Fb?at=AT'],
    ...['-H', 'X-Api-Key: key', '-H', 'Content-Type: application/json'],
  ]);
  assert.deepEqual(JSON.parse(example ?? ''), { name: `O'Brien ${HOSTILE}` });
});
