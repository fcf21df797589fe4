// A hub on a machine whose clock a test sets: the service is a process of its own, with a clock that runs
// ahead of the right time by as much as the test says.
import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { CLOCK_FILE_VARIABLE } from '@lothub/kit/test/programs/shifted-clock-name';
import { ADMIN_KEY, TENANT_KEY, anEvent } from '../boot.ts';
import { runCli, serveCli, testFolder, type CliRun, type ServedCli } from '../cli/run.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';

const SHIFT = fileURLToPath(import.meta.resolve('@lothub/kit/test/programs/shifted-clock'));

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** A hub, and the machine it is served on. */
export interface Machine extends AsyncDisposable {
  readonly database: TestDatabase;
  /** The machine's clock is so far ahead of the right time from now on. */
  setClock(aheadMs: number): Promise<void>;
  serve(): Promise<ServedCli>;
  lothub(...args: readonly string[]): Promise<CliRun>;
}

/**
 * @param shared of a hub that other machines serve, with the key of its log; a new one when not given
 */
export async function newMachine(shared?: {
  readonly database: TestDatabase;
  readonly logKeyFile: string;
}): Promise<Machine> {
  const folder = await testFolder();
  const own = shared?.database ?? (await newTestDatabase());
  const logKey: Readonly<Record<string, string>> =
    shared === undefined ? {} : { LOG_KEY_FILE: shared.logKeyFile };
  const file = folder.file('ahead-ms');
  const setClock = async (aheadMs: number): Promise<void> => {
    // In one piece: the service may read it at any moment.
    await writeFile(`${file}.new`, String(aheadMs));
    await rename(`${file}.new`, file);
  };
  await setClock(0);
  return {
    database: own,
    setClock,
    serve: () =>
      serveCli({
        ...own.env,
        ...logKey,
        TENANT_API_KEY: TENANT_KEY,
        ADMIN_API_KEY: ADMIN_KEY,
        RATE_LIMIT_V1: '0',
        NODE_OPTIONS: `--import=${SHIFT}`,
        [CLOCK_FILE_VARIABLE]: file,
      }),
    lothub: (...args) => runCli(args, own.env),
    [Symbol.asyncDispose]: async () => {
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export async function ask({ base }: ServedCli, path: string, body?: object): Promise<Answer> {
  const response = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'X-Api-Key': path.startsWith('/v1/admin') ? ADMIN_KEY : TENANT_KEY,
      'X-Tenant-Id': 'acme',
      'Content-Type': 'application/json',
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, retryAfter: headers.get('Retry-After'), text: await response.text() };
}

export function post(served: ServedCli): Promise<Answer> {
  return ask(served, '/v1/events', anEvent());
}

export interface Clock {
  readonly trusted: boolean;
  readonly code: string | null;
}

export async function readClock(served: ServedCli): Promise<Clock> {
  return (JSON.parse((await ask(served, '/health')).text) as { readonly clock: Clock }).clock;
}

/** Resolves once the service says so of its clock. */
export async function until(served: ServedCli, trusted: boolean): Promise<Clock> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const clock = await readClock(served);
    if (clock.trusted === trusted) return clock;
    assert.equal(signal.aborted, false, `the clock did not become ${trusted ? '' : 'un'}trusted`);
    await wait(50);
  }
}
