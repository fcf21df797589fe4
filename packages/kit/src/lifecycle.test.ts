// Stopping on signals, and the words for an address that cannot be listened on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ListenError, StopRequested, StopSignals, closeWithin, listen } from './lifecycle.ts';

/** Longer than anything here takes. */
const LONG_GRACE_MS = 60_000;

/** Signals go to the listeners only, so that the test goes on. */
function send(name: 'SIGINT' | 'SIGTERM'): void {
  process.emit(name);
}

function watchKill(t: TestContext): readonly unknown[][] {
  const calls: unknown[][] = [];
  t.mock.method(process, 'kill', (...args: unknown[]) => {
    calls.push(args);
    return true;
  });
  return calls;
}

test('the first signal asks to stop and ends nothing', (t) => {
  const kills = watchKill(t);
  using stop = new StopSignals({ clock: { nowMs: () => 0 } });

  send('SIGTERM');

  assert.ok(stop.signal.reason instanceof StopRequested);
  assert.equal(stop.signal.reason.signalName, 'SIGTERM');
  assert.deepEqual(kills, []);
});

test('the same request, passed on by npm and the start script within a second, is one', (t) => {
  const kills = watchKill(t);
  let nowMs = 5_000;
  using stop = new StopSignals({ clock: { nowMs: () => nowMs } });

  send('SIGINT');
  nowMs += 999;
  send('SIGINT');
  send('SIGTERM');

  assert.ok(stop.signal.aborted);
  assert.deepEqual(kills, []);
});

test('a second signal a second later ends the process at once, in its ordinary way', (t) => {
  const kills = watchKill(t);
  let nowMs = 5_000;
  using _stop = new StopSignals({ clock: { nowMs: () => nowMs } });
  const before = process.listenerCount('SIGINT');

  send('SIGINT');
  nowMs += 1_000;
  send('SIGINT');

  assert.deepEqual(kills, [[process.pid, 'SIGINT']]);
  assert.equal(process.listenerCount('SIGINT'), before - 1);
});

test('a port that is taken is reported in plain words', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server = createServer();
  const app = {
    server,
    listen: async (place: { host: string; port: number }) => {
      server.listen(place.port, place.host);
      await once(server, 'listening');
      return '';
    },
  };

  const attempt = listen(app, { host: '127.0.0.1', port });

  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof ListenError);
    assert.match(error.message, /another program listens there already; stop it, or set PORT/);
    return true;
  });
});

test('a connection that does not end is cut once the grace is over', async () => {
  const cut = Promise.withResolvers<void>();
  const app = {
    listen: () => Promise.resolve(''),
    server: { closeAllConnections: () => cut.resolve() },
  };

  const closed = closeWithin(app, { graceMs: 1, close: () => cut.promise });

  await assert.doesNotReject(closed);
});

test('a request that was begun is answered before anything is cut', async (t) => {
  const begun = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => begun.resolve(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = t.mock.method(server, 'closeAllConnections');
  const app = { listen: () => Promise.resolve(''), server };
  const port = String((server.address() as AddressInfo).port);
  const asked = fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } });
  asked.catch(() => undefined); // one that is cut is noticed below
  const response = await begun.promise;

  const closed = closeWithin(app, {
    graceMs: LONG_GRACE_MS,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  });
  await setImmediate();
  assert.equal(cut.mock.callCount(), 0);
  response.end('done');

  assert.equal(await (await asked).text(), 'done');
  await closed;
});
