// The machine-readable description: valid OpenAPI 3.1, complete, with examples that the service itself
// would accept; and the page at /api/v1/docs, which needs no other host.
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
import { PROBLEMS } from '../../src/errors.ts';
import { boot } from '../boot.ts';
import { newPoster } from '../posting.ts';

const PUBLIC_URL = 'https://notify.example.com';
const booted = await openForFile(boot({ env: { PUBLIC_URL } }));

const description = JSON.parse((await booted.call('/api/v1/openapi.json')).text) as Description;
const operations = listOperations(description);

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

testDescription(description, {
  publicUrl: PUBLIC_URL,
  undecodable: /`address_malformed`/,
  emptyBodies: [],
  routesMin: 60,
  open: () => boot(),
  testLong: testInLongRun,
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
  test(`${name} is described with one tag and every status`, () => {
    const tags = description.tags.map((tag) => tag.name);
    assert.ok(operation.tags?.length === 1 && tags.includes(operation.tags[0]!));
    const statuses = Object.keys(operation.responses);
    const expected = [
      ...(OPEN.has(name) ? [] : ['401', '429']),
      ...(operation.requestBody === undefined ? [] : ['400', '413', '415', '422']),
      ...(!path.includes('{') || BY_PATH.includes(name) ? [] : ['404']),
      ...(method === 'get' || OPEN.has(name) ? [] : ['403']),
      '503',
    ];
    assert.ok(statuses.some((status) => status.startsWith('2')));
    assert.deepEqual(
      expected.filter((status) => !statuses.includes(status)),
      [],
    );
    for (const [status, { content }] of Object.entries(operation.responses)) {
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

test('the examples of posting are accepted by the service', async () => {
  const { post } = await newPoster(booted);
  const media = description.paths['/api/v1/ingest']?.['post']?.requestBody?.content;

  for (const example of listExamples(media!['application/json']!)) {
    assert.equal((await post(example)).status, 201);
  }
});

test('the described body of a post judges as the service does', async () => {
  const { post } = await newPoster(booted);
  const media = description.paths['/api/v1/ingest']?.['post']?.requestBody?.content;
  const validate = compileSchema(description, media!['application/json']!.schema!);
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
  const validate = compileSchema(description, description.components.schemas['Problem']!);

  assert.ok(validate((await post({ title: '' })).json), JSON.stringify(validate.errors));
});

test('/api/v1/docs leads to a page for every endpoint and loads nothing from another host', async () => {
  const index = await booted.call('/api/v1/docs');
  const linked = new Set(
    [...index.text.matchAll(/href="\/api\/v1\/docs\/(\w+)"/g)].map(([, id]) => id!),
  );

  const ids = operations.map(({ operation: { operationId } }) => operationId);
  assert.deepEqual([...linked].sort(), ids.toSorted());
  for (const { path, method, operation } of operations) {
    const operationId = operation.operationId!;
    const { status, text, headers } = await booted.call(`/api/v1/docs/${operationId}`);
    assert.equal(status, 200);
    assert.ok(text.includes(`${method.toUpperCase()}</span> <code>${path}</code>`), operationId);
    assert.doesNotMatch(text, /(?:src|<link[^>]*href)="(?:https?:)?\/\//);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|\w\.\w|unsafe|upgrade-insecure-requests/);
  }
});

test('health needs no credentials and says the version', async () => {
  const answer = await booted.call('/api/v1/health');

  assert.deepEqual(answer.json, { status: 'ok', version: description.info['version'] });
});
