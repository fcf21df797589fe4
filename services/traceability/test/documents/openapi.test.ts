// The machine-readable description: valid OpenAPI 3.1, complete, with examples that the service
// itself would accept; and the page at /docs, which needs no other host.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { clientTypesOf } from '@lothub/kit/test/description/client-types';
import { compileAllRoutes } from '@lothub/kit/test/description/route-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { anEvent, boot } from '../boot.ts';

let description: Description;
const hub = await openForFile(boot({ env: { PUBLIC_URL: 'https://trace.example.com/' } }));
before(async () => {
  description = JSON.parse((await hub.call('/openapi.json')).text) as Description;
});

interface Description {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
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
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Described>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: object;
}

interface Described {
  readonly description?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, Media>>;

interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

const V1_READ = ['200', '401', '422', '429', '500', '503'];
const V1_WRITE = ['400', '401', '413', '415', '422', '429', '500', '503'];

/** Endpoints, with the statuses that each must describe. */
const ENDPOINTS: readonly (readonly [string, string, readonly string[]])[] = [
  ['get', '/health', ['200', '503']],
  ['get', '/ready', ['200', '503']],
  ['get', '/public/verify/{lot_code}', ['200', '404', '422', '429', '500', '503']],
  ['get', '/public/notices', ['200', '422', '429', '500', '503']],
  ['get', '/public/notices/{case_no}', ['200', '404', '422', '429', '500', '503']],
  ['get', '/public/explorer', ['200', '422', '429', '500', '503']],
  ['get', '/public/explorer/blocks', ['200', '422', '429', '500', '503']],
  ['get', '/public/explorer/transactions', ['200', '422', '429', '500', '503']],
  ['get', '/public/explorer/block/{height}', ['200', '404', '422', '429', '500', '503']],
  ['get', '/public/explorer/search', ['200', '422', '429', '500', '503']],
  ['get', '/public/explorer/lot/{lot_code}', ['200', '404', '422', '429']],
  ['post', '/v1/events', ['200', '201', ...V1_WRITE]],
  ['get', '/v1/events', V1_READ],
  ['get', '/v1/events/{id}', [...V1_READ, '404']],
  ['get', '/v1/events.csv', V1_READ],
  ['get', '/v1/lots.csv', V1_READ],
  ['get', '/v1/recall/cases/{case_no}/lots.csv', [...V1_READ, '404']],
  ['get', '/v1/recall/cases/{case_no}/distribution.csv', [...V1_READ, '400', '404']],
  ['get', '/v1/recall/cases/{case_no}/notifications.csv', [...V1_READ, '404']],
  ['post', '/v1/events/batch', ['200', '201', ...V1_WRITE]],
  ['post', '/v1/import/csv', V1_WRITE],
  ['post', '/v1/corrections/batch', ['200', '201', ...V1_WRITE]],
  ['post', '/v1/corrections', ['200', '201', '400', '401', '413', '415', '422', '429', '503']],
  ['get', '/v1/lots', V1_READ],
  ['get', '/v1/lots/{lot_code}', [...V1_READ, '404']],
  ['get', '/v1/lots/{lot_code}/genealogy', [...V1_READ, '404']],
  ['get', '/v1/lots/{lot_code}/chain', [...V1_READ, '404']],
  ['get', '/v1/lots/{lot_code}/label', [...V1_READ, '400', '404']],
  ['get', '/v1/lots/{lot_code}/label-sheet', [...V1_READ, '400', '404']],
  ['get', '/01/{path}', ['200', '300', '307', '400', '404', '429', '500', '503']],
  ['get', '/.well-known/gs1resolver', ['200']],
  ['get', '/recalls.atom', ['200', '422', '429', '500', '503']],
  ['get', '/recalls.json', ['200', '422', '429', '500', '503']],
  ['post', '/v1/lots/{lot_code}/hold', ['200', '401', '404', '413', '415', '422', '429', '503']],
  ['post', '/v1/lots/{lot_code}/release', ['200', '401', '404', '413', '415', '422', '429', '503']],
  ['post', '/v1/recall/simulate', ['200', '404', ...V1_WRITE]],
  ['post', '/v1/recall/drills', ['201', '404', ...V1_WRITE]],
  ['get', '/v1/recall/drills', V1_READ],
  ['get', '/v1/recall/drills/{id}', [...V1_READ, '404']],
  ['get', '/v1/dashboard/summary', V1_READ],
  ['get', '/v1/dashboard/audit', V1_READ],
  ['get', '/v1/admin/overview', V1_READ],
  ['get', '/v1/admin/audit', V1_READ],
  ['post', '/v1/recall/cases', ['201', '401', '404', '413', '415', '422', '429', '503']],
  ['get', '/v1/recall/cases', V1_READ],
  ['get', '/v1/recall/cases/{case_no}', [...V1_READ, '404']],
  ['patch', '/v1/recall/cases/{case_no}/status', ['200', '404', ...V1_WRITE]],
  ['get', '/v1/recall/cases/{case_no}/lots', [...V1_READ, '404']],
  ['get', '/v1/recall/cases/{case_no}/report', [...V1_READ, '404']],
  ['get', '/v1/recall/cases/{case_no}/notifications', [...V1_READ, '404']],
  ['patch', '/v1/recall/cases/{case_no}/notifications/{id}', ['200', '404', ...V1_WRITE]],
  ['get', '/v1/brand', V1_READ],
  ['patch', '/v1/brand', ['200', '401', '413', '415', '422', '429', '503']],
  ['get', '/public/pictures/{sha256}', ['200', '404', '422', '429', '500', '503']],
  ['get', '/v1/products', V1_READ],
  ['get', '/v1/products/{sku}', [...V1_READ, '404']],
  ['put', '/v1/products/{sku}', ['200', '201', ...V1_WRITE]],
  ['delete', '/v1/products/{sku}', [...V1_READ, '404']],
  ['put', '/v1/products/{sku}/picture', ['200', '401', '404', '413', '415', '422', '429', '503']],
  ['delete', '/v1/products/{sku}/picture', [...V1_READ, '404']],
  ['get', '/v1/places', V1_READ],
  ['get', '/v1/places/{location}', [...V1_READ, '404']],
  ['put', '/v1/places/{location}', ['200', '201', ...V1_WRITE]],
  ['delete', '/v1/places/{location}', [...V1_READ, '404']],
  ['get', '/v1/events/{id}/disclosure', [...V1_READ, '404']],
  ['post', '/v1/privacy/erase', ['200', '401', '413', '415', '422', '429', '503']],
];

function operations(): readonly (readonly [string, string, Operation])[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [method, path, operation] as const),
  );
}

