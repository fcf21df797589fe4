// kill -9 of the hub in the middle of rounds: no witness ever cosigns two heads of which one does not follow
// on the other, and the quorum is back within a round.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { parseCheckpoint, sameBytes } from '@lothub/chain/log';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { TreeReader } from '../../src/ledger/log/tree-reader.ts';
import { startCrashChild } from '../crash/crash-hub.ts';
import { newTestDatabase } from '../engine.ts';
import { openTestStore } from '../ledger.ts';
import { newRecord, postOnce } from '../posting.ts';
import { TestWitnesses } from './test-witness.ts';
import { NAMES, TWO_OF_THREE, until } from './witnessed-hub.ts';

/** In the long run 50, with those of witnessed-hub-crash.test.ts of the host. */
const KILLS = chooseRounds({ usual: 2, long: 14 });
/** Longer than a round of one second with its answers. */
const KILL_AFTER_MS_MAX = 1_500;
const PAUSE_MS = 20;

test(`a hub that is killed ${KILLS} times in its rounds has its quorum back, and contradicts nothing`, async () => {
  await using database = await newTestDatabase();
  await using witnesses = await TestWitnesses.start(NAMES);
  const file = await witnesses.policy(database.dataDir, TWO_OF_THREE);
  const env = { WITNESS_POLICY_FILE: file, WITNESS_INTERVAL: '1' };
  const record = newRecord();
  let number = 0;

  for (let kill = 0; kill < KILLS; kill += 1) {
    const hub = await startCrashChild({ database, env });
    witnesses.hub = hub;
    const before = witnesses.all[0]!.size;
    await postOnce(hub.base, [`first-${kill}`], record);
    await until('the quorum', async () => {
      const answer = await fetch(`${hub.base}/log/1/checkpoint`);
      const text = await answer.text();
      return answer.status === 200 && parseCheckpoint(text).size > before;
    });
    const killAtMs = performance.now() + randomInt(KILL_AFTER_MS_MAX);
    while (performance.now() < killAtMs) {
      await postOnce(hub.base, [`event-${(number += 1)}`], record);
      await sleep(PAUSE_MS);
    }
    await hub.end();
  }

  await using store = await openTestStore(database);
  const tree = new TreeReader({ database: store.reader });
  for (const witness of witnesses.all) {
    let size = 0;
    for (const seen of witness.cosigned) {
      assert.ok(seen.size >= size, `${witness.name} went back from ${size} to ${seen.size}`);
      ({ size } = seen);
      assert.ok(sameBytes(await tree.rootAt(size), seen.root), `${witness.name} at ${size}`);
    }
    assert.ok(size > 1);
  }
  const alarms = await database.rows('select code from chain_alarms');
  assert.deepEqual(alarms, []);
});
