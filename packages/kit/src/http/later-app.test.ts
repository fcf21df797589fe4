// That a part of a service is loaded with the first request for it, and is answered as if it had been there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { Metrics } from '../metrics/metrics.ts';
import { countRequests } from '../metrics/request-figures.ts';
import { LaterApp, idPassedOn, isPassedOn } from './later-app.ts';

/** A front with a desk behind `/desk`, which counts how often it was loaded and closed. */
async function serveDesk(load: () => Promise<void> = () => Promise.resolve()) {
  const seen = { loaded: 0, closed: 0, passedOn: [] as boolean[] };
  const metrics = new Metrics({ version: '1' });
  const front = fastify();
  countRequests(front, { metrics, service: 'hub' });
  front.addHook('onResponse', async (request) => void seen.passedOn.push(isPassedOn(request)));
  front.get('/', (request) => request.id);
  const desk = new LaterApp(async () => {
    seen.loaded += 1;
    await load();
    const app: FastifyInstance = fastify({ genReqId: idPassedOn });
    countRequests(app, { metrics, service: 'hub' });
    app.addHook('onClose', async () => void (seen.closed += 1));
    app.get('/desk', (request) => request.id);
    app.post('/desk/form/:name', ({ body }) => ({ body }));
    await app.ready();
    return { app };
  });
  desk.serve(front, '/desk');
  const base = await front.listen({ port: 0, host: '127.0.0.1' });
  return { front, base, seen, metrics };
}

test('a start and requests for other paths load nothing', async () => {
  const { front, base, seen } = await serveDesk();

  const other = await fetch(`${base}/`);
  const near = await fetch(`${base}/desktop`);
  await front.close();

  assert.deepEqual([other.status, near.status], [200, 404]);
  assert.deepEqual(seen, { loaded: 0, closed: 0, passedOn: [false, false] });
});

test('the first requests load it once, and keep method, body, query and the count of ids', async () => {
  const { front, base, seen } = await serveDesk();
  const form = {
    method: 'POST',
    body: '{"a":"é"}',
    headers: { 'Content-Type': 'application/json' },
  };

  const answers = await Promise.all([
    fetch(`${base}/desk/form/x?y=1`, form),
    fetch(`${base}/desk?z=2`),
  ]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const missing = await fetch(`${base}/desk/nothing`);
  const deleted = await fetch(`${base}/desk`, { method: 'DELETE' });
  const own = await (await fetch(`${base}/`)).text();
  await front.close();

  assert.equal(texts[0], '{"body":{"a":"é"}}');
  const ids = [texts[1], own];
  assert.equal(new Set(ids).size, 2);
  assert.ok(ids.every((id) => /^req-[1-9]$/.test(String(id))));
  assert.deepEqual([missing.status, deleted.status], [404, 404]);
  assert.equal(seen.loaded, 1);
  assert.equal(seen.closed, 1);
});

test('an answer is counted once, by the route of the app that gave it', async () => {
  const { front, base, seen, metrics } = await serveDesk();

  await (await fetch(`${base}/desk`)).text();
  await front.close();

  const counted = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('lothub_http_requests_total{'));
  assert.equal(counted.length, 1);
  assert.match(String(counted[0]), /route="\/desk",status="200"\} 1$/);
  assert.deepEqual(seen.passedOn, [true]);
});

test('when loading fails the request is answered, and the next one loads again', async () => {
  const failures = [new Error('no descriptor is left')];
  const { front, base, seen } = await serveDesk(async () => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
  });

  const failed = await fetch(`${base}/desk`);
  const answered = await fetch(`${base}/desk`);
  await front.close();

  assert.deepEqual([failed.status, answered.status, seen.loaded], [500, 200, 2]);
});

test('a client that leaves while it is loaded stops nothing', async () => {
  const gate = Promise.withResolvers<void>();
  const { front, base, seen } = await serveDesk(() => gate.promise);
  const { port } = front.server.address() as AddressInfo;
  const leaving = send({ port, path: '/desk' }).on('error', () => undefined);
  leaving.end();
  while (seen.loaded === 0) await setImmediate();

  const left = new Promise((resolve) => leaving.once('close', resolve));
  leaving.destroy();
  await left;
  gate.resolve();

  assert.equal((await fetch(`${base}/desk`)).status, 200);
  await front.close();
});
