// The tests' own PostgreSQL: what it promises to the tests, and that it leaves nothing behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { PostgresConnection } from '../../src/postgres/connection.ts';
import { PATIENCE_MS } from '../patience.ts';
import { startTestPostgres } from './server.ts';

const GONE_POLL_MS = 20;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answered = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(
      () => false,
      () => false,
    ),
  ]).catch(() => false);
  socket.destroy();
  return answered;
}

test('a disposed server leaves no process, no folder and no port behind', async () => {
  const server = await startTestPostgres();
  const { pid, folder, port } = server;
  const wasThere = isRunning(pid) && existsSync(folder) && (await answers(port));

  await server[Symbol.asyncDispose]();

  assert.ok(wasThere);
  assert.ok(!isRunning(pid));
  assert.ok(!existsSync(folder));
  assert.ok(!(await answers(port)));
});

test('the server of a test that is killed ends with it and leaves nothing behind', async () => {
  const module = new URL('./server.ts', import.meta.url).href;
  const program =
    `const server = await (await import('${module}')).startTestPostgres();` +
    `console.log(server.pid, server.folder);` +
    `setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = String(
    (await once(child.stdout, 'data', { signal: AbortSignal.timeout(PATIENCE_MS) }))[0],
  );
  const [pidText = '', folder = ''] = line.trim().split(' ');
  const pid = Number(pidText);
  const wasThere = isRunning(pid) && existsSync(folder);

  child.kill('SIGKILL');

  const deadline = performance.now() + PATIENCE_MS;
  while ((isRunning(pid) || existsSync(folder)) && performance.now() < deadline) {
    await sleep(GONE_POLL_MS);
  }
  assert.ok(wasThere);
  assert.ok(!isRunning(pid));
  assert.ok(!existsSync(folder));
});

test('what was committed is there after a crash of the server, on the same port', async () => {
  await using server = await startTestPostgres({ fsync: 'on' });
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  await connection.all(sql`create table goods (no bigint)`);
  await connection.all(sql`insert into goods (no) values (${1})`);

  await server.restart('immediate');

  assert.deepEqual(await connection.all(sql`select no from goods`), [{ no: 1 }]);
});

test('databases of one server know nothing of each other, and copy what a template has', async () => {
  await using server = await startTestPostgres();
  const template = await server.createDatabase();
  {
    await using connection = await PostgresConnection.open(template.url);
    await connection.all(sql`create table goods (no bigint)`);
  }

  const copy = await server.createDatabase({ template: template.name });
  const empty = await server.createDatabase();

  await using copied = await PostgresConnection.open(copy.url);
  await using fresh = await PostgresConnection.open(empty.url);
  assert.deepEqual(await copied.all(sql`select no from goods`), []);
  await assert.rejects(fresh.all(sql`select no from goods`), { code: 'database_failed' });
});
