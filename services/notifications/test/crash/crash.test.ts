// The service is killed under load, at random and at chosen points. After every restart each acknowledged
// notification is there, once and where it was said to be, and no seq is missing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { chooseRounds } from '@lothub/kit/test/rounds';
import {
  CrashedServices,
  NO_DAMAGE,
  findDamage,
  newRecord,
  postOnce,
  postUntilKilled,
  repeatUnanswered,
} from './crash-service.ts';
import type { Acknowledged, CrashOptions } from './crash-service.ts';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';

/** In the long run fifty-two kills on SQLite, where nothing else kills the service. */
const RANDOM_ROUNDS = chooseRounds({
  usual: { sqlite: 2, postgres: 1 }[testEngine],
  long: { sqlite: 43, postgres: 5 }[testEngine],
});
const CHOSEN_ROUNDS = chooseRounds({
  usual: 1,
  long: { sqlite: 3, postgres: 2 }[testEngine],
});
const CALLERS = 6;
/** A random kill comes within this time after the first answer. */
const LIFE_MAX_MS = 120;
/** Posts of the negative control, one after the other. */
const EARLY_POSTS = 5;

let database: TestDatabase;
let services: CrashedServices;
const everything: Acknowledged[] = [];

before(async () => {
  database = await newTestDatabase();
  services = new CrashedServices(database);
});
after(async () => {
  await services[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/**
 * Kills a child round after round, and checks each time what the next one finds.
 * @returns how many requests had no answer
 */
async function runRounds(options: {
  readonly name: string;
  readonly rounds: number;
  readonly crash?: (round: number) => CrashOptions;
  readonly lifeMs: () => number;
}): Promise<number> {
  let unanswered = 0;
  let child = await services.start(options.crash?.(0));
  for (let round = 1; round <= options.rounds; round += 1) {
    const prefix = `${options.name}-${round}`;
    const lifeMs = options.lifeMs();
    const record = await postUntilKilled(child, { prefix, callers: CALLERS, lifeMs });
    assert.equal(await child.ended, 'SIGKILL');
    child = await services.start(options.crash?.(round));
    const repeated = await repeatUnanswered(child.base, record);
    everything.push(...record.acknowledged, ...repeated.acknowledged);
    assert.deepEqual([...record.refused, ...repeated.refused, ...repeated.unanswered], []);
    assert.deepEqual(await findDamage(database, everything), NO_DAMAGE);
    unanswered += record.unanswered.length;
  }
  await child.end();
  return unanswered;
}

test(`${RANDOM_ROUNDS} kills at random moments lose nothing that was acknowledged`, async (t) => {
  await runRounds({
    name: 'random',
    rounds: RANDOM_ROUNDS,
    lifeMs: () => 5 + Math.random() * LIFE_MAX_MS,
  });

  t.diagnostic(`${everything.length} notifications acknowledged`);
  assert.ok(everything.length > RANDOM_ROUNDS);
});

for (const point of ['between-writes', 'before-commit', 'after-commit'] as const) {
  test(`${CHOSEN_ROUNDS} kills ${point.replace('-', ' ')} lose nothing that was acknowledged`, async () => {
    const unanswered = await runRounds({
      name: point,
      rounds: CHOSEN_ROUNDS,
      crash: (round) => ({ point, groups: 2 * CALLERS + round }),
      lifeMs: () => PATIENCE_MS,
    });

    // The group that was killed had posts in it, and they were not answered.
    assert.ok(unanswered >= CHOSEN_ROUNDS);
  });
}

test('a kill before the commit leaves nothing of its group, one after it leaves all', async () => {
  const stored: number[] = [];
  for (const point of ['between-writes', 'before-commit', 'after-commit'] as const) {
    const child = await services.start({ point });
    const record = newRecord();
    await postOnce(child.base, `single-${point}`, record);
    assert.equal(await child.ended, 'SIGKILL');
    assert.deepEqual(record.acknowledged, []);
    const rows = await database.rows(
      'select id from notifications where title = ?',
      `single-${point}`,
    );
    stored.push(rows.length);
  }

  assert.deepEqual(stored, [0, 0, 1]);
});

test('a service that answers before the commit is found out by the same check', async () => {
  await using own = await newTestDatabase();
  await using children = new CrashedServices(own);
  const child = await children.start({ point: 'answer-before-commit' });
  const record = newRecord();
  for (let count = 0; count < EARLY_POSTS; count += 1) {
    await postOnce(child.base, `early-${count}`, record);
  }
  await child.end();

  const recovered = await children.start();
  await recovered.end();
  const damage = await findDamage(own, record.acknowledged);

  assert.equal(record.acknowledged.length, EARLY_POSTS);
  assert.deepEqual(damage, { ...NO_DAMAGE, lost: [`early-${EARLY_POSTS - 1}`] });
});
