// A service as a process of its own, for tests that kill it: its script prints its address once it serves.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CRASH_EVERYWHERE_VARIABLE,
  CRASH_FIRST_VARIABLE,
  CRASH_GROUPS_VARIABLE,
  CRASH_LATER_VARIABLE,
  CRASH_POINT_VARIABLE,
  CRASH_WRITES_VARIABLE,
} from './crash-point-names.ts';
import type { CrashPoint } from './crash-point-names.ts';
import { PATIENCE_MS } from './patience.ts';

export interface ServiceChildOptions {
  /** The script that serves. */
  readonly script: URL;
  readonly env: Readonly<Record<string, string>>;
  /** Where it kills itself; without it, it lives until it is killed. */
  readonly crash?: CrashOptions | undefined;
}

export interface CrashOptions {
  readonly point: CrashPoint;
  /** Groups let pass before the point. */
  readonly groups: number;
  /** How the first insert of a group begins that counts. */
  readonly first: string;
  /** How a write of the group begins that comes after it. */
  readonly later: string;
  /** Such writes let pass before; none when not given. */
  readonly writes?: number | undefined;
  /** In the thread that serves, too. */
  readonly isEverywhere?: boolean | undefined;
}

export interface ServiceChild {
  readonly base: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until it served. */
  readonly readyMs: number;
  isDead(): boolean;
  kill(): void;
  /** Kills it and waits until it is gone. */
  end(): Promise<void>;
  /** Resolves with the signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

/** Starts the process without waiting until it serves. Its input is open for a script that reads it. */
export function spawnServiceChild({ script, env, crash }: ServiceChildOptions): ChildProcess {
  const preloads = crash === undefined ? [] : ['--import', resolvePreload('./crash-points.ts')];
  return spawn(process.execPath, [...preloads, fileURLToPath(script)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      [CRASH_POINT_VARIABLE]: crash?.point ?? '',
      [CRASH_GROUPS_VARIABLE]: String(crash?.groups ?? 0),
      [CRASH_FIRST_VARIABLE]: crash?.first ?? '',
      [CRASH_LATER_VARIABLE]: crash?.later ?? '',
      [CRASH_WRITES_VARIABLE]: String(crash?.writes ?? 0),
      [CRASH_EVERYWHERE_VARIABLE]: crash?.isEverywhere === true ? '1' : '',
    },
  });
}

function resolvePreload(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Resolves once it serves. */
export async function awaitServiceChild(child: ChildProcess): Promise<ServiceChild> {
  const startedMs = performance.now();
  const ended = awaitSignal(child);
  const base = await awaitAddress(child);
  const kill = (): void => void child.kill('SIGKILL');
  return {
    base,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedMs,
    isDead: () => child.exitCode !== null || child.signalCode !== null,
    kill,
    end: async () => {
      kill();
      await ended;
    },
    ended,
  };
}

async function awaitSignal(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

async function awaitAddress(child: ChildProcess): Promise<string> {
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
    reject(new Error(`the child was not ready within ${PATIENCE_MS} ms: ${errors}`));
  }, PATIENCE_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Kills a service a while after its first answer, unless it kills itself before.
 *
 * @param round.prefix begins the name of each post
 * @param round.post posts once, and returns whether that was answered; `count` counts the posts of one caller
 * @returns once the service is dead and each caller has noticed it
 */
export async function postUntilDead(
  child: ServiceChild,
  round: {
    readonly prefix: string;
    readonly callers: number;
    readonly lifeMs: number;
    readonly post: (name: string, count: number) => Promise<boolean>;
  },
): Promise<void> {
  const { promise: answered, resolve: onAnswer } = Promise.withResolvers<void>();
  const call = async (caller: string): Promise<void> => {
    for (let count = 0; !child.isDead(); count += 1) {
      if (!(await round.post(`${caller}-${count}`, count))) return;
      onAnswer();
    }
  };
  const life = new AbortController();
  const killing = Promise.race([answered, child.ended])
    .then(() => sleep(round.lifeMs, undefined, { signal: life.signal }))
    .then(() => child.kill())
    .catch(() => undefined);
  const calling = Promise.all(
    Array.from({ length: round.callers }, (_, index) => call(`${round.prefix}-${index}`)),
  );
  await child.ended;
  life.abort();
  await Promise.all([killing, calling]);
}
