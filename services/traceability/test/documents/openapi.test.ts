// The machine-readable description: valid OpenAPI 3.1, complete, with examples that the service
// itself would accept; and the page at /docs, which needs no other host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compileSchema,
  listExamples,
  listOperations,
  testDescription,
} from '@lothub/kit/test/description/described-api';
import type { Description } from '@lothub/kit/test/description/described-api';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { anEvent, boot } from '../boot.ts';

const PUBLIC_URL = 'https://trace.example.com';
const hub = await openForFile(boot({ env: { PUBLIC_URL: `${PUBLIC_URL}/` } }));
const description = JSON.parse((await hub.call('/openapi.json')).text) as Description;
const operations = listOperations(description);

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

testDescription(description, {
  publicUrl: PUBLIC_URL,
  undecodable: /decoded/,
  emptyBodies: ['POST /v1/recall/drills'],
  routesMin: 80,
  open: () => boot(),
  testLong: testInLongRun,
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

test('both headers are demanded on every /v1 endpoint and nowhere else', () => {
  const schemes = Object.entries(description.components.securitySchemes);
  const byHeader = new Map(schemes.map(([name, scheme]) => [Reflect.get(scheme, 'name'), name]));
  assert.deepEqual([...byHeader.keys()].map(String).toSorted(), ['X-Api-Key', 'X-Tenant-Id']);
  const both = [...byHeader.values()].toSorted();

  for (const { name, path, operation } of operations) {
    const demanded = (operation.security ?? []).map((one) => Object.keys(one).toSorted());
    if (!path.startsWith('/v1/')) assert.deepEqual(demanded, [], name);
    else if (!path.startsWith('/v1/admin/')) assert.deepEqual(demanded, [both], name);
    else assert.ok(demanded.every((one) => one.includes('ApiKey')) && demanded.length > 0);
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
  const validate = compileSchema(description, media!.schema!);

  for (const event of [anEvent(), anEvent({ lines: [] }), anEvent({ colour: 'red' }), {}]) {
    const answer = await hub.post('/v1/events', event);
    assert.equal(validate(event), answer.status !== 422, answer.text);
  }
});

test('/docs leads to a page for every endpoint, with what the description says of it', async () => {
  const index = await hub.call('/docs');
  const linked = new Set([...index.text.matchAll(/href="\/docs\/(\w+)"/g)].map(([, id]) => id!));

  const ids = operations.map(({ operation: { operationId } }) => operationId);
  assert.deepEqual([...linked].sort(), ids.toSorted());
  for (const { path, method, operation } of operations) {
    const operationId = operation.operationId!;
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
