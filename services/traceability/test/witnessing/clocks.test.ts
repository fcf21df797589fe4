// What comes with time alone, under clocks that the tests set: a round that is asked again, and a quorum that
// stays away.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { monotonicClock, systemClock } from '@lothub/kit/clock';
import { anEvent, valueAt, type Booted } from '../boot.ts';
import { answer, type TestWitness } from './test-witness.ts';
import { publishedSize, until, untilPublished, witnessedHub } from './witnessed-hub.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Lets the clocks of this process continue from where they are, by as much as `forward` says. */
function setClocks(t: TestContext): { forward(ms: number): void } {
  const { elapsedMs } = monotonicClock;
  const { nowMs, uptimeMs } = systemClock;
  let ahead = 0;
  t.mock.method(monotonicClock, 'elapsedMs', () => elapsedMs() + ahead);
  t.mock.method(systemClock, 'nowMs', () => nowMs() + ahead);
  t.mock.method(systemClock, 'uptimeMs', () => uptimeMs() + ahead);
  return { forward: (ms) => void (ahead += ms) };
}

function postsTo({ asked }: TestWitness): number {
  return asked.filter(({ method }) => method === 'POST').length;
}

async function readHealth(hub: Booted) {
  const { json } = await hub.call('/health');
  return {
    status: valueAt(json, 'status'),
    behindSeconds: Number(valueAt(json, 'log', 'behind_seconds')),
    quorum: valueAt(json, 'log', 'quorum'),
  };
}

test('a tree that does not grow is cosigned again after an hour, and not before', async (t) => {
  const clocks = setClocks(t);
  await using setup = await witnessedHub();
  const { hub, witnesses } = setup;
  const [alpha, beta, gamma] = witnesses.all as [TestWitness, TestWitness, TestWitness];
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 2);
  await until('all', () => witnesses.all.every(({ size }) => size === 2));
  gamma.behave = (_asked, response) => (answer(response, 429, ''), true);
  await hub.post('/v1/events', anEvent());
  await untilPublished(hub, 3);
  await until('both', () => [alpha, beta].every(({ size }) => size === 3));
  const before = (await hub.call('/log/1/checkpoint')).text;
  const asked = [alpha, beta].map(postsTo);

  // One that was busy is asked again in the same round: so rounds continue, and the others are left alone.
  clocks.forward(59 * MINUTE_MS);
  gamma.behave = () => false;
  await until('gamma', () => gamma.size === 3);
  const askedBefore = [alpha, beta].map(postsTo);
  for (const witness of witnesses.all) witness.secondsOff = 30;
  clocks.forward(2 * MINUTE_MS);
  await until('the refreshed checkpoint', async () => {
    const { text } = await hub.call('/log/1/checkpoint');
    return text !== before && [alpha, beta].every((one, place) => postsTo(one) > asked[place]!);
  });

  assert.deepEqual(askedBefore, asked);
  assert.equal(await publishedSize(hub), 3);
  assert.ok([alpha, beta, gamma].every(({ cosigned }) => cosigned.at(-1)?.size === 3));
  assert.match(alpha.asked.at(-1)!.body, /^old 3\n\n/);
});

for (const [what, covers] of [
  ['that was there before', 2],
  ['that never was', 0],
] as const) {
  test(`health is degraded five minutes after the loss of a quorum ${what}, and ok when it is there`, async (t) => {
    const clocks = setClocks(t);
    await using setup = await witnessedHub();
    const { hub, witnesses } = setup;
    const fail = (isAway: boolean): void => {
      for (const witness of witnesses.all) {
        witness.behave = (_asked, response) => isAway && (answer(response, 500, ''), true);
      }
    };
    if (covers > 0) {
      await hub.post('/v1/events', anEvent());
      await untilPublished(hub, covers);
    }
    fail(true);
    if (covers === 0) await hub.database.change('delete from log_checkpoints');
    await hub.post('/v1/events', anEvent());

    clocks.forward(4 * MINUTE_MS);
    const early = await readHealth(hub);
    clocks.forward(2 * MINUTE_MS);
    const late = await readHealth(hub);
    fail(false);
    // The longest that a witness that fails is left alone.
    clocks.forward(HOUR_MS / 6);
    await until('all', async () => {
      const { status, quorum } = await readHealth(hub);
      return status === 'ok' && quorum === '3 of 3';
    });
    const { behindSeconds } = await readHealth(hub);

    assert.deepEqual([early.status, late.status], ['ok', 'degraded']);
    assert.ok(early.behindSeconds >= 240 && early.behindSeconds < 300, String(early.behindSeconds));
    assert.ok(late.behindSeconds >= 360, String(late.behindSeconds));
    assert.equal(behindSeconds, 0);
  });
}
