// A hub of an earlier version has no tree: it is built at the first start, while the hub serves already.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TILE_WIDTH } from '@lothub/chain/log';
import { Metrics } from '@lothub/kit/metrics/metrics';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { anEvent, boot, valueAt, type Booted, type Json } from '../boot.ts';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';
import { TEST_CALLER, makeDraft, makeEvent, makeLine, openTestStore } from '../ledger.ts';
import { newRecord, findDamage, NO_DAMAGE, postOnce, readStored } from '../posting.ts';
import { runCli, type CliRun } from '../cli/run.ts';

/** More than a group makes tiles of, so that some are left to rest. */
const BLOCKS = 30 * TILE_WIDTH;

async function findLog(hub: Booted): Promise<Json | undefined> {
  return (await hub.call('/health')).json['log'];
}

function verify({ databaseUrl, dataDir }: TestDatabase): Promise<CliRun> {
  const env = {
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  return runCli(['verify', '--json'], env);
}

/** Events in blocks, and then without a tree, as an earlier version leaves them. */
async function makeOlderHub(blocks: number): Promise<TestDatabase> {
  const database = await newTestDatabase();
  const store = await openTestStore(database);
  const drafts = Array.from({ length: 1_000 }, (_, index) =>
    makeDraft(makeEvent('RECEIVE', [makeLine('in', `LOT-${index}`)])),
  );
  // The genesis block is there already.
  for (let missing = blocks - 1; missing > 0; missing -= drafts.length) {
    const some = drafts.slice(0, missing);
    await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts: some, unit: 'all' });
  }
  await store.close();
  await database.change('update head set frontier = null');
  await database.change('delete from log_tiles');
  return database;
}

/** From this tile on none is stored, and the tree is never complete. */
async function stopBuildingAt(database: TestDatabase, tile: number): Promise<void> {
  const tiles = 'before insert on log_tiles';
  const frontiers = 'before update on head';
  const [isBeyond, isMade] = [`when (new.tile >= ${tile})`, 'when (new.frontier is not null)'];
  if (testEngine === 'sqlite') {
    const skip = 'begin select raise(ignore); end';
    await database.change(`create trigger stop_tiles ${tiles} ${isBeyond} ${skip}`);
    await database.change(`create trigger stop_frontiers ${frontiers} ${isMade} ${skip}`);
    return;
  }
  const skip = 'execute function skip()';
  await database.rows(
    "create function skip() returns trigger language plpgsql as 'begin return null; end'",
  );
  await database.rows(`create trigger stop_tiles ${tiles} for each row ${isBeyond} ${skip}`);
  await database.rows(`create trigger stop_frontiers ${frontiers} for each row ${isMade} ${skip}`);
}

async function untilSigning(hub: Booted): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (valueAt(await findLog(hub), 'state') !== 'signing') {
    assert.ok(performance.now() < deadline, 'the tree was not built');
    await sleep(20);
  }
}

test('the tree of an older hub is built while events are taken, and then signed', async () => {
  const database = await makeOlderHub(BLOCKS);

  await using hub = await boot({ database });
  const first = await hub.post('/v1/events', anEvent());
  const record = newRecord();
  // Groups come all the while: they, too, make tiles when too many are missing.
  const deadline = performance.now() + PATIENCE_MS;
  for (let count = 0; valueAt(await findLog(hub), 'state') !== 'signing'; count += 1) {
    assert.ok(performance.now() < deadline, 'the tree was not built');
    await postOnce(hub.base, [`while-${count}`], record);
  }
  await postOnce(hub.base, ['after'], record);

  assert.equal(first.status, 201, first.text);
  assert.ok(first.json['log'] !== null || valueAt(first.json, 'log_state') === 'building');
  assert.deepEqual([...record.refused, ...record.unanswered], []);
  assert.ok(record.acknowledged.at(-1)?.tree !== undefined);
  assert.equal(valueAt(await findLog(hub), 'building'), null);
  assert.deepEqual(findDamage(await readStored(database), record), NO_DAMAGE);
  const verified = await verify(database);
  assert.equal(verified.code, 0, verified.stdout);
});

test('while the tree is made everybody reads how far it is', async () => {
  const database = await makeOlderHub(4 * TILE_WIDTH + 9);
  await stopBuildingAt(database, 2);
  const metrics = new Metrics({ version: '0' });

  await using hub = await boot({ database, metrics });
  const deadline = performance.now() + PATIENCE_MS;
  while (valueAt(await findLog(hub), 'building', 'tiled') !== 2 * TILE_WIDTH) {
    assert.ok(performance.now() < deadline, 'no tile was made');
    await sleep(20);
  }
  const log = await findLog(hub);

  const blocks = Number(valueAt(log, 'size'));
  assert.equal(valueAt(log, 'state'), 'building');
  assert.deepEqual(valueAt(log, 'building'), { tiled: 2 * TILE_WIDTH, blocks });
  const ratio = (2 * TILE_WIDTH) / blocks;
  assert.match(await metrics.text(), new RegExp(`^lothub_log_built_ratio ${ratio}$`, 'm'));
  assert.match(hub.log(), /"tiled":\d+,"blocks":\d+.*"the tree of the public log is being made/);
});

test('the tiles that groups leave behind are those of their blocks', async () => {
  const database = await newTestDatabase();
  const store = await openTestStore(database);
  // The genesis block is the first of the first tile.
  for (const [group, size] of [1, TILE_WIDTH - 2, 1, 700, 3, 1_000].entries()) {
    const drafts = Array.from({ length: size }, (_, index) =>
      makeDraft(makeEvent('RECEIVE', [makeLine('in', `LOT-${group}-${index}`)])),
    );
    await store.append({ tenantId: 'acme', caller: TEST_CALLER, drafts, unit: 'all' });
  }
  await store.close();

  const verified = await verify(database);

  assert.equal(verified.code, 0, verified.stdout);
});

test('a hub that was asked to sign nothing keeps its tree, and signs when it may', async () => {
  const database = await newTestDatabase();
  const silent = await boot({ database, env: { LOG: 'off' } });
  const unsigned = await silent.post('/v1/events', anEvent());
  const none = await silent.call('/log/1/checkpoint');
  await silent.service.close();

  await using hub = await boot({ database });
  await untilSigning(hub);
  const signed = await hub.post('/v1/events', anEvent({ reference: 'PO-2' }));

  assert.deepEqual([unsigned.json['log'], unsigned.json['log_state']], [null, 'off']);
  assert.equal(none.status, 404);
  assert.equal(valueAt(signed.json, 'log', 'size'), 3);
});
