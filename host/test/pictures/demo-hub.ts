// A hub of both services with the data of the demo, in a folder that goes with it.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../bin/lothub.ts', import.meta.url));
const KEY_BYTES = 24;
/** As long as a first start may take on a slow machine. */
const START_MAX_MS = 60_000;

export interface DemoHub extends AsyncDisposable {
  readonly base: string;
  /** Makes the first account of the inbox. */
  readonly setupLink: string;
  readonly tenantKey: string;
}

export async function startDemoHub(): Promise<DemoHub> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'lothub-pictures-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const tenantKey = randomBytes(KEY_BYTES).toString('base64url');
  const env = {
    ...process.env,
    ...{ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', TENANT_API_KEY: tenantKey },
  };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  opening.defer(() => end(child));
  const { base, setupLink } = await readAddresses(child);
  await promisify(execFile)(process.execPath, [PROGRAM, 'demo', '--url', base], { env });
  const opened = opening.move();
  return { base, setupLink, tenantKey, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** As the start prints them; the link comes last. */
async function readAddresses(
  child: ChildProcess,
): Promise<{ readonly base: string; readonly setupLink: string }> {
  if (child.stdout === null) throw new Error('the output of the hub cannot be read');
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MAX_MS);
  let base = '';
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      base = /is listening on (\S+)/.exec(line)?.[1] ?? base;
      const setupLink = /https?:\/\/\S+\/inbox\/setup\/\w+/.exec(line)?.[0];
      if (setupLink === undefined) continue;
      child.stdout.resume();
      return { base, setupLink };
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('The hub of the demo did not start; its output is above');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
