// The machine-readable description: valid OpenAPI 3.1, complete, with examples that the service itself
// would accept; and the page at /api/v1/docs, which needs no other host.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { clientTypesOf } from '@lothub/kit/test/description/client-types';
import { compileAllRoutes } from '@lothub/kit/test/description/route-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROBLEMS } from '../../src/errors.ts';
import { boot } from '../boot.ts';
import { newPoster } from '../posting.ts';

const PUBLIC_URL = 'https://notify.example.com';
const booted = await boot({ env: { PUBLIC_URL } });
after(() => booted[Symbol.asyncDispose]());

interface Description {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

type Content = Readonly<Record<string, Media>>;

interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

const description = JSON.parse((await booted.call('/api/v1/openapi.json')).text) as Description;
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    path,
    operation,
  })),
);

const SENDERS = ['alertmanager', 'grafana', 'github', 'cloudevents', 'slack'];

/** Every endpoint of v1, in the order of the documents. */
const ENDPOINTS = [
  'POST /api/v1/ingest',
  ...SENDERS.flatMap((name) => [
    `POST /api/v1/ingest/${name}`,
    `POST /api/v1/ingest/${name}/{token}`,
  ]),
  'POST /api/v1/setup',
  'POST /api/v1/session',
  'DELETE /api/v1/session',
  'GET /api/v1/me',
  'PATCH /api/v1/me',
  'PUT /api/v1/me/password',
  'GET /api/v1/me/sessions',
  'DELETE /api/v1/me/sessions',
  'DELETE /api/v1/me/sessions/{session_id}',
  'GET /api/v1/me/mail',
  'PUT /api/v1/me/mail',
  'DELETE /api/v1/me/mail',
  'POST /api/v1/me/mail/test',
  'GET /api/v1/me/tokens',
  'POST /api/v1/me/tokens',
  'DELETE /api/v1/me/tokens/{token_id}',
  'GET /api/v1/me/push-key',
  'GET /api/v1/me/devices',
  'POST /api/v1/me/devices',
  'PATCH /api/v1/me/devices/{device_id}',
  'DELETE /api/v1/me/devices/{device_id}',
  'POST /api/v1/me/devices/{device_id}/test',
  'GET /api/v1/me/quiet-hours',
  'PUT /api/v1/me/quiet-hours',
  'DELETE /api/v1/me/quiet-hours',
  'GET /api/v1/groups/{group_id}/mute',
  'PUT /api/v1/groups/{group_id}/mute',
  'DELETE /api/v1/groups/{group_id}/mute',
  'GET /api/v1/groups',
  'POST /api/v1/groups',
  'GET /api/v1/groups/{group_id}',
  'PATCH /api/v1/groups/{group_id}',
  'GET /api/v1/groups/{group_id}/members',
  'PATCH /api/v1/groups/{group_id}/members/{account_id}',
  'DELETE /api/v1/groups/{group_id}/members/{account_id}',
  'GET /api/v1/groups/{group_id}/invitations',
  'POST /api/v1/groups/{group_id}/invitations',
  'DELETE /api/v1/groups/{group_id}/invitations/{invitation_id}',
  'POST /api/v1/invitations/accept',
  'GET /api/v1/groups/{group_id}/keys',
  'POST /api/v1/groups/{group_id}/keys',
  'PATCH /api/v1/groups/{group_id}/keys/{key_id}',
  'POST /api/v1/groups/{group_id}/keys/{key_id}/rotate',
  'DELETE /api/v1/groups/{group_id}/keys/{key_id}',
  'POST /api/v1/groups/{group_id}/test',
  'GET /api/v1/groups/{group_id}/notifications',
  'GET /api/v1/groups/{group_id}/notifications/{seq}',
  'GET /api/v1/groups/{group_id}/notifications/{seq}/occurrences',
  'PUT /api/v1/groups/{group_id}/notifications/{seq}/read',
  'DELETE /api/v1/groups/{group_id}/notifications/{seq}/read',
  'PUT /api/v1/groups/{group_id}/notifications/{seq}/ack',
  'PUT /api/v1/groups/{group_id}/read-state',
  'GET /api/v1/unread',
  'GET /api/v1/notifications',
  'PUT /api/v1/read-state',
  'GET /api/v1/stream',
  'GET /api/v1/groups/{group_id}/stream',
  'GET /api/v1/groups/{group_id}/webhooks',
  'POST /api/v1/groups/{group_id}/webhooks',
  'GET /api/v1/groups/{group_id}/webhooks/{webhook_id}',
  'PATCH /api/v1/groups/{group_id}/webhooks/{webhook_id}',
  'DELETE /api/v1/groups/{group_id}/webhooks/{webhook_id}',
  'POST /api/v1/groups/{group_id}/webhooks/{webhook_id}/rotate-secret',
  'POST /api/v1/groups/{group_id}/webhooks/{webhook_id}/test',
  'GET /api/v1/groups/{group_id}/webhooks/{webhook_id}/deliveries',
  'GET /api/v1/groups/{group_id}/webhooks/{webhook_id}/deliveries/{delivery_id}',
  'POST /api/v1/groups/{group_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  'GET /api/v1/groups/{group_id}/export',
  'POST /api/v1/groups/{group_id}/delete',
  'GET /api/v1/groups/{group_id}/escalation',
  'PUT /api/v1/groups/{group_id}/escalation',
  'DELETE /api/v1/groups/{group_id}/escalation',
  'POST /api/v1/groups/{group_id}/notifications/{seq}/redact',
  'GET /api/v1/groups/{group_id}/audit',
  'GET /api/v1/health',
  'GET /api/v1/ready',
];

