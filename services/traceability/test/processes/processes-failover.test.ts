// A standby of PostgreSQL takes over while services run: one that had every acknowledged block, and one
// that had not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { until } from '@lothub/kit/test/until';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { startCuttingProxy } from '@lothub/kit/test/postgres/cutting-proxy';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import { startTestStandby } from '@lothub/kit/test/postgres/standby';
import { valueAt } from '../boot.ts';
import { runCli } from '../cli/run.ts';
import { openSecondDatabase } from '../engine.ts';
import { NO_DAMAGE, findDamage, newRecord, postUntilAcknowledged, readStored } from '../posting.ts';
import { ServiceProcesses } from './processes.ts';
import { storedHeight } from '../stored.ts';

const PROCESSES = 2;
const CLIENTS = 4;
/** Events acknowledged before the primary dies, and again after the standby took over. */
const EVENTS_BEFORE = 60;
const EVENTS_AFTER = 60;
const KEPT_BLOCKS = 5;
const LOST_BLOCKS = 3;

test('a synchronous standby that is promoted under load has all that was acknowledged', async (t) => {
  await using primary = await startTestPostgres({ fsync: 'on' });
  const created = await primary.createDatabase();
  await using proxy = await startCuttingProxy(created.url);
  await using standby = await startTestStandby(primary, { synchronous: true });
  await using promoted = await openSecondDatabase(standby.buildUrl(created));
  await using processes = await ServiceProcesses.start({
    count: PROCESSES,
    databaseUrl: proxy.url,
  });
  const record = newRecord();
  const options = { record, patienceMs: PATIENCE_MS };
  let over = false;
  const client = async (name: string): Promise<void> => {
    for (let count = 0; !over; count += 1) {
      await postUntilAcknowledged(processes.nextBase, [`${name}-${count}`], options);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(`client-${n}`)));
  try {
    await until('events before', () => record.acknowledged.length >= EVENTS_BEFORE);

    await primary.stop('immediate');
    await standby.promote();
    proxy.leadTo(standby.url);
    const before = record.acknowledged.length;
    const startedMs = performance.now();
    await until('events after', () => record.acknowledged.length >= before + EVENTS_AFTER);
    t.diagnostic(`${EVENTS_AFTER} events within ${Math.round(performance.now() - startedMs)} ms`);
  } finally {
    over = true;
    await clients;
  }

  const health = await Promise.all(processes.bases.map((base) => processes.call(base, '/health')));
  assert.deepEqual(record.refused, []);
  assert.deepEqual(findDamage(await readStored(promoted), record), NO_DAMAGE);
  for (const { json } of health) assert.equal(valueAt(json, 'chain', 'chain_valid'), true);
});

testInLongRun(
  'a promoted standby that lacks acknowledged blocks is noticed by every process',
  async () => {
    await using primary = await startTestPostgres({ fsync: 'on' });
    const created = await primary.createDatabase();
    await using proxy = await startCuttingProxy(created.url);
    await using standby = await startTestStandby(primary, { synchronous: false });
    await using processes = await ServiceProcesses.start({
      count: PROCESSES,
      databaseUrl: proxy.url,
    });
    await using behind = await openSecondDatabase(standby.buildUrl(created));
    const record = newRecord();
    const options = { record, patienceMs: PATIENCE_MS };
    const post = (id: string) => postUntilAcknowledged(processes.nextBase, [id], options);
    for (let count = 0; count < KEPT_BLOCKS; count += 1) await post(`kept-${count}`);
    await until('the standby has them', async () => (await storedHeight(behind)) === KEPT_BLOCKS);
    await standby.stop('fast');
    for (let count = 0; count < LOST_BLOCKS; count += 1) await post(`lost-${count}`);
    // Each process has noted the tip by now: a process that nobody posts to looks at times.
    await until('every process has seen the tip', async () => {
      const answers = await Promise.all(
        processes.bases.map((base) => processes.call(base, '/health')),
      );
      return answers.every(
        ({ json }) => valueAt(json, 'chain', 'height') === KEPT_BLOCKS + LOST_BLOCKS,
      );
    });

    await primary.stop('immediate');
    await standby.start();
    await standby.promote();
    proxy.leadTo(standby.url);

    const readCondition = async (base: string): Promise<unknown> =>
      valueAt((await processes.call(base, '/health')).json, 'chain');
    await until('every process has noticed', async () => {
      const conditions = await Promise.all(processes.bases.map(readCondition));
      return conditions.every((condition) => valueAt(condition, 'chain_valid') === false);
    });
    const [first] = await Promise.all(processes.bases.map(readCondition));
    assert.equal(valueAt(first, 'first_bad_height'), KEPT_BLOCKS + 1);
    // One may answer by the alarm of another one a moment before it has looked itself.
    for (let number = 0; number < PROCESSES; number += 1) {
      await until(`process ${number} has said so`, () =>
        processes.log(number).includes('"code":"tail_missing"'),
      );
    }
    const run = await runCli(['verify', '--json'], processes.env);
    assert.equal(run.code, 1);
    const damage = findDamage(await readStored(behind), record);
    const lost = ['lost-0', 'lost-1', 'lost-2'];
    // What was signed over them cannot be taken back: nothing that contradicts it is signed.
    assert.deepEqual(damage, { ...NO_DAMAGE, lost, contradicted: lost });
    for (const base of processes.bases) {
      const { json } = await processes.call(base, '/health');
      assert.equal(valueAt(json, 'log', 'state'), 'held');
    }
  },
);
