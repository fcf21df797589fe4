// The life of a process that serves, with a service that listens on a free port and does nothing else.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { captureRun } from '../../test/cli-run.ts';
import { CommandError } from './command-error.ts';
import { serveUntilStopped } from './serve-until-stopped.ts';
import type { Served, ServedOptions } from './serve-until-stopped.ts';

interface Listening {
  readonly served: Served;
  readonly said: string[];
}

function newListening(options: ServedOptions): Listening {
  const server = createServer();
  const said: string[] = [];
  const served: Served = {
    app: {
      server,
      log: {
        info: (text) => void options.logStream.write(`${text}\n`),
        warn: (_facts, text) => void options.logStream.write(`${text}\n`),
        fatal: ({ err }, text) => void options.logStream.write(`${text}: ${err.message}\n`),
      },
      listen: ({ host, port }) =>
        new Promise((resolve) => {
          server.listen(port, host, () => resolve(`http://${host}`));
        }),
    },
    announcement: (address) => ({ json: { place: 'here' }, lines: [`It is at ${address}.`] }),
    abandon: () => void said.push('abandoned'),
    close: async () => {
      said.push('closed');
      server.close();
    },
  };
  return { served, said };
}

const PLACE = { version: '1.2.3', host: '127.0.0.1', port: 0, connectionsMax: undefined };

test('a service that cannot go on is closed, says why in its log, and ends with 1', async () => {
  let said: readonly string[] = [];

  const run = await captureRun((terminal) =>
    serveUntilStopped(
      { terminal, format: 'text' },
      {
        ...PLACE,
        open: async (options) => {
          const listening = newListening(options);
          said = listening.said;
          setImmediate(() => options.onFatal(new Error('the disk is gone')));
          return listening.served;
        },
      },
    ),
  );

  assert.equal(run.code, 1);
  assert.deepEqual(said, ['closed']);
  assert.match(run.stdout, /the service cannot go on: the disk is gone\n$/);
});

test('what a service logs while it opens comes after the banner', async () => {
  const run = await captureRun((terminal) =>
    serveUntilStopped(
      { terminal, format: 'json' },
      {
        ...PLACE,
        open: async (options) => {
          options.logStream.write('opening\n');
          setImmediate(() => options.onFatal(new Error('over')));
          return newListening(options).served;
        },
      },
    ),
  );

  const [banner = '', ...log] = run.stdout.split('\n');
  assert.deepEqual(JSON.parse(banner), { ok: true, address: 'http://127.0.0.1', place: 'here' });
  assert.equal(log[0], 'opening');
});

test('a service that cannot be opened ends with its error, and its log is not lost', async () => {
  const refused = new CommandError('hub_in_use', 'somebody has it');
  let caught: unknown;

  const run = await captureRun(async (terminal) => {
    const serving = serveUntilStopped(
      { terminal, format: 'text' },
      {
        ...PLACE,
        open: async ({ logStream }) => {
          logStream.write('opening\n');
          throw refused;
        },
      },
    );
    await serving.catch((error: unknown) => (caught = error));
    return 1;
  });

  assert.equal(caught, refused);
  assert.equal(run.stdout, 'opening\n');
});