/** Without credentials, by those of the people who have none yet, or no longer. */
const OPEN = new Set([
  'POST /api/v1/setup',
  'POST /api/v1/session',
  'DELETE /api/v1/session',
  'POST /api/v1/invitations/accept',
  'GET /api/v1/health',
  'GET /api/v1/ready',
]);

/** The token of the path is the credential: one that is none is a 401, and nothing is hidden behind it. */
const BY_PATH = SENDERS.map((name) => `POST /api/v1/ingest/${name}/{token}`);

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function validator(): Ajv2020 {
  return new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
}

/** A schema with the components that it refers to. */
function whole(schema: object): object {
  return { ...schema, components: description.components };
}

function contentsOf({ requestBody, responses }: Operation): readonly Media[] {
  const answers = Object.values(responses).map(({ content }) => content ?? {});
  return [requestBody?.content ?? {}, ...answers].flatMap((content) => Object.values(content));
}

function examplesOf({ example, examples, schema }: Media): readonly unknown[] {
  const inSchema = schema?.['examples'];
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
    ...(Array.isArray(inSchema) ? (inSchema as readonly unknown[]) : []),
  ];
}

/** Methods and paths as the router of the app has them. */
function routed(): readonly string[] {
  const names: string[] = [];
  const above: string[] = [];
  for (const line of booted.service.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const parts = /^([\s│├└─]*)(\S+) \(([A-Z, ]+)\)/u.exec(line);
    if (parts === null) continue;
    const [, indent = '', path = '', methods = ''] = parts;
    above.length = indent.length / 4 - 1;
    above.push(path);
    const whole = above.join('').replace(/\/{2,}/g, '/');
    names.push(...methods.split(', ').map((method) => `${method} ${whole}`));
  }
  return names.filter((name) => name.includes(' /api/v1/') && !name.startsWith('HEAD '));
}

test('it is OpenAPI 3.1 with a title, a version and the public address', () => {
  assert.match(description.openapi, /^3\.1\.\d+$/);
  assert.equal(typeof description.info['title'], 'string');
  assert.match(String(description.info['version']), /^\d+\.\d+\.\d+/);
  assert.deepEqual(description.servers, [{ url: PUBLIC_URL }]);
});

test('it describes every endpoint of v1, and nothing else', () => {
  assert.deepEqual(operations.map(({ name }) => name).sort(), ENDPOINTS.toSorted());
});

test('every route of the app is described, but for the description itself', () => {
  const described = operations.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1'));

  const missing = routed().filter(
    (name) => !described.includes(name) && !/^GET \/api\/v1\/(docs|openapi)/.test(name),
  );

  assert.ok(routed().includes('POST /api/v1/ingest'));
  assert.deepEqual(missing, []);
});

