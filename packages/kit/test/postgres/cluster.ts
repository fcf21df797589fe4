// One PostgreSQL server of the tests: its folder, its process, and the guard that ends it with the
// process that started it, whatever becomes of that process.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PATIENCE_MS } from '../patience.ts';
import { findPostgres, linkLibraries, type Account } from './binaries.ts';

const READY_POLL_MS = 10;
const FOLDER_PREFIX = join(tmpdir(), 'lothub-pg-');
/** In a server's folder: the superuser's password. */
export const PASSWORD_FILE = 'password';
const USER = 'lothub';
/** `nobody` of every Linux. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 };
/** How a server that takes connections calls its state; a standby takes readers. */
const SERVES = new Set(['ready', 'standby']);

/**
 * Starts the server and waits for one word on its input: the signal to end the server with. When the
 * input ends without one, the test's process is gone: then nothing of the server may stay.
 */
const GUARD = `
  "$0" "$@" </dev/null & server=$!
  if read -r signal; then kill -"$signal" $server; wait $server
  else kill -QUIT $server; wait $server; rm -rf "$FOLDER"; fi
`;

export interface TestPostgresOptions {
  /** `on` survives a crash of the machine, which only crash tests need; `off` is faster. */
  readonly fsync?: 'on' | 'off';
  /** It is initialised by itself and has a system identifier of its own, which copies of one share. */
  readonly ownSystem?: boolean;
  /** Connections that the server allows. */
  readonly connectionsMax?: number;
  /** Settings of the server by name, instead of what a small test gets. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
}

export interface TestPostgres extends AsyncDisposable {
  /** The superuser's, of the database that every server has. */
  readonly url: string;
  readonly port: number;
  /** What it was started with. */
  readonly options: TestPostgresOptions;
  /** Holds everything of this server; gone after it is disposed. */
  readonly folder: string;
  /** Process id of the running server. */
  readonly pid: number;
  /** A database of its own for a test, copied from a template; many processes may ask at once. */
  createDatabase(options?: { readonly template?: string }): Promise<TestDatabase>;
  /** `fast` undoes what runs and writes everything down; `immediate` is a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again after `stop`, on the same port. */
  start(): Promise<void>;
  /** `stop` and `start`. */
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
}

const SIGNAL = { fast: 'INT', immediate: 'QUIT' } as const;

export interface ClusterOptions {
  readonly password: string;
  readonly options: TestPostgresOptions;
  /** Of this server alone, such as where a standby finds its primary. */
  readonly ownSettings?: Readonly<Record<string, string>>;
}

interface ClusterSettings extends ClusterOptions {
  readonly bin: string;
  /** As LD_LIBRARY_PATH. */
  readonly libraries: string;
  readonly folder: string;
  readonly account: Account | undefined;
}

/** @param fill gives the server its data folder, which is empty */
export async function startCluster(
  options: ClusterOptions,
  fill: (cluster: Cluster) => Promise<void> | void,
): Promise<Cluster> {
  const cluster = await makeCluster(options, fill);
  try {
    await cluster.claimPort();
    await cluster.start();
    return cluster;
  } catch (error) {
    await rm(cluster.folder, { recursive: true, force: true });
    throw error;
  }
}

