// The service is killed under load, at random and at chosen points. After every restart each
// acknowledged event is there, once and unchanged, and the chain verifies.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import { valueAt } from '../boot.ts';
import { postUntilDead, spawnCrashChild, startCrashChild } from './crash-hub.ts';
import type { CrashChild } from './crash-hub.ts';
import { newTestDatabase, testEngine } from '../engine.ts';
import type { TestDatabase } from '../engine.ts';
import { NO_DAMAGE, findDamage, newRecord, postOnce, readStored } from '../posting.ts';
import type { PostingRecord } from '../posting.ts';
import { storedHeight } from '../stored.ts';

/** Fifty kills and more in the long run. On PostgreSQL processes-chaos.test.ts has rounds of its own. */
const RANDOM_ROUNDS = chooseRounds({
  usual: 3,
  long: { sqlite: 32, postgres: 8 }[testEngine],
});
const CHOSEN_ROUNDS = chooseRounds({
  usual: 1,
  long: { sqlite: 6, postgres: 3 }[testEngine],
});
const CALLERS = 6;
/** A random kill comes within this time after the first answer. */
const LIFE_MAX_MS = 120;
const START_ROUNDS = chooseRounds({ usual: 2, long: 8 });
/** A start takes about this long; the kills fall into it. */
const START_MS = 900;

let database: TestDatabase;
const everything: PostingRecord = newRecord();
before(async () => {
  database = await newTestDatabase();
});
after(async () => {
  await database[Symbol.asyncDispose]();
});

/** Posts to a child until it is dead; answers how it ended. */
async function runRound(
  child: CrashChild,
  options: { readonly prefix: string; readonly lifeMs: number },
): Promise<PostingRecord> {
  const { promise: answered, resolve: onAnswer } = Promise.withResolvers<void>();
  const posting = postUntilDead(child, { prefix: options.prefix, callers: CALLERS, onAnswer });
  const life = new AbortController();
  const killing = Promise.race([answered, child.ended])
    .then(() => sleep(options.lifeMs, undefined, { signal: life.signal }))
    .then(() => child.kill())
    .catch(() => undefined);
  await child.ended;
  life.abort();
  await killing;
  return await posting;
}

/** After a restart: nothing is damaged, and what was not answered can be sent again. */
async function assertRecovered(child: CrashChild, record: PostingRecord): Promise<void> {
  assert.deepEqual(record.refused, []);
  assert.deepEqual(findDamage(await readStored(database), record), NO_DAMAGE);
  const health: unknown = await (await fetch(`${child.base}/health`)).json();
  assert.equal(valueAt(health, 'chain', 'chain_valid'), true);
  const again = newRecord();
  for (const ids of record.unanswered) await postOnce(child.base, ids, again);
  assert.deepEqual([...again.refused, ...again.unanswered], []);
  everything.acknowledged.push(...record.acknowledged, ...again.acknowledged);
}

/**
 * Kills a child round after round and checks each time what the next one finds.
 * @returns how many requests had no answer
 */
async function runRounds(options: {
  readonly name: string;
  readonly rounds: number;
  readonly start: (round: number) => Promise<CrashChild>;
  readonly lifeMs: () => number;
}): Promise<number> {
  let unanswered = 0;
  let child = await options.start(0);
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      const prefix = `${options.name}-${round}`;
      const record = await runRound(child, { prefix, lifeMs: options.lifeMs() });
      assert.equal(await child.ended, 'SIGKILL');
      child = await options.start(round);
      await assertRecovered(child, record);
      unanswered += record.unanswered.length;
    }
  } finally {
    child.kill();
    await child.ended;
  }
  return unanswered;
}

test(`${RANDOM_ROUNDS} kills at random moments lose nothing that was acknowledged`, async (t) => {
  await runRounds({
    name: 'random',
    rounds: RANDOM_ROUNDS,
    start: () => startCrashChild({ database }),
    lifeMs: () => 5 + Math.random() * LIFE_MAX_MS,
  });

  t.diagnostic(`${everything.acknowledged.length} events acknowledged`);
  assert.ok(everything.acknowledged.length > RANDOM_ROUNDS);
  // Every answer was signed, so that `contradicted` tells something.
  assert.ok(everything.acknowledged.every(({ tree }) => tree !== undefined));
});

for (const point of [
  'between-writes',
  'before-commit',
  'after-commit',
  'before-signature',
  'after-signature',
] as const) {
  test(`${CHOSEN_ROUNDS} kills ${point.replace('-', ' ')} lose nothing that was acknowledged`, async () => {
    const unanswered = await runRounds({
      name: point,
      rounds: CHOSEN_ROUNDS,
      start: (round) => startCrashChild({ database, point, groups: CALLERS + 2 * round }),
      lifeMs: () => PATIENCE_MS,
    });

    // The group that was killed had posts in it, and they were not answered.
    assert.ok(unanswered >= CHOSEN_ROUNDS);
  });
}

test('a kill while the hub starts for the first time leaves a hub that starts', async () => {
  await using own = await newTestDatabase();
  const options = { database: own };
  for (let round = 0; round < START_ROUNDS; round += 1) {
    const starting = spawnCrashChild(options);
    await sleep(((round + 1) / START_ROUNDS) * START_MS * Math.random());
    starting.kill('SIGKILL');
    await once(starting, 'exit');
  }

  const child = await startCrashChild(options);
  const record = newRecord();
  await postOnce(child.base, ['first'], record);
  child.kill();
  await child.ended;

  assert.deepEqual(findDamage(await readStored(own), record), NO_DAMAGE);
  assert.equal(await storedHeight(own), 1);
});

test('a kill before the commit leaves nothing of its group, one after it leaves all', async () => {
  const heights: number[] = [];
  for (const point of ['between-writes', 'before-commit', 'after-commit'] as const) {
    const child = await startCrashChild({ database, point });
    const before = await storedHeight(database);
    const record = newRecord();
    await postOnce(
      child.base,
      ['x', 'y', 'z'].map((id) => `single-${point}-${id}`),
      record,
    );
    assert.equal(await child.ended, 'SIGKILL');
    assert.deepEqual(record.acknowledged, []);
    heights.push((await storedHeight(database)) - before);
  }

  assert.deepEqual(heights, [0, 0, 3]);
});

test('after all of these kills everything acknowledged is there', async () => {
  const findings = findDamage(await readStored(database), everything);

  assert.deepEqual(findings, NO_DAMAGE);
});

test('a service that answers before the commit is found out by the same check', async () => {
  await using own = await newTestDatabase();
  const options = { database: own };
  const begun = await startCrashChild(options);
  begun.kill();
  await begun.ended;
  const child = await startCrashChild({ ...options, point: 'answer-before-commit' });
  const record = newRecord();
  for (let count = 0; count < 5; count += 1) await postOnce(child.base, [`early-${count}`], record);
  child.kill();
  await child.ended;

  const recovered = await startCrashChild(options);
  const health: unknown = await (await fetch(`${recovered.base}/health`)).json();
  recovered.kill();
  await recovered.ended;
  const findings = findDamage(await readStored(own), record);

  assert.equal(record.acknowledged.length, 5);
  // Whether it was signed before the kill depends on the moment.
  assert.deepEqual({ ...findings, contradicted: [] }, { ...NO_DAMAGE, lost: ['early-4'] });
  // The tip outside the database tells the service itself, too.
  assert.equal(valueAt(health, 'chain', 'chain_valid'), false);
});
