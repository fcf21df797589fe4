// The life of a process that serves, with a service that listens on a free port and does nothing else.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { captureRun } from '../../test/cli-run.ts';
import { CommandError } from './command-error.ts';
import { serveUntilStopped } from './serve-until-stopped.ts';
import type { ServedOptions, ServedService } from '../serving/served-service.ts';

interface Started {
  readonly service: ServedService;
  readonly said: string[];
}

/** A service that answers 200 to everything. */
function newService(options: ServedOptions, open = async (): Promise<void> => undefined): Started {
  const said: string[] = [];
  const service: ServedService = {
    app: {
      routing: (_request, response) => void response.end(),
      refuseMalformed: (_error, socket) => void socket.destroy(),
      timeouts: createServer(),
    },
    log: {
      info: (text) => void options.logStream.write(`${text}\n`),
      warn: (_facts, text) => void options.logStream.write(`${text}\n`),
      error: (_facts, text) => void options.logStream.write(`${text}\n`),
      fatal: ({ err }, text) => void options.logStream.write(`${text}: ${err.message}\n`),
    },
    open: async () => {
      await open();
      return (address) => ({ json: { place: 'here' }, lines: [`It is at ${address}.`] });
    },
    beginClose: () => void said.push('began to close'),
    abandon: () => void said.push('abandoned'),
    close: async () => void said.push('closed'),
  };
  return { service, said };
}

const PLACE = {
  version: '1.2.3',
  host: '127.0.0.1',
  port: 0,
  connectionsMax: undefined,
  metricsToken: undefined,
};

test('a service that cannot go on is closed, says why in its log, and ends with 1', async () => {
  let said: readonly string[] = [];

  const run = await captureRun((terminal) =>
    serveUntilStopped(
      { terminal, format: 'text' },
      {
        ...PLACE,
        start: async (options) => {
          const started = newService(options);
          said = started.said;
          setImmediate(() => options.onFatal(new Error('the disk is gone')));
          return started.service;
        },
      },
    ),
  );

  assert.equal(run.code, 1);
  assert.deepEqual(said, ['began to close', 'closed']);
  assert.match(run.stdout, /the service cannot go on: the disk is gone\n$/);
});

test('what a service logs while it opens comes after the banner', async () => {
  const run = await captureRun((terminal) =>
    serveUntilStopped(
      { terminal, format: 'json' },
      {
        ...PLACE,
        start: async (options) => {
          options.logStream.write('opening\n');
          setImmediate(() => options.onFatal(new Error('over')));
          return newService(options).service;
        },
      },
    ),
  );

  const [banner = '', ...log] = run.stdout.split('\n');
  const { address, ...said } = JSON.parse(banner) as Record<string, unknown>;
  assert.match(String(address), /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.deepEqual(said, { ok: true, place: 'here' });
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
        start: async (options) =>
          newService(options, () => {
            options.logStream.write('opening\n');
            throw refused;
          }).service,
      },
    );
    await serving.catch((error: unknown) => (caught = error));
    return 1;
  });

  assert.equal(caught, refused);
  assert.equal(run.stdout, 'opening\n');
});

test('the progress of an upgrade is on the console before the service is open', async () => {
  const run = await captureRun((terminal) =>
    serveUntilStopped(
      { terminal, format: 'text' },
      {
        ...PLACE,
        start: async (options) =>
          newService(options, async () => {
            options.onUpgrade({ step: 'schema' });
            options.onUpgrade({ step: 'rows', place: { done: 1, total: 4 } });
            options.onUpgrade({ step: 'rows', place: { done: 2, total: 4 } });
            setImmediate(() => options.onFatal(new Error('over')));
          }).service,
      },
    ),
  );

  const sentences = run.stderr.split('\n').filter((line) => line.startsWith('Upgrading: '));
  assert.equal(sentences.length, 2);
});