function listContents(operation: Operation): readonly Media[] {
  const answers = Object.values(operation.responses).map(({ content }) => content ?? {});
  const contents: readonly Content[] = [operation.requestBody?.content ?? {}, ...answers];
  return contents.flatMap((content) => Object.values(content));
}

/** Examples that a media type names, at its own level or in its schema. */
function listExamples(media: Media): readonly unknown[] {
  const inSchema = media.schema?.['examples'];
  return [
    ...(media.example === undefined ? [] : [media.example]),
    ...Object.values(media.examples ?? {}).map((example) => example.value),
    ...(Array.isArray(inSchema) ? (inSchema as readonly unknown[]) : []),
    ...(media.schema?.['example'] === undefined ? [] : [media.schema['example']]),
  ];
}

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function validator(): Ajv2020 {
  return new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
}

/** A schema with the components that it refers to. */
function whole(schema: object): object {
  return { ...schema, components: description.components };
}

test('it is OpenAPI 3.1 with a title, a version and the public address', () => {
  assert.match(description.openapi, /^3\.1\.\d+$/);
  assert.equal(typeof description.info['title'], 'string');
  assert.match(String(description.info['version']), /^\d+\.\d+\.\d+/);
  assert.deepEqual(description.servers, [{ url: 'https://trace.example.com' }]);
});

for (const [method, path, statuses] of ENDPOINTS) {
  test(`${method.toUpperCase()} ${path} is described with every status`, () => {
    const operation = description.paths[path]?.[method];

    assert.ok(operation !== undefined, 'it is not described');
    const described = Object.keys(operation.responses);
    const missing = statuses.filter((status) => !described.includes(status));
    assert.deepEqual(missing, []);
  });
}

test('every operation has what OpenAPI requires of it', () => {
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
  for (const [method, path, operation] of operations()) {
    const name = `${method} ${path}`;
    assert.ok(path.startsWith('/') && methods.has(method), name);
    assert.ok((operation.summary ?? '') !== '', `${name} has a summary`);
    assert.ok((operation.tags ?? []).length > 0, `${name} has a tag`);
    assert.ok(Object.keys(operation.responses).length > 0, name);
    for (const [status, answer] of Object.entries(operation.responses)) {
      assert.match(status, /^[1-5]\d\d$|^default$/);
      assert.equal(typeof answer.description, 'string', `${name} ${status}`);
    }
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
    const described = (operation.parameters ?? []).filter((one) => one.in === 'path');
    assert.deepEqual(described.map((one) => one.name).toSorted(), inPath.toSorted());
    assert.ok(described.every((one) => one.required === true));
  }
});

test('of every path with a parameter it is described what is answered when it cannot be decoded', () => {
  for (const [method, path, operation] of operations()) {
    if (!path.includes('{')) continue;
    assert.match(operation.responses['400']?.description ?? '', /decoded/, `${method} ${path}`);
  }
});

test('every reference inside the description leads somewhere', () => {
  const text = JSON.stringify(description);

  for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
    assert.ok(reference.startsWith('#/'), reference);
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, part) =>
          typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined,
        description,
      );
    assert.ok(target !== undefined, reference);
  }
});

