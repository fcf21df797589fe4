// A machine that has a key and no record of what was signed with it asks the witnesses first, and a chain
// that was cut back is held by what they have seen.
import assert from 'node:assert/strict';
import { cp, mkdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { logRecordFile } from '../../src/ledger/log/log-record.ts';
import { anEvent, valueAt, type Booted } from '../boot.ts';
import { testFolder } from '../cli/run.ts';
import { sqliteDatabase } from '../engine.ts';
import { answer, type TestWitnesses } from './test-witness.ts';
import { until, untilPublished, witnessedHub } from './witnessed-hub.ts';

async function logState(hub: Booted): Promise<unknown> {
  return valueAt((await hub.call('/health')).json, 'log', 'state');
}

async function openCodes({ database }: Booted): Promise<readonly unknown[]> {
  const rows = await database.rows('select code from chain_alarms where cleared_at is null');
  return rows.map(({ code }) => code);
}

function silence({ all }: TestWitnesses): void {
  for (const witness of all) {
    witness.behave = (_asked, response) => (answer(response, 500, ''), true);
  }
}

function restore({ all }: TestWitnesses): void {
  for (const witness of all) witness.behave = () => false;
}

test('a machine whose record is lost signs when the witnesses have seen nothing else', async () => {
  await using setup = await witnessedHub();
  await setup.hub.post('/v1/events', anEvent());
  await untilPublished(setup.hub, 2);
  await rm(logRecordFile(setup.hub.dataDir));

  setup.hub = await setup.hub.restart();
  await until('signing', async () => (await logState(setup.hub)) === 'signing');
  await setup.hub.post('/v1/events', anEvent());
  await untilPublished(setup.hub, 3);

  assert.deepEqual(await openCodes(setup.hub), []);
});

test('without answers it signs nothing, says so after a while, and an operator lets it go on', async () => {
  await using setup = await witnessedHub({ witnessPatienceMs: 0 });
  await setup.hub.post('/v1/events', anEvent());
  await untilPublished(setup.hub, 2);
  await rm(logRecordFile(setup.hub.dataDir));
  silence(setup.witnesses);

  setup.hub = await setup.hub.restart();
  await until('decided', async () => (await logState(setup.hub)) !== 'building');
  assert.equal(await logState(setup.hub), 'held');
  const held = await setup.hub.post('/v1/events', anEvent());
  const latest = await setup.hub.call('/log/1/checkpoint/latest');
  assert.deepEqual(await openCodes(setup.hub), ['log_unconfirmed']);
  assert.deepEqual([held.status, valueAt(held.json, 'log_state')], [201, 'held']);
  assert.equal(latest.status, 503);

  await setup.hub.database.change(
    `update chain_alarms set cleared_at = '${new Date().toISOString()}' where cleared_at is null`,
  );
  await until('signing', async () => (await logState(setup.hub)) === 'signing');
  assert.deepEqual(await openCodes(setup.hub), []);
});

testInLongRun('witnesses that come back confirm the log without an operator', async () => {
  await using setup = await witnessedHub({ witnessPatienceMs: 0 });
  await untilPublished(setup.hub, 1);
  await rm(logRecordFile(setup.hub.dataDir));
  silence(setup.witnesses);
  setup.hub = await setup.hub.restart();
  await until('held', async () => (await logState(setup.hub)) === 'held');

  restore(setup.witnesses);

  await until('signing', async () => (await logState(setup.hub)) === 'signing');
  assert.deepEqual(await openCodes(setup.hub), []);
});

test('witnesses that show nothing are asked to cosign the empty tree, which shows what they have seen', async () => {
  await using setup = await witnessedHub();
  await setup.hub.post('/v1/events', anEvent());
  await untilPublished(setup.hub, 2);
  await until('all', () => setup.witnesses.all.every(({ size }) => size === 2));
  await rm(logRecordFile(setup.hub.dataDir));
  for (const witness of setup.witnesses.all) {
    witness.behave = ({ method }, response) =>
      method === 'GET' ? (answer(response, 404, ''), true) : false;
    witness.asked.length = 0;
  }

  setup.hub = await setup.hub.restart();
  await until('signing', async () => (await logState(setup.hub)) === 'signing');

  const { asked } = setup.witnesses.all[0]!;
  const { body } = asked.find(({ method }) => method === 'POST')!;
  assert.deepEqual(body.split('\n').slice(0, 4).slice(0, 2), ['old 0', '']);
  assert.equal(body.split('\n')[3], '0');
});

/** A hub that has lost its last events while it was stopped: all its files are those from before. */
async function cutBack(keeps: 'log.json' | 'no log.json') {
  const folder = await testFolder();
  const dataDir = folder.file('hub');
  await mkdir(dataDir);
  const setup = await witnessedHub({ database: sqliteDatabase(dataDir) });
  await setup.hub.post('/v1/events', anEvent());
  await untilPublished(setup.hub, 2);
  await setup.hub.service.close();
  await cp(dataDir, folder.file('before'), { recursive: true });
  setup.hub = await setup.hub.restart();
  for (let event = 0; event < 3; event += 1) await setup.hub.post('/v1/events', anEvent());
  await untilPublished(setup.hub, 5);
  await until('all', () => setup.witnesses.all.every(({ size }) => size === 5));
  await setup.hub.service.close();
  await rm(dataDir, { recursive: true });
  await cp(folder.file('before'), dataDir, { recursive: true });
  if (keeps === 'no log.json') await rm(logRecordFile(dataDir));
  setup.hub = await setup.hub.restart();
  return {
    setup,
    [Symbol.asyncDispose]: async () => {
      await setup[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

for (const keeps of ['log.json', 'no log.json'] as const) {
  const play = keeps === 'log.json' ? test : testInLongRun;
  void play(
    `a tail that is cut back with ${keeps} is noticed by the witnesses alone, and held`,
    async () => {
      await using cut = await cutBack(keeps);
      const { hub, witnesses } = cut.setup;

      await until('held', async () => (await logState(hub)) === 'held');
      const posted = await hub.post('/v1/events', anEvent());

      assert.deepEqual([...new Set(await openCodes(hub))], ['witness_ahead']);
      assert.deepEqual([posted.status, valueAt(posted.json, 'log')], [201, null]);
      for (const { size } of witnesses.all) assert.equal(size, 5);
    },
  );
}