/** Fills the data folder of a server that is not started yet. */
export async function makeCluster(
  options: ClusterOptions,
  fill: (cluster: Cluster) => Promise<void> | void,
): Promise<Cluster> {
  const account = process.getuid?.() === 0 ? NOBODY : undefined;
  const binaries = findPostgres(account);
  const folder = mkdtempSync(FOLDER_PREFIX);
  try {
    const libraries = linkLibraries(binaries, join(folder, 'lib'));
    writeFileSync(join(folder, PASSWORD_FILE), options.password, { mode: 0o600 });
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    const cluster = new Cluster({ ...options, bin: binaries.folder, libraries, folder, account });
    for (const name of ['.', ...readdirSync(folder)]) cluster.own(name);
    await fill(cluster);
    return cluster;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

export class Cluster implements TestPostgres {
  readonly folder: string;
  port = 0;
  readonly #settings: ClusterSettings;
  #guard: ChildProcess | undefined;

  constructor(settings: ClusterSettings) {
    this.#settings = settings;
    this.folder = settings.folder;
  }

  get url(): string {
    return this.#buildUrl('postgres');
  }

  get options(): TestPostgresOptions {
    return this.#settings.options;
  }

  get pid(): number {
    return Number(this.#pidFile()[0]);
  }

  initialise(): void {
    const { bin, folder } = this.#settings;
    execFileSync(
      join(bin, 'initdb'),
      [
        `--pgdata=${join(folder, 'data')}`,
        `--username=${USER}`,
        `--pwfile=${join(folder, PASSWORD_FILE)}`,
        '--auth=scram-sha-256',
        '--locale=C',
        '--encoding=UTF8',
        '--no-sync',
        '--no-instructions',
      ],
      { ...this.#childOptions(), stdio: ['ignore', 'ignore', 'pipe'] },
    );
  }

  /** A copy of the data folder of another server here, made by the system's own means. */
  copyFrom(folder: string): void {
    const copied = spawnSync('cp', ['-R', join(folder, 'data'), this.folder], {
      ...this.#childOptions(),
      encoding: 'utf8',
    });
    // A file that went away meanwhile is in the log that the copy is brought up to date with.
    const complaints = copied.stderr
      .split('\n')
      .filter((line) => line !== '' && !line.includes('No such file or directory'));
    if (complaints.length > 0) throw new Error(`copying a data folder: ${complaints.join('; ')}`);
  }

  /** Gives a file in this server's folder to the account it runs as. */
  own(name: string): void {
    const { account } = this.#settings;
    if (account !== undefined) chownSync(join(this.folder, name), account.uid, account.gid);
  }

  /** Another process could take the port before the server does: then the start fails, loudly. */
  async claimPort(): Promise<void> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    server.close();
    await once(server, 'close');
  }

  async start(): Promise<void> {
    const { bin, folder, options } = this.#settings;
    const fsync = options.fsync ?? 'off';
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      // None: the path of a socket has at most 107 bytes, and that of the folder may be long.
      unix_socket_directories: '',
      // In the data folder, and gone with it also when the server is killed.
      dynamic_shared_memory_type: 'mmap',
      max_connections: options.connectionsMax ?? 100,
      fsync,
      full_page_writes: fsync,
      shared_buffers: '32MB',
      // Of hundreds of databases with a few rows each one would be looked through at any time.
      autovacuum: 'off',
      log_line_prefix: '%m [%p] ',
      log_min_messages: 'warning',
      ...options.settings,
      ...this.#settings.ownSettings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    writeFileSync(join(folder, 'log'), '');
    this.own('log');
    const command = ['-c', `exec >"$FOLDER/log" 2>&1; ${GUARD}`, join(bin, 'postgres')];
    // Detached: an interrupt from the terminal must reach the guard through its input only.
    this.#guard = spawn('/bin/sh', [...command, '-D', join(folder, 'data'), ...args], {
      ...this.#childOptions(),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // The guard must not keep a finished test alive: when the test ends, its input does.
    this.#guard.unref();
    await this.#ready();
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const guard = this.#guard;
    if (guard === undefined) return;
    this.#guard = undefined;
    guard.ref();
    const ended = once(guard, 'exit');
    guard.stdin?.end(`${SIGNAL[mode]}\n`);
    await ended;
  }

  async restart(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.stop(mode);
    await this.start();
  }

  createDatabase(options?: { readonly template?: string }): Promise<TestDatabase> {
    return createDatabase(this.url, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('immediate');
    await rm(this.folder, { recursive: true, force: true });
  }

  #buildUrl(database: string): string {
    return `postgresql://${USER}:${this.#settings.password}@127.0.0.1:${this.port}/${database}`;
  }

  async #ready(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!SERVES.has(this.#pidFile()[7]?.trim() ?? '')) {
      const log = readFileSync(join(this.folder, 'log'), 'utf8');
      // A standby's log has FATAL of each attempt to reach its primary, and goes on.
      const failed = log.includes('FATAL:') && this.#pidFile().length === 0;
      if (failed || performance.now() > deadline) {
        await this.stop('immediate');
        throw new Error(`PostgreSQL did not start: ${log}`);
      }
      await sleep(READY_POLL_MS);
    }
  }

  /** Lines as documented in the server's sources: the first is the process, the eighth its state. */
  #pidFile(): readonly string[] {
    const path = join(this.folder, 'data', 'postmaster.pid');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  }

  #childOptions(): {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly uid?: number;
    readonly gid?: number;
  } {
    const { libraries } = this.#settings;
    const env = {
      PATH: process.env['PATH'],
      FOLDER: this.folder,
      ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries }),
      LC_ALL: 'C',
      TZ: 'UTC',
    };
    return { cwd: this.folder, env, ...this.#settings.account };
  }
}

/**
 * The statement that copies a database as files. The server's own choice, through its log, takes ten
 * times the time of a processor (0.2 s), and a run makes some hundreds.
 */
export function copyDatabase(names: { readonly name: string; readonly template: string }): string {
  return `create database ${names.name} template ${names.template} strategy file_copy`;
}

/** @param serverUrl a superuser's */
async function createDatabase(
  serverUrl: string,
  { template = 'template0' }: { readonly template?: string } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(serverUrl, copyDatabase({ name, template }));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
