// What posts are measured at: our own service in its forms, and peers that keep less. Each serves on a port of
// its own with a database of its own on the same disk, and sleeps while another one is measured.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../kit/child.ts';
import type { DatabaseServer } from '../kit/database-server.ts';
import type { Programs } from './programs.ts';
import { freePort } from '@lothub/kit/test/free-port';

/** What the peers know as the key of the tenant. */
const KEY = 'lh_tenant_0123456789012345678901234567890123';
const START_TIMEOUT_MS = 30_000;
const LOOK_MS = 50;
const MINIMAL = 'Prefer: return=minimal';

export interface Contestant extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly processes: readonly ChildProcess[];
}

/** One row of the table: a contestant, and how it is asked. */
export interface Entry {
  readonly name: string;
  readonly contestant: Contestant;
  readonly headers: readonly string[];
}

export const TENANT_HEADERS = [`X-Api-Key: ${KEY}`, 'X-Tenant-Id: bench'] as const;

export const NAMES = {
  sqlite: 'Lothub on SQLite, return=minimal',
  sqliteProof: 'Lothub on SQLite, the proof in the answer',
  goSqlite: 'Go on SQLite, group commit',
  postgres: 'Lothub on PostgreSQL, one process',
  postgresTwo: 'Lothub on PostgreSQL, two processes',
  goPostgres: 'Go on PostgreSQL, group commit',
  pythonSqlite: 'FastAPI on SQLite',
  pythonPostgres: 'FastAPI on PostgreSQL',
} as const;

/** Started in the order in which they are measured by turns. */
export async function startContestants(
  started: AsyncDisposableStack,
  {
    dir,
    programs,
    server,
  }: {
    readonly dir: string;
    readonly programs: Programs;
    readonly server: DatabaseServer;
  },
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const add = async (
    name: string,
    start: () => Promise<Contestant>,
    ...headers: readonly string[]
  ): Promise<Contestant> => {
    console.error(`starting ${name} …`);
    const contestant = started.use(await start());
    entries.push({ name, contestant, headers });
    return contestant;
  };
  const { goPeer, pythonPeer } = programs;
  const sqlite = await add(NAMES.sqlite, () => startOurs(join(dir, 'ours')), MINIMAL);
  entries.push({ name: NAMES.sqliteProof, contestant: sqlite, headers: [] });
  await add(NAMES.goSqlite, () => startGo(goPeer, ['-db', join(dir, 'go.db')]));
  const single = (await server.createDatabase()).url;
  await add(NAMES.postgres, () => startOurs(join(dir, 'ours-postgres'), [single]), MINIMAL);
  const shared = (await server.createDatabase()).url;
  await add(NAMES.postgresTwo, () => startOurs(join(dir, 'ours-two'), [shared, shared]), MINIMAL);
  const goUrl = (await server.createDatabase()).url;
  await add(NAMES.goPostgres, () => startGo(goPeer, ['-pg', goUrl]));
  if (pythonPeer !== undefined) {
    const file = { STORE: 'sqlite', DBFILE: join(dir, 'python.db') };
    await add(NAMES.pythonSqlite, () => startPython(pythonPeer, file));
    const database = { STORE: 'pg', DSN: (await server.createDatabase()).url };
    await add(NAMES.pythonPostgres, () => startPython(pythonPeer, database));
  }
  return entries;
}

/** @param databaseUrls one for each process; none: SQLite */
async function startOurs(
  dataDir: string,
  databaseUrls: readonly string[] = [],
): Promise<Contestant> {
  await using starting = new AsyncDisposableStack();
  const start = async (env: Readonly<Record<string, string>>, n: number) =>
    starting.use(
      await startService({
        dataDir: join(dataDir, String(n)),
        env: { ...env, TENANT_API_KEY: KEY },
      }),
    );
  await mkdir(dataDir, { recursive: true });
  const services = [];
  if (databaseUrls.length === 0) services.push(await start({}, 0));
  for (const [n, url] of databaseUrls.entries()) {
    // All processes sign with the same key.
    const env = { DATABASE_URL: url, LOG_KEY_FILE: join(dataDir, 'log.key') };
    services.push(await start(env, n));
  }
  const running = starting.move();
  return {
    urls: services.map(({ address }) => `${address}/v1/events`),
    processes: services.map((service) => service.process),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startGo(program: string, args: readonly string[]): Promise<Contestant> {
  const port = await freePort();
  return await startProgram(spawn(program, [...args, '-port', String(port)]), port);
}

async function startPython(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Contestant> {
  const port = await freePort();
  const module = `${basename(file, '.py')}:app`;
  const args = ['-m', 'uvicorn', module, '--port', String(port), '--no-access-log'];
  const child = spawn('python3', args, { cwd: dirname(file), env: { ...process.env, ...env } });
  return await startProgram(child, port);
}

async function startProgram(child: ChildProcess, port: number): Promise<Contestant> {
  const address = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-1_000)));
  const endMs = performance.now() + START_TIMEOUT_MS;
  // Any answer will do: it listens.
  while ((await fetch(address).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null || performance.now() > endMs) {
      await stop();
      throw new Error(`${child.spawnfile} does not listen: ${said}`);
    }
    await sleep(LOOK_MS);
  }
  return { urls: [`${address}/v1/events`], processes: [child], [Symbol.asyncDispose]: stop };
}
