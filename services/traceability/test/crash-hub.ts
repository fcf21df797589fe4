// Runs the service as a child process that is killed again and again over one database, and posts to
// it as many callers would.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ADMIN_KEY, TENANT_KEY } from './boot.ts';
import { CRASH_GROUPS_VARIABLE, CRASH_POINT_VARIABLE } from './crash-point-names.ts';
import type { CrashPoint } from './crash-point-names.ts';
import type { TestDatabase } from './engine.ts';
import { newRecord, postOnce } from './posting.ts';
import type { PostingRecord } from './posting.ts';

/** A child that is not ready by then never will be. */
const START_MAX_MS = 30_000;
const BATCH_EVENTS = 10;
/** Of each caller's requests, one in so many is a batch. */
const BATCH_EVERY = 5;

export interface CrashChild {
  readonly base: string;
  /** Milliseconds from the start of the process to its first answer. */
  readonly readyMs: number;
  isDead(): boolean;
  kill(): void;
  /** Resolves with the signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

export interface CrashChildOptions {
  readonly database: TestDatabase;
  /** Compiled code is kept here between starts. */
  readonly cacheDir: string;
  readonly point?: CrashPoint;
  /** Groups let pass before the point. */
  readonly groups?: number;
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts the process without waiting until it serves. */
export function spawnCrashChild(options: CrashChildOptions): ChildProcess {
  return spawn(
    process.execPath,
    ['--import', fileOf('./crash-points.ts'), fileOf('./crash-child.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...options.database.env,
        NODE_COMPILE_CACHE: options.cacheDir,
        TENANT_API_KEY: TENANT_KEY,
        ADMIN_API_KEY: ADMIN_KEY,
        RATE_LIMIT_V1: '0',
        RATE_LIMIT_PUBLIC: '0',
        LOG_LEVEL: 'error',
        [CRASH_POINT_VARIABLE]: options.point ?? '',
        [CRASH_GROUPS_VARIABLE]: String(options.groups ?? 0),
      },
    },
  );
}

export async function startCrashChild(options: CrashChildOptions): Promise<CrashChild> {
  const startedMs = performance.now();
  const child = spawnCrashChild(options);
  const ended = signalOf(child);
  const base = await addressOf(child);
  const health = await fetch(`${base}/health`);
  await health.text();
  return {
    base,
    readyMs: performance.now() - startedMs,
    isDead: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}

async function signalOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

async function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let errors = '';
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes('\n')) resolve(output.trim());
  });
  child.once('exit', () => reject(new Error(`the child ended before it was ready: ${errors}`)));
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new Error(`the child was not ready within ${START_MAX_MS} ms: ${errors}`));
  }, START_MAX_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Callers that post without a pause until the child is dead. */
export async function postUntilDead(
  child: CrashChild,
  options: { readonly prefix: string; readonly callers: number },
): Promise<PostingRecord> {
  const record = newRecord();
  const caller = async (name: string): Promise<void> => {
    for (let count = 0; !child.isDead(); count += 1) {
      const id = `${name}-${count}`;
      const isBatch = count % BATCH_EVERY === BATCH_EVERY - 1;
      const ids = isBatch
        ? Array.from({ length: BATCH_EVENTS }, (_, index) => `${id}-${index}`)
        : [id];
      await postOnce(child.base, ids, record);
      if (record.unanswered.includes(ids)) return;
    }
  };
  await Promise.all(
    Array.from({ length: options.callers }, (_, index) => caller(`${options.prefix}-${index}`)),
  );
  return record;
}
