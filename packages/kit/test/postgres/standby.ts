// A standby of a test's server: a copy of it that follows by streaming replication, answers reads, and
// takes over when it is promoted. It ends with the process that started it, as every test's server.
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PATIENCE_MS } from '../patience.ts';
import { execute, startCluster } from './cluster.ts';
import type { Cluster, TestDatabase, TestPostgres } from './cluster.ts';

const POLL_MS = 20;
/** Of the copied server's running process, or without use for another one. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts'];
const EMPTY_IN_COPY = ['pg_wal', 'pg_replslot', 'pg_dynshmem'];

export interface TestStandbyOptions {
  /** Whether the primary answers a commit only when this standby has it on its disk. */
  readonly synchronous: boolean;
}

export interface TestStandby extends AsyncDisposable {
  /** The superuser's. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly pid: number;
  /** Where a database of the primary is read here. */
  buildUrl(database: TestDatabase): string;
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again after `stop`, on the same port: as what it was. */
  start(): Promise<void>;
  /** Makes it a primary of its own; the old one does not learn of it. */
  promote(): Promise<void>;
}

/** @throws Error when it does not stream from the primary within a time */
export async function startTestStandby(
  primary: TestPostgres,
  { synchronous }: TestStandbyOptions,
): Promise<TestStandby> {
  const { hostname, username, password, port } = new URL(primary.url);
  const name = `standby_${randomBytes(4).toString('hex')}`;
  // The primary keeps all that this standby has not got yet, from before the copy on.
  await execute(primary.url, `select pg_create_physical_replication_slot('${name}', true)`);
  const cluster = await startCluster(
    {
      password,
      options: primary.options,
      ownSettings: {
        primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`,
        primary_slot_name: name,
      },
    },
    (copy) => copyRunning(primary, copy),
  );
  const standby = new Standby({ cluster, primary, name });
  try {
    if (synchronous) await standby.letPrimaryWait();
    await standby.untilStreaming(synchronous);
  } catch (error) {
    await standby[Symbol.asyncDispose]();
    throw error;
  }
  return standby;
}

class Standby implements TestStandby {
  readonly #cluster: Cluster;
  readonly #primary: TestPostgres;
  readonly #name: string;
  #promoted = false;

  constructor(parts: {
    readonly cluster: Cluster;
    readonly primary: TestPostgres;
    readonly name: string;
  }) {
    this.#cluster = parts.cluster;
    this.#primary = parts.primary;
    this.#name = parts.name;
  }

  get url(): string {
    return this.#cluster.url;
  }

  get port(): number {
    return this.#cluster.port;
  }

  get folder(): string {
    return this.#cluster.folder;
  }

  get pid(): number {
    return this.#cluster.pid;
  }

  buildUrl(database: TestDatabase): string {
    const url = new URL(database.url);
    url.port = String(this.port);
    return url.href;
  }

  stop(mode: 'fast' | 'immediate'): Promise<void> {
    return this.#cluster.stop(mode);
  }

  start(): Promise<void> {
    return this.#cluster.start();
  }

  async promote(): Promise<void> {
    await execute(this.url, 'select pg_promote(true)');
    this.#promoted = true;
  }

  async letPrimaryWait(): Promise<void> {
    await execute(
      this.#primary.url,
      `alter system set synchronous_standby_names = '${this.#name}'`,
    );
    await execute(this.#primary.url, 'select pg_reload_conf()');
  }

  async untilStreaming(synchronous: boolean): Promise<void> {
    const query = `
      select 1
      from pg_stat_replication
      where application_name = '${this.#name}' and state = 'streaming'
        and sync_state = '${synchronous ? 'sync' : 'async'}'
    `;
    await untilAnswered(this.#primary.url, query);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster[Symbol.asyncDispose]();
    if (!this.#promoted) await this.#leavePrimary();
  }

  /** A primary that is gone needs nothing; one that stays must not wait for a standby that is gone. */
  async #leavePrimary(): Promise<void> {
    const { url } = this.#primary;
    try {
      await execute(url, 'alter system reset synchronous_standby_names');
      await execute(url, 'select pg_reload_conf()');
      // The primary may take a moment to notice that nobody reads from the slot any more.
      await untilAnswered(
        url,
        `select 1 from pg_replication_slots where slot_name = '${this.#name}' and not active`,
      );
      await execute(url, `select pg_drop_replication_slot('${this.#name}')`);
    } catch (error) {
      if (!isRefusedConnection(error)) throw error;
    }
  }
}

/** PostgreSQL's own way of copying a server that runs ("low level API" of its continuous archiving). */
async function copyRunning(primary: TestPostgres, copy: Cluster): Promise<void> {
  const data = join(copy.folder, 'data');
  const client = new Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    copy.copyFrom(primary.folder);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  for (const name of NOT_COPIED) rmSync(join(data, name), { force: true });
  for (const name of EMPTY_IN_COPY) {
    for (const inside of readdirSync(join(data, name))) {
      rmSync(join(data, name, inside), { recursive: true });
    }
  }
  // What the primary was set to at run time, such as the standbys to wait for, is not for its standby.
  truncateSync(join(data, 'postgresql.auto.conf'));
  writeFileSync(join(data, 'standby.signal'), '');
  for (const name of ['backup_label', 'standby.signal']) copy.own(join('data', name));
}

/** Asks until there is a row. */
async function untilAnswered(url: string, query: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await execute(url, query)).length === 0) {
    if (performance.now() > deadline) throw new Error(`the primary never answered: ${query}`);
    await sleep(POLL_MS);
  }
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
