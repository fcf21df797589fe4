// A PostgreSQL database is put back to an earlier state while services run over it, as a restore does
// it: what they acknowledged since then is missed by each of them until an operator accepts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { until } from '@lothub/kit/test/until';
import { execute, type TestDatabase, type TestPostgres } from '@lothub/kit/test/postgres/cluster';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import { aLine, anEvent, valueAt } from '../boot.ts';
import { runCli, toText, type CliRun } from '../cli/run.ts';
import { ServiceProcesses } from './processes.ts';

const PROCESSES = 2;
const KEPT = ['kept-0', 'kept-1', 'kept-2', 'kept-3'];
const LOST = ['lost-0', 'lost-1', 'lost-2'];
/** A retry in the place of a lost block, and news. */
const AFTER = ['lost-0', 'new-0', 'new-1'];
const BACKUP = 'backup_of_the_hub';
const POLL_MS = 20;

/** While nobody is connected, who would keep it from being copied or renamed. */
async function whileClosed(
  server: TestPostgres,
  database: TestDatabase,
  work: () => Promise<void>,
): Promise<void> {
  const { name } = database;
  await execute(server.url, `alter database ${name} allow_connections false`);
  await execute(
    server.url,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  );
  await work();
  await execute(server.url, `alter database ${name} allow_connections true`);
}

async function backUp(server: TestPostgres, database: TestDatabase): Promise<void> {
  await whileClosed(server, database, async () => {
    await execute(server.url, `create database ${BACKUP} template ${database.name}`);
  });
}

async function restore(server: TestPostgres, database: TestDatabase): Promise<void> {
  await whileClosed(server, database, async () => {
    await execute(server.url, `alter database ${database.name} rename to lost`);
    await execute(server.url, `alter database ${BACKUP} rename to ${database.name}`);
  });
}

async function post(processes: ServiceProcesses, base: string, id: string): Promise<number> {
  const event = anEvent({ external_id: id, lines: [aLine({ lot_code: `LOT-${id}` })] });
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { status, json } = await processes.post(base, '/v1/events', event);
    if (status === 200 || status === 201) return status;
    assert.equal(status, 503, JSON.stringify(json));
    assert.ok(performance.now() < deadline, 'it was never stored');
    await sleep(POLL_MS);
  }
}

/** By turns, so that each process has sealed some of them. */
async function postAll(
  processes: ServiceProcesses,
  ids: readonly string[],
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const id of ids) statuses.push(await post(processes, processes.nextBase(), id));
  return statuses;
}

async function untilEverySays(processes: ServiceProcesses, valid: boolean): Promise<void> {
  await until(`chain_valid is ${valid}`, async () => {
    const answers = await Promise.all(
      processes.bases.map((base) => processes.call(base, '/health')),
    );
    return answers.every(({ json }) => valueAt(json, 'chain', 'chain_valid') === valid);
  });
}

test('a restore that lost acknowledged blocks is missed by all until it is accepted', async () => {
  await using server = await startTestPostgres();
  const database = await server.createDatabase();
  await using processes = await ServiceProcesses.start({
    count: PROCESSES,
    databaseUrl: database.url,
  });
  await postAll(processes, KEPT);
  await backUp(server, database);
  await postAll(processes, LOST);

  await restore(server, database);
  await untilEverySays(processes, false);
  const before = await runCli(['verify', '--json'], processes.env);
  const accepting: CliRun[] = [];
  const running = await runCli(['verify', '--accept-tip', '--json'], processes.env);
  await processes.whileStopped(async () => {
    accepting.push(await runCli(['verify', '--accept-tip', '--json'], processes.env));
  });
  // The other process has kept its own record of the tip.
  const again = await runCli(['verify', '--accept-tip', '--json'], processes.env);
  await untilEverySays(processes, true);
  const posted = await postAll(processes, [...AFTER, ...KEPT]);
  const afterwards = await runCli(['verify', '--json'], processes.env);

  assert.equal(before.code, 1);
  const mismatches = Object.values(before.json['mismatches'] ?? {});
  const codes = mismatches.map((one) => toText(one['code']));
  assert.deepEqual([...new Set(codes)].sort(), ['log_rolled_back', 'tail_missing']);
  assert.equal(valueAt(before.json, 'first_bad_height'), KEPT.length + 1);
  assert.deepEqual([running.code, valueAt(running.json, 'error', 'code')], [1, 'hub_in_use']);
  const [accepted] = accepting;
  assert.deepEqual([accepted?.code, again.code], [0, 0]);
  assert.equal(valueAt(accepted?.json, 'new_epoch', 'epoch'), 2);
  assert.equal(valueAt(again.json, 'new_epoch'), undefined);
  assert.deepEqual(posted, [...AFTER.map(() => 201), ...KEPT.map(() => 200)]);
  assert.equal(afterwards.code, 0, afterwards.stdout);
  assert.equal(valueAt(afterwards.json, 'head', 'height'), KEPT.length + AFTER.length);
});
