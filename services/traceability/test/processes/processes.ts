// Several services as processes of their own over one PostgreSQL database, as on several machines:
// each has a data directory of its own, and each may be killed and started again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_KEY, TENANT_KEY, type CallInit } from '../boot.ts';
import { serveCli, type ServedCli } from '../cli/run.ts';

export interface ProcessesOptions {
  readonly count: number;
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One answer, read by the test as it needs it. */
export interface ProcessAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export class ServiceProcesses implements AsyncDisposable {
  readonly #folder: string;
  readonly #options: ProcessesOptions;
  readonly #served: ServedCli[] = [];
  #turn = 0;

  private constructor(folder: string, options: ProcessesOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Starts all at the same moment; resolves once all of them listen. */
  static async start(options: ProcessesOptions): Promise<ServiceProcesses> {
    const folder = await mkdtemp(join(tmpdir(), 'lothub-processes-'));
    const processes = new ServiceProcesses(folder, options);
    try {
      const numbers = Array.from({ length: options.count }, (_, number) => number);
      const served = await Promise.allSettled(numbers.map((number) => processes.#serve(number)));
      for (const one of served) {
        if (one.status === 'fulfilled') processes.#served.push(one.value);
      }
      const failed = served.find((one) => one.status === 'rejected');
      if (failed !== undefined)
        throw new Error('a process did not start', { cause: failed.reason });
    } catch (error) {
      await processes[Symbol.asyncDispose]();
      throw error;
    }
    return processes;
  }

  get bases(): readonly string[] {
    return this.#served.map(({ base }) => base);
  }

  get count(): number {
    return this.#served.length;
  }

  /** The address of the next process, as a proxy in front of them would choose. */
  readonly nextBase = (): string => {
    this.#turn += 1;
    return this.#served[this.#turn % this.#served.length]!.base;
  };

  /** The settings that lead a command to the same hub. */
  get env(): Readonly<Record<string, string>> {
    return {
      DATA_DIR: this.#dataDir(0),
      DATABASE_URL: this.#options.databaseUrl,
      LOG_KEY_FILE: this.#logKeyFile,
    };
  }

  /** What a process has written to its log so far. */
  log(number: number): string {
    return this.#served[number]!.stdout();
  }

  /** Ends a process, at once or in order, and starts another in its place. */
  async replace(number: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const { child, ended } = this.#served[number]!;
    child.kill(signal);
    await ended;
    this.#served[number] = await this.#serve(number);
  }

  /** Ends all processes in order, and starts them again one behind the other. */
  async whileStopped(work: () => Promise<void>): Promise<void> {
    for (const { child, ended } of this.#served) {
      child.kill('SIGTERM');
      await ended;
    }
    await work();
    for (const [number] of this.#served.entries()) {
      this.#served[number] = await this.#serve(number);
    }
  }

  /** Asks a process with the tenant key, as the tenant `acme` unless the headers say otherwise. */
  async call(base: string, path: string, init: CallInit = {}): Promise<ProcessAnswer> {
    const response = await fetch(base + path, {
      ...init,
      headers: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': 'acme', ...init.headers },
    });
    const { status, headers } = response;
    return { status, headers, json: await response.json() };
  }

  async post(
    base: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ProcessAnswer> {
    return await this.call(base, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#served.map((served) => served[Symbol.asyncDispose]()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** All processes sign with the same key. */
  get #logKeyFile(): string {
    return join(this.#folder, 'log.key');
  }

  #dataDir(number: number): string {
    return join(this.#folder, `data-${number}`);
  }

  async #serve(number: number): Promise<ServedCli> {
    return await serveCli({
      DATA_DIR: this.#dataDir(number),
      DATABASE_URL: this.#options.databaseUrl,
      LOG_KEY_FILE: this.#logKeyFile,
      TENANT_API_KEY: TENANT_KEY,
      ADMIN_API_KEY: ADMIN_KEY,
      RATE_LIMIT_V1: '0',
      RATE_LIMIT_PUBLIC: '0',
      LOG_LEVEL: 'warn',
      ...this.#options.env,
    });
  }
}
