// The tail of the chain is cut on a PostgreSQL server, by somebody who has its password: who notices it
// (docs/trust.md). The files beside the database are on the machines of the processes, and on no other.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { logRecordFile } from '../../src/ledger/log/log-record.ts';
import { tipRecordFile } from '../../src/ledger/tip-record.ts';
import { boot, bootSecond, valueAt, type Booted } from '../boot.ts';
import { testFolder } from '../cli/run.ts';
import type { TestDatabase } from '../engine.ts';
import { until, untilPublished, witnessedHub } from '../witnessing/witnessed-hub.ts';
import { ask, readLine, monitorArgs, post, listReports, stateArgs } from './readers.ts';
import { rebuildRows } from '../verified.ts';

const KEPT = 3;
const EVENTS = 5;

/** Deletes the rows of the tail, and makes the head and all that is derived fit what is left. */
async function cutTail(database: TestDatabase): Promise<void> {
  assert.equal(await database.change(`delete from blocks where height > ${KEPT}`), EVENTS - KEPT);
  await rebuildRows(database);
}

async function removeRecords({ dataDir }: TestDatabase): Promise<void> {
  for (const file of [tipRecordFile(dataDir), logRecordFile(dataDir)]) await rm(file);
}

/** Trees that the database keeps as signed. */
async function removeSignedTrees(database: TestDatabase): Promise<void> {
  await database.change('update log_epochs set signed_size = null, signed_root = null');
  await database.change('delete from log_checkpoints');
}

async function openCodes({ database }: Booted): Promise<readonly string[]> {
  const rows = await database.rows(
    'select distinct code from chain_alarms where cleared_at is null order by code',
  );
  return rows.map((row) => String(row['code']));
}

async function logState(hub: Booted): Promise<unknown> {
  return valueAt((await hub.call('/health')).json, 'log', 'state');
}

/** Those who have seen the newest checkpoint, and every block. */
async function readAll(hub: Booted, folder: { file(name: string): string }): Promise<void> {
  await writeFile(
    folder.file('policy'),
    `log ${await readLine(hub, '/log/1/vkeys')}\nquorum none\n`,
  );
  assert.equal((await ask(stateArgs(hub, folder, 'kept'))).code, 0);
  assert.equal((await ask(monitorArgs(hub, folder))).code, 0);
}

async function monitorFinds(
  hub: Booted,
  folder: { file(name: string): string },
): Promise<readonly unknown[]> {
  const run = await ask(monitorArgs(hub, folder));
  const codes = listReports(run).map((report) => valueAt(report, 'code'));
  return codes.filter((code) => code !== undefined);
}

test('the tail cut: the process whose records stay signs nothing', async () => {
  await using folder = await testFolder();
  const before = await boot();
  for (let number = 0; number < EVENTS; number += 1) await post(before, number);
  await readAll(before, folder);
  await before.service.close();

  await cutTail(before.database);

  await using hub = await boot({ database: before.database });
  const posted = await post(hub, EVENTS);
  assert.equal(valueAt(posted, 'log_state'), 'held');
  assert.deepEqual(await openCodes(hub), ['log_rolled_back', 'tail_missing']);
  // What was signed last is still shown, and the blocks behind it cannot be.
  assert.equal((await ask(stateArgs(hub, folder, 'kept'))).code, 0);
  assert.equal((await ask(monitorArgs(hub, folder))).code, 1);
});

test('the tail cut while two processes run: both stop signing, and every answer says so', async () => {
  await using hub = await boot();
  await using other = await bootSecond(hub);
  for (let number = 0; number < EVENTS; number += 1) await post(hub, number);
  await until('both', async () => {
    const states = await Promise.all([hub, other].map(logState));
    return states.every((state) => state === 'signing');
  });

  await cutTail(hub.database);

  // Before anything is posted: a block that takes the place of one that is gone is another finding.
  await until('tail_missing', async () => (await openCodes(hub)).includes('tail_missing'));
  for (const one of [hub, other]) {
    await until('held', async () => (await logState(one)) === 'held');
    await until('chain_valid', async () => {
      return valueAt((await one.call('/health')).json, 'chain', 'chain_valid') === false;
    });
    const posted = await post(one, EVENTS);
    assert.deepEqual(
      [valueAt(posted, 'log'), valueAt(posted, 'chain', 'chain_valid')],
      [null, false],
    );
  }
});

