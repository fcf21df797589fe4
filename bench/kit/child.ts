// Starts a service of a benchmark in a process of its own and speaks with it.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const TENANT_KEY = 'bench-tenant-key-0123456789abcdef';
export const ADMIN_KEY = 'bench-admin-key-0123456789abcdef';
export const HEADERS = { 'x-api-key': TENANT_KEY, 'x-tenant-id': 'bench' } as const;

export interface ServiceChild extends AsyncDisposable {
  readonly address: string;
  /** Of the notifications, where the hub is in the same process; empty otherwise. */
  readonly otherAddress: string;
  /** From the start of the process to its first answer about its health, ms. */
  readonly readyMs: number;
  rssBytes(): Promise<number>;
  readonly process: ChildProcess;
}

interface Message {
  readonly address?: string;
  readonly otherAddress?: string;
  readonly rssBytes?: number;
}

export async function startService(options: {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<ServiceChild> {
  return await startChild({
    module: new URL('./service.ts', import.meta.url),
    healthPath: '/health',
    env: {
      DATA_DIR: options.dataDir,
      TENANT_API_KEY: TENANT_KEY,
      ADMIN_API_KEY: ADMIN_KEY,
      RATE_LIMIT_V1: '0',
      RATE_LIMIT_PUBLIC: '0',
      RATE_LIMIT_LOG: '0',
      LOG_LEVEL: 'error',
      ...options.env,
    },
  });
}

/** A module that serves, says `{ address }` when it does, and ends at the message `close`. */
export interface ChildModule {
  readonly module: URL;
  readonly execArgv?: readonly string[];
  /** Answers once it is ready. */
  readonly healthPath: string;
  /** Beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startChild(options: ChildModule): Promise<ServiceChild> {
  const startedAt = performance.now();
  const child = fork(fileURLToPath(options.module), {
    env: { ...process.env, ...options.env },
    execArgv: ['--disable-warning=ExperimentalWarning', ...(options.execArgv ?? [])],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the service ended with code ${String(code)} before it was ready`);
  });
  const [first] = (await Promise.race([once(child, 'message'), failed])) as [Message];
  failed.catch(() => undefined);
  const address = first.address ?? '';
  await fetch(address + options.healthPath);
  const readyMs = performance.now() - startedAt;
  return {
    address,
    otherAddress: first.otherAddress ?? '',
    readyMs,
    process: child,
    rssBytes: async () => {
      child.send('memory');
      const [answer] = (await once(child, 'message')) as [Message];
      return answer.rssBytes ?? 0;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      if (child.connected) child.send('close');
      else child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Several processes of the service over one database, each with a data folder of its own. */
export interface ServiceGroup extends AsyncDisposable {
  readonly services: readonly [ServiceChild, ...ServiceChild[]];
}

export async function startServices(options: {
  readonly processes: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
}): Promise<ServiceGroup> {
  await using starting = new AsyncDisposableStack();
  const start = async (n: number): Promise<ServiceChild> =>
    starting.use(
      await startService({
        dataDir: join(options.dataDir, String(n)),
        // All processes sign with the same key.
        env: {
          DATABASE_URL: options.databaseUrl,
          LOG_KEY_FILE: join(options.dataDir, 'log.key'),
        },
      }),
    );
  const services: [ServiceChild, ...ServiceChild[]] = [await start(0)];
  for (let n = 1; n < options.processes; n += 1) services.push(await start(n));
  const started = starting.move();
  return { services, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Posts one JSON body and reads the answer to its end. @returns the status */
export async function postJson(url: string, body: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
