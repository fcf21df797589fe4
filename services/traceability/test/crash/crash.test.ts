// The service is killed under load, at random and at chosen points. After every restart each
// acknowledged event is there, once and unchanged, and the chain verifies.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrashPoint } from '@lothub/kit/test/crash-point-names';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds, isLongRun, testInLongRun } from '@lothub/kit/test/rounds';
import { boot, valueAt } from '../boot.ts';
import { postUntilKilled, spawnCrashChild, startCrashChild, type CrashChild } from './crash-hub.ts';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';
import { NO_DAMAGE, findDamage, newRecord, postOnce, readStored } from '../posting.ts';
import type { PostingRecord } from '../posting.ts';
import { storedHeight } from '../stored.ts';

/**
 * Fifty kills in the long run, and fifteen on PostgreSQL, where processes-chaos.test.ts has 54 rounds of its own.
 * Of both, 52 are at the four points between commit and answer.
 */
const RANDOM_ROUNDS = chooseRounds({
  usual: 1,
  long: { sqlite: 6, postgres: 1 }[testEngine],
});
const ROUNDS_BEFORE_COMMIT = chooseRounds({
  usual: 1,
  long: { sqlite: 2, postgres: 1 }[testEngine],
});
const ROUNDS_BEFORE_ANSWER = chooseRounds({
  usual: 1,
  long: { sqlite: 10, postgres: 3 }[testEngine],
});
const CALLERS = 6;
/** A random kill comes within this time after the first answer. */
const LIFE_MAX_MS = 120;
const START_ROUNDS = 8;
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

/** Where a child kills itself; without a point, it lives until it is killed. */
interface Death {
  readonly point?: CrashPoint;
  /** Groups of appended events let pass before the point. */
  readonly groups?: number;
}

/** The child that recovered from the last kill; it serves until the next round kills it. */
let survivor: { readonly child: CrashChild; readonly death: Death } | undefined;
after(() => endSurvivor());

async function endSurvivor(): Promise<void> {
  await survivor?.child.end();
  survivor = undefined;
}

/**
 * Kills a child round after round and checks each time what the next one finds. The last one stays, ready
 * to die as the next rounds want it: half of the time of a round is a start.
 * @returns how many requests had no answer
 */
async function runRounds(options: {
  readonly name: string;
  readonly rounds: number;
  readonly death: Death;
  readonly next: Death;
  readonly lifeMs: () => number;
}): Promise<number> {
  const { name, rounds, death } = options;
  let unanswered = 0;
  let child = await childToDie(death);
  for (let round = 1; round <= rounds; round += 1) {
    const prefix = `${name}-${round}`;
    const lifeMs = options.lifeMs();
    const record = await postUntilKilled(child, { prefix, callers: CALLERS, lifeMs });
    assert.equal(await child.ended, 'SIGKILL');
    const nextDeath = round < rounds ? death : options.next;
    child = await startCrashChild({ database, ...nextDeath });
    survivor = { child, death: nextDeath };
    await assertRecovered(child, record);
    unanswered += record.unanswered.length;
  }
  return unanswered;
}

/** The survivor where it is ready to die so, as it is unless a test runs alone. */
async function childToDie(death: Death): Promise<CrashChild> {
  if (survivor?.death === death) return survivor.child;
  await endSurvivor();
  const child = await startCrashChild({ database, ...death });
  survivor = { child, death };
  return child;
}

const AT_ANY_TIME: Death = {};
const BEFORE_COMMIT: readonly CrashPoint[] = ['between-writes', 'before-commit'];
const BEFORE_ANSWER: readonly CrashPoint[] = [
  'after-commit',
  'before-signature',
  'after-signature',
  'after-check',
];
/** What a kill at the others leaves of a group shows without load, below. */
const USUAL_POINTS = ['before-commit', 'after-signature'] as const;
/** Repeating what was not answered takes some groups. */
const AT_POINTS = (isLongRun ? [...BEFORE_COMMIT, ...BEFORE_ANSWER] : USUAL_POINTS).map(
  (point) => ({ point, groups: 3 * CALLERS }),
);

test(`${RANDOM_ROUNDS} kills at random moments lose nothing that was acknowledged`, async (t) => {
  await runRounds({
    name: 'random',
    rounds: RANDOM_ROUNDS,
    death: AT_ANY_TIME,
    next: AT_POINTS[0]!,
    lifeMs: () => 5 + Math.random() * LIFE_MAX_MS,
  });

  t.diagnostic(`${everything.acknowledged.length} events acknowledged`);
  assert.ok(everything.acknowledged.length > RANDOM_ROUNDS);
  // Every answer was signed, so that `contradicted` says something.
  assert.ok(everything.acknowledged.every(({ tree }) => tree !== undefined));
});

for (const [number, death] of AT_POINTS.entries()) {
  const name = death.point;
  const rounds = BEFORE_COMMIT.includes(name) ? ROUNDS_BEFORE_COMMIT : ROUNDS_BEFORE_ANSWER;
  test(`${rounds} kills ${name.replace('-', ' ')} lose nothing that was acknowledged`, async () => {
    const unanswered = await runRounds({
      name,
      rounds,
      death,
      next: AT_POINTS[number + 1] ?? AT_ANY_TIME,
      lifeMs: () => PATIENCE_MS,
    });

    // The group that was killed had posts in it, and they were not answered.
    assert.ok(unanswered >= rounds);
  });
}

testInLongRun(
  'a kill while the hub starts for the first time leaves a hub that starts',
  async () => {
    await using own = await newTestDatabase();
    const options = { database: own };
    for (let round = 0; round < START_ROUNDS; round += 1) {
      const starting = spawnCrashChild(options);
      await sleep(((round + 1) / START_ROUNDS) * START_MS * Math.random());
      starting.kill('SIGKILL');
      await once(starting, 'exit');
    }

    const hub = await boot(options);
    const record = newRecord();
    await postOnce(hub.base, ['first'], record);
    await hub.service.close();

    assert.deepEqual(findDamage(await readStored(own), record), NO_DAMAGE);
    assert.equal(await storedHeight(own), 1);
  },
);

test('a kill before the commit leaves nothing of its group, one after it leaves all', async () => {
  await endSurvivor();
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

testInLongRun(
  'a service that answers before the commit is found out by the same check',
  async () => {
    await using own = await newTestDatabase();
    const options = { database: own };
    await (await boot(options)).service.close();
    const child = await startCrashChild({ ...options, point: 'answer-before-commit' });
    const record = newRecord();
    for (let count = 0; count < 5; count += 1)
      await postOnce(child.base, [`early-${count}`], record);
    await child.end();

    const recovered = await boot(options);
    const health = (await recovered.call('/health')).json;
    await recovered.service.close();
    const findings = findDamage(await readStored(own), record);

    assert.equal(record.acknowledged.length, 5);
    // Whether it was signed before the kill depends on the moment.
    assert.deepEqual({ ...findings, contradicted: [] }, { ...NO_DAMAGE, lost: ['early-4'] });
    // The service itself notices it by the tip outside the database, too.
    assert.equal(valueAt(health, 'chain', 'chain_valid'), false);
  },
);