for (const { name, method, path, operation } of operations) {
  test(`${name} is described with summary, tag, parameters and every status`, () => {
    assert.notEqual(operation.summary ?? '', '');
    const tags = description.tags.map((tag) => tag.name);
    assert.ok(operation.tags?.length === 1 && tags.includes(operation.tags[0]!));
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
    const parameters = (operation.parameters ?? []).filter((one) => one.in === 'path');
    assert.deepEqual(parameters.map((one) => one.name).sort(), inPath.sort());
    assert.ok(parameters.every((one) => one.required === true));
    const statuses = Object.keys(operation.responses);
    const expected = [
      ...(OPEN.has(name) ? [] : ['401', '429']),
      ...(operation.requestBody === undefined ? [] : ['400', '413', '415', '422']),
      ...(inPath.length === 0 || BY_PATH.includes(name) ? [] : ['404']),
      ...(method === 'get' || OPEN.has(name) ? [] : ['403']),
      '503',
    ];
    assert.ok(statuses.some((status) => status.startsWith('2')));
    assert.deepEqual(
      expected.filter((status) => !statuses.includes(status)),
      [],
    );
    for (const [status, { description: words, content }] of Object.entries(operation.responses)) {
      assert.match(status, /^[1-5]\d\d$/);
      assert.notEqual(words ?? '', '');
      if (status >= '400')
        assert.deepEqual(Object.keys(content ?? {}), ['application/problem+json']);
    }
  });
}

test('every status of a problem is described with its codes', () => {
  for (const { name, operation } of operations) {
    for (const [status, { description: words = '' }] of Object.entries(operation.responses)) {
      if (status < '400') continue;
      const codes = [...words.matchAll(/`([a-z_0-9]+)`:/g)].map(([, code]) => code!);
      assert.ok(codes.length > 0, `${name} ${status}`);
      for (const code of codes) {
        const kind = Object.entries(PROBLEMS).find(([known]) => known === code)?.[1];
        assert.equal(String(kind?.status), status, `${name} ${status} ${code}`);
      }
    }
  }
});

test('of every path with a parameter it is described what is answered when it cannot be decoded', () => {
  for (const { name, path, operation } of operations) {
    if (!path.includes('{')) continue;
    assert.match(operation.responses['400']?.description ?? '', /`address_malformed`/, name);
  }
});

test('every reference inside the description leads somewhere', () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]*)"/g)];

  assert.ok(references.length > 0);
  for (const [, reference = ''] of references) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1] ?? '';
    assert.ok(name in description.components.schemas, reference);
  }
});

test('every schema is a valid JSON schema', () => {
  const ajv = validator();
  ajv.addSchema({ $id: '', components: description.components });
  for (const { name, operation } of operations) {
    const parameters = (operation.parameters ?? []).map((parameter) => parameter.schema);
    for (const schema of [...contentsOf(operation).map((media) => media.schema), ...parameters]) {
      assert.ok(schema !== undefined, name);
      if ('$ref' in schema) continue;
      assert.doesNotThrow(() => ajv.compile(whole(schema)), name);
    }
  }
  for (const schema of Object.values(description.components.schemas)) {
    assert.doesNotThrow(() => ajv.compile(whole(schema)));
  }
});

test('it says which credentials open which endpoint', () => {
  const byCredentials = Map.groupBy(operations, ({ operation }) =>
    (operation.security ?? []).map((one) => Object.keys(one).join('+')).join(' or '),
  );
  const named = (credentials: string): readonly string[] =>
    (byCredentials.get(credentials) ?? []).map(({ name }) => name).sort();

  const signed = ['POST /api/v1/ingest/github', 'POST /api/v1/ingest/github/{token}'];
  const byPath = BY_PATH.filter((name) => !signed.includes(name));
  assert.deepEqual(named(''), [...OPEN, ...byPath].sort());
  assert.deepEqual(named('BodySignature'), signed);
  assert.deepEqual(
    named('AdapterToken or AdapterPassword'),
    byPath.map((name) => name.replace('/{token}', '')).sort(),
  );
  assert.deepEqual(named('GroupKey'), ['POST /api/v1/ingest']);
  assert.deepEqual(named('Session or ReadToken'), [
    'GET /api/v1/groups',
    'GET /api/v1/groups/{group_id}',
    'GET /api/v1/groups/{group_id}/notifications',
    'GET /api/v1/groups/{group_id}/notifications/{seq}',
    'GET /api/v1/groups/{group_id}/stream',
    'GET /api/v1/me',
    'GET /api/v1/notifications',
    'GET /api/v1/stream',
    'GET /api/v1/unread',
  ]);
  assert.equal(byCredentials.size, 6);
});

