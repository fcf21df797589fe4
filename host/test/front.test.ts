// Which service a request reaches at the front of both, and that nothing of HTTP is lost on the way.
import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { listRoutes, type Route } from '@lothub/kit/test/description/list-routes';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { rawRequest } from '@lothub/kit/test/raw-request';
import { isForNotifications } from '../src/front.ts';
import { bootFronted, type ServiceName } from './fronted.ts';

const fronted = await openForFile(bootFronted());

const TO_NOTIFICATIONS = [
  '/api',
  '/api/',
  '/api/v1/ingest',
  '/api?x=/lot',
  '/api/v1/docs/postNotification',
  '/inbox',
  '/inbox/',
  '/inbox?after=1',
  '/inbox/groups/grp_1',
];

const TO_HUB = [
  '/',
  '*',
  '',
  '/api-docs',
  '/api-docs/errors',
  '/console',
  '/console/login?next=/inbox',
  '/apis',
  '/API/v1',
  '/inboxes',
  '/inbox-1',
  '//api',
  '/lot?next=/api/v1',
  '/public/verify/api',
  '/v1/api/',
  '/%61pi',
  'http://example.com/api',
];

for (const [urls, isTheirs] of [
  [TO_NOTIFICATIONS, true],
  [TO_HUB, false],
] as const) {
  for (const url of urls) {
    test(`${url || 'an empty path'} is ${isTheirs ? '' : 'not '}for the notifications`, () => {
      assert.equal(isForNotifications(url), isTheirs);
    });
  }
}

/** Routes of notifications that are served alone: together the other service has them. */
const ALONE = ['/', '/robots.txt'];

/**
 * Those that stand for any end are taken without one. All but the answers to OPTIONS at any path, and the start page of notifications that are served alone:
 * together the other service has one.
 */
function ownRoutes(name: ServiceName): readonly Route[] {
  return listRoutes(fronted[name].app)
    .filter(
      ({ path }) => path.startsWith('/') && !(name === 'notifications' && ALONE.includes(path)),
    )
    .map(({ method, path }) => ({ method, path: path.replace(/\*$/, '') }));
}

for (const name of ['hub', 'notifications'] as const) {
  test(`every route of the ${name} reaches it at the front`, async () => {
    const routes = ownRoutes(name).filter(({ path }) => !/\/stream$/.test(path));

    const wrong: string[] = [];
    for (const { method, path } of routes) {
      const before = fronted.reached.length;
      await sendAndForget(method, path.replaceAll(/:\w+/g, 'x'));
      const reached = fronted.reached.slice(before);
      if (reached.length !== 1 || reached[0] !== name)
        wrong.push(`${method} ${path}: ${reached.join()}`);
    }

    assert.ok(routes.length > 5, `only ${routes.length} routes were found`);
    assert.deepEqual(wrong, []);
  });
}

test('no path of one service is a path of the other', () => {
  const hub = ownRoutes('hub').map(({ path }) => path);
  const notifications = ownRoutes('notifications').map(({ path }) => path);

  const astray = [
    ...hub.filter((path) => isForNotifications(path)),
    ...notifications.filter((path) => !isForNotifications(path)),
  ];

  assert.deepEqual(astray, []);
});

test('what no service has is answered in the words of the service whose path it would be', async () => {
  const ofHub = await fetch(`${fronted.base}/v2/nothing`);
  const ofNotifications = await fetch(`${fronted.base}/api/v2/nothing`);

  assert.equal(ofHub.status, 404);
  assert.match(ofHub.headers.get('content-type') ?? '', /^(application\/json|text\/html)/);
  assert.equal(ofNotifications.status, 404);
  assert.match(ofNotifications.headers.get('content-type') ?? '', /^application\/problem\+json/);
});

test('a browser gets pages of both services, and below the interfaces JSON', async () => {
  const headers = { Accept: 'text/html,*/*;q=0.8' };

  const types = await Promise.all(
    ['/none', '/inboxes', '/inbox/50%', '/api/none', '/v1/none', '/public/none'].map(
      async (path) => {
        const { status, headers: answered } = await fetch(`${fronted.base}${path}`, { headers });
        return [path, status, answered.get('content-type')?.replace(/;.*/, '')];
      },
    ),
  );

  assert.deepEqual(types, [
    ['/none', 404, 'text/html'],
    ['/inboxes', 404, 'text/html'],
    ['/inbox/50%', 400, 'text/html'],
    ['/api/none', 404, 'application/problem+json'],
    ['/v1/none', 401, 'application/json'],
    ['/public/none', 404, 'application/json'],
  ]);
});

test('a connection is kept for requests to both services', async () => {
  const socket = connect(Number(new URL(fronted.base).port), '127.0.0.1');
  await once(socket, 'connect');
  let answers = '';
  socket.on('data', (chunk) => (answers += String(chunk)));

  for (const path of ['/health', '/api/v1/nothing', '/health']) {
    const seen = answers.length;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    while (!/\r\n\r\n/.test(answers.slice(seen))) await once(socket, 'data');
  }
  socket.destroy();

  assert.equal(answers.match(/HTTP\/1\.1 \d{3} /g)?.length, 3);
  assert.equal(answers.match(/^Connection: keep-alive\r$/gim)?.length, 3);
  assert.match(answers, /^Keep-Alive: timeout=72\r$/im);
});

test('bytes that are no HTTP are answered by the service whose path they name, or by the hub', async () => {
  const toHub = await rawRequest(fronted.base, 'GET /x y z\r\n\r\n');
  const toNotifications = await rawRequest(fronted.base, 'GET /api/v1/x y z\r\n\r\n');
  const toNobody = await rawRequest(fronted.base, '\u0001\r\n\r\n');

  assert.deepEqual(
    [toHub, toNotifications, toNobody].map(({ status }) => status),
    [400, 400, 400],
  );
  assert.match(toHub.head, /application\/json/);
  assert.match(toNotifications.head, /application\/problem\+json/);
  assert.match(toNobody.head, /application\/json/);
});

test('the front waits as long for a request as a service alone does', () => {
  const { front, hub } = fronted;

  assert.equal(front.server.requestTimeout, hub.app.server.requestTimeout);
  assert.equal(front.server.headersTimeout, hub.app.server.headersTimeout);
  assert.equal(front.server.keepAliveTimeout, hub.app.server.keepAliveTimeout);
  assert.equal(front.server.maxHeadersCount, hub.app.server.maxHeadersCount);
  assert.equal(front.server.timeout, hub.app.server.timeout);
});

/** Only which service is reached matters; what it says to a made-up request does not. */
async function sendAndForget(method: string, path: string): Promise<void> {
  const { hostname, port } = new URL(fronted.base);
  const sent = httpRequest({ hostname, port, method, path, agent: false });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'close');
}