test('the tail cut with the files of one machine: the records of another machine hold the log', async () => {
  await using first = await boot();
  const other = await bootSecond(first);
  for (let number = 0; number < EVENTS; number += 1) await post(other, number);
  await other.service.close();
  await first.service.close();

  await cutTail(first.database);
  await removeRecords(first.database);
  await removeSignedTrees(first.database);

  await using hub = await boot({ database: first.database });
  const alone = await post(hub, EVENTS);
  const again = await boot({
    database: other.database,
    env: { LOG_KEY_FILE: `${first.dataDir}/log.key` },
  });
  await until('held', async () => (await logState(hub)) === 'held');
  await again.service.close();
  await other.database[Symbol.asyncDispose]();
  // Until then nothing here knew of it.
  assert.equal(valueAt(alone, 'log', 'size'), KEPT + 2);
  assert.ok(
    (await openCodes(hub)).some((code) => code === 'tail_missing' || code === 'tip_differs'),
  );
});

test('the tail cut with all files beside the database: what the database keeps holds the log', async () => {
  const before = await boot();
  for (let number = 0; number < EVENTS; number += 1) await post(before, number);
  await before.service.close();

  await cutTail(before.database);
  await removeRecords(before.database);

  await using hub = await boot({ database: before.database });
  const posted = await post(hub, EVENTS);
  assert.equal(valueAt(posted, 'log_state'), 'held');
  assert.deepEqual(await openCodes(hub), ['log_rolled_back']);
});

test('the tail cut with all that was signed: only whoever kept something notices', async () => {
  await using folder = await testFolder();
  const before = await boot();
  for (let number = 0; number < EVENTS; number += 1) await post(before, number);
  await readAll(before, folder);
  await before.service.close();

  await cutTail(before.database);
  await removeRecords(before.database);
  await removeSignedTrees(before.database);

  await using hub = await boot({ database: before.database });
  const smaller = await ask(stateArgs(hub, folder, 'kept'));
  const monitored = await monitorFinds(hub, folder);
  for (let number = EVENTS; number < 2 * EVENTS; number += 1) await post(hub, number);
  const grown = await ask(stateArgs(hub, folder, 'kept'));
  assert.deepEqual([await logState(hub), await openCodes(hub)], ['signing', []]);
  assert.deepEqual(
    [valueAt(smaller.json, 'code'), monitored, valueAt(grown.json, 'code')],
    ['rolled_back', ['rolled_back'], 'split_view'],
  );
});

for (const keeps of ['files', 'no files'] as const) {
  test(`the tail cut under witnesses with ${keeps} beside the database: nothing new is confirmed`, async () => {
    await using setup = await witnessedHub();
    for (let number = 0; number < EVENTS; number += 1) await post(setup.hub, number);
    await untilPublished(setup.hub, EVENTS + 1);
    const { all } = setup.witnesses;
    await until('all', () => all.every(({ size }) => size === EVENTS + 1));
    await setup.hub.service.close();

    await cutTail(setup.hub.database);
    if (keeps === 'no files') await removeRecords(setup.hub.database);

    setup.hub = await setup.hub.restart();
    await until('held', async () => (await logState(setup.hub)) === 'held');
    const posted = await post(setup.hub, EVENTS);
    assert.equal(valueAt(posted, 'log_state'), 'held');
    assert.deepEqual(await openCodes(setup.hub), [
      'log_rolled_back',
      keeps === 'files' ? 'tail_missing' : 'witness_ahead',
    ]);
    for (const { size } of all) assert.equal(size, EVENTS + 1);
    // There is no proof for a tree that is no longer stored.
    assert.equal((await setup.hub.call(`/public/verify/LOT-${EVENTS}/evidence`)).status, 503);
  });
}