test('every request body has an example with all that it needs, which its schema accepts', () => {
  let bodies = 0;
  for (const { name, operation } of operations) {
    const media = operation.requestBody?.content['application/json'];
    if (media?.schema === undefined) continue;
    bodies += 1;
    const examples = examplesOf(media);
    assert.ok(examples.length > 0, name);
    const validate = validator().compile(whole(media.schema));
    for (const example of examples) {
      assert.notDeepEqual(example, {}, name);
      assert.ok(validate(example), `${name}: ${JSON.stringify(validate.errors)}`);
    }
  }
  assert.ok(bodies > 10);
});

test('the examples of posting are accepted by the service', async () => {
  const { post } = await newPoster(booted);
  const media = description.paths['/api/v1/ingest']?.['post']?.requestBody?.content;

  for (const example of examplesOf(media!['application/json']!)) {
    assert.equal((await post(example)).status, 201);
  }
});

test('the described body of a post judges as the service does', async () => {
  const { post } = await newPoster(booted);
  const media = description.paths['/api/v1/ingest']?.['post']?.requestBody?.content;
  const validate = validator().compile(whole(media!['application/json']!.schema!));
  const bodies = [
    { title: 'A' },
    { title: '\u2800' },
    { title: 'A\u0000' },
    { title: '\u{1F525}'.repeat(120) },
    { title: '\u{1F525}'.repeat(121) },
    { title: 'A', body: null },
    { title: 'A', severity: 'Info' },
    { title: 'A', colour: 'red' },
    {},
  ];

  for (const body of bodies) {
    const answer = await post(body);
    assert.equal(validate(body), answer.status === 201, answer.text);
  }
});

test('a refusal has the described shape', async () => {
  const { post } = await newPoster(booted);
  const validate = validator().compile(whole(description.components.schemas['Problem']!));

  assert.ok(validate((await post({ title: '' })).json), JSON.stringify(validate.errors));
});

test('/api/v1/docs leads to a page for every endpoint and loads nothing from another host', async () => {
  const index = await booted.call('/api/v1/docs');
  const linked = new Set(
    [...index.text.matchAll(/href="\/api\/v1\/docs\/(\w+)"/g)].map(([, id]) => id!),
  );
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      path,
      method,
      operationId: operationId ?? path,
    })),
  );

  assert.deepEqual([...linked].sort(), operations.map(({ operationId }) => operationId).sort());
  for (const { path, method, operationId } of operations) {
    const { status, text, headers } = await booted.call(`/api/v1/docs/${operationId}`);
    assert.equal(status, 200);
    assert.ok(text.includes(`${method.toUpperCase()}</span> <code>${path}</code>`), operationId);
    assert.doesNotMatch(text, /(?:src|<link[^>]*href)="(?:https?:)?\/\//);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|\w\.\w|unsafe|upgrade-insecure-requests/);
  }
});

test('health needs no credentials and tells the version', async () => {
  const answer = await booted.call('/api/v1/health');

  assert.deepEqual(answer.json, { status: 'ok', version: description.info['version'] });
});

test('a generator of clients makes a type of every schema and operation', async () => {
  const types = await clientTypesOf(description);

  assert.deepEqual(types.schemas, Object.keys(description.components.schemas));
  assert.deepEqual(
    types.operations,
    operations.map(({ operation }) => operation.operationId).toSorted(),
  );
  assert.deepEqual(types.faults, []);
});

test('no object of a body or an answer is without a name, and no pattern is for one dialect alone', () => {
  assert.doesNotMatch(JSON.stringify(description.paths), /"properties":/);
  const text = JSON.stringify(description);
  for (const [, pattern = ''] of text.matchAll(/"pattern":"((?:\\.|[^"\\])*)"/g)) {
    assert.doesNotMatch(pattern, /\\[pPu0]|\(\?[^:]/);
  }
});

test('the schemas of all routes compile, which a service does at the first request of each', async () => {
  const routes = await compileAllRoutes(() => boot());

  assert.ok(routes > 60, `${routes} routes`);
});