test('every schema is a valid JSON schema', () => {
  const ajv = validator();
  for (const [method, path, operation] of operations()) {
    const schemas = [
      ...listContents(operation).map((media) => media.schema),
      ...(operation.parameters ?? []).map((parameter) => parameter.schema),
    ];
    for (const schema of schemas) {
      assert.ok(schema !== undefined, `${method} ${path}`);
      assert.doesNotThrow(() => ajv.compile(whole(schema)), `${method} ${path}`);
    }
  }
});

test('both headers are demanded on every /v1 endpoint and nowhere else', () => {
  const schemes = Object.entries(description.components.securitySchemes);
  const byHeader = new Map(schemes.map(([name, scheme]) => [Reflect.get(scheme, 'name'), name]));
  assert.deepEqual([...byHeader.keys()].map(String).toSorted(), ['X-Api-Key', 'X-Tenant-Id']);
  const both = [...byHeader.values()].toSorted();

  for (const [method, path, operation] of operations()) {
    const demanded = (operation.security ?? []).map((one) => Object.keys(one).toSorted());
    if (!path.startsWith('/v1/')) assert.deepEqual(demanded, [], `${method} ${path}`);
    else if (!path.startsWith('/v1/admin/'))
      assert.deepEqual(demanded, [both], `${method} ${path}`);
    else assert.ok(demanded.every((one) => one.includes('ApiKey')) && demanded.length > 0);
  }
});

test('every JSON request body has an example that its schema accepts', () => {
  for (const [method, path, operation] of operations()) {
    const media = operation.requestBody?.content['application/json'];
    if (media?.schema === undefined) continue;
    const examples = listExamples(media);
    assert.ok(examples.length > 0, `${method} ${path} has no example`);
    const validate = validator().compile(whole(media.schema));
    for (const example of examples) {
      assert.ok(validate(example), `${method} ${path}: ${JSON.stringify(validate.errors)}`);
    }
  }
});

test('the examples of posting are accepted by the service', async () => {
  for (const path of ['/v1/events', '/v1/events/batch']) {
    const media = description.paths[path]?.['post']?.requestBody?.content['application/json'];
    for (const [index, example] of listExamples(media!).entries()) {
      const answer = await hub.post(path, example, { 'X-Tenant-Id': `example-${index}` });
      assert.ok([200, 201].includes(answer.status), answer.text);
    }
  }
});

test('a described event schema judges as the service does', async () => {
  const media = description.paths['/v1/events']?.['post']?.requestBody?.content['application/json'];
  const validate = validator().compile(whole(media!.schema!));

  for (const event of [anEvent(), anEvent({ lines: [] }), anEvent({ colour: 'red' }), {}]) {
    const answer = await hub.post('/v1/events', event);
    assert.equal(validate(event), answer.status !== 422, answer.text);
  }
});

test('a generator of clients makes a type of every schema and operation', async () => {
  const types = await clientTypesOf(description);

  assert.deepEqual(types.schemas, Object.keys(description.components.schemas));
  assert.deepEqual(
    types.operations,
    operations()
      .map(([, , operation]) => operation.operationId)
      .toSorted(),
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

test('/docs leads to a page for every endpoint, with what the description says of it', async () => {
  const index = await hub.call('/docs');
  const linked = new Set([...index.text.matchAll(/href="\/docs\/(\w+)"/g)].map(([, id]) => id!));
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      path,
      method,
      operationId: operationId ?? path,
    })),
  );

  assert.deepEqual([...linked].sort(), operations.map(({ operationId }) => operationId).sort());
  for (const { path, method, operationId } of operations) {
    const page = await hub.call(`/docs/${operationId}`);
    assert.equal(page.status, 200, operationId);
    assert.ok(
      page.text.includes(`${method.toUpperCase()}</span> <code>${path}</code>`),
      operationId,
    );
    const anchors = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
    const dead = [...page.text.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !anchors.has(id!));
    assert.deepEqual(dead, [], operationId);
  }
});

test('/docs loads nothing from another host', async () => {
  for (const path of ['/docs', '/docs/postEvent']) {
    const { text, headers } = await hub.call(path);

    const loaded = [...text.matchAll(/(?:src|<link[^>]*href)="((?:https?:)?\/\/[^"]*)"/g)];
    assert.deepEqual(
      loaded.filter(([tag]) => !/rel="alternate"/.test(tag)),
      [],
    );
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|\w\.\w|unsafe|upgrade-insecure-requests/);
  }
});

test('/api-docs is a page that is read without loading anything from another host', async () => {
  const answer = await hub.call('/api-docs');

  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  const loaded = [...answer.text.matchAll(/(?:src|<link[^>]*href)="(?:https?:)?\/\/[^"]*"/g)];
  assert.deepEqual(loaded, []);
});

test('the schemas of all routes compile, which a service does at the first request of each', async () => {
  const routes = await compileAllRoutes(() => boot());

  assert.ok(routes > 80, `${routes} routes`);
});
