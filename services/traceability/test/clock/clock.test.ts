// A service on a machine whose clock jumps: nothing is written at a wrong time, reading continues, and an
// operator decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { runCli } from '../cli/run.ts';
import { ask, readClock, newMachine, post, until, type Machine } from './clock-machine.ts';
import { testEngine } from '../engine.ts';
import { storedBlock, storedHeight } from '../stored.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** Milliseconds by which the last block is ahead of the right time. */
async function tipAheadMs({ database }: Machine): Promise<number> {
  const { canonical } = await storedBlock(database, await storedHeight(database));
  const { payload } = JSON.parse(canonical) as {
    readonly payload: { readonly recorded_at: string };
  };
  return Date.parse(payload.recorded_at) - Date.now();
}

test('nothing is written while the clock runs ahead, and writing goes on once it is put right', async () => {
  await using machine = await newMachine();
  await using served = await machine.serve();
  assert.equal((await post(served)).status, 201);

  await machine.setClock(YEAR_MS);
  // The first is refused by the writer, which looks at each group; the others by the gate in front.
  const first = await post(served);
  assert.equal(first.status, 503, first.text);
  const clock = await until(served, false);
  const [second, hold, recall] = [
    await post(served),
    await ask(served, '/v1/lots/FLOUR-1/hold', { reason: 'mould', by: 'Ada' }),
    await ask(served, '/v1/recall/cases', {
      seed_lot_code: 'FLOUR-1',
      title: 'Mould',
      reason: 'mould',
      opened_by: 'Ada',
    }),
  ];
  const reads = [
    await ask(served, '/v1/lots/FLOUR-1/genealogy'),
    await ask(served, '/public/verify/FLOUR-1'),
    await ask(served, '/v1/recall/simulate', { lot_code: 'FLOUR-1' }),
  ];
  const overview = await ask(served, '/v1/admin/overview');
  const heightMeanwhile = await storedHeight(machine.database);
  await machine.setClock(0);
  await until(served, true);
  const later = await post(served);

  assert.deepEqual(
    [first, second, hold, recall].map(({ status }) => status),
    [503, 503, 503, 503],
  );
  const wrong =
    testEngine === 'sqlite'
      ? 'has jumped 36[45] days ahead while the service ran'
      : 'is 36[45] days ahead of that of the database server';
  for (const { text, retryAfter } of [first, second]) {
    assert.match(
      text,
      new RegExp(
        `^{"detail":"The clock of this machine ${wrong}: nothing was stored, and nothing will be ` +
          'until an operator has seen to it"}$',
      ),
    );
    assert.equal(retryAfter, '60');
  }
  assert.equal(clock.code, testEngine === 'sqlite' ? 'clock_jumped' : 'clock_differs');
  assert.deepEqual(
    reads.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.match(overview.text, /"clock_alarms":\[{"machine":"[^"]+","code":"clock_/);
  assert.equal(heightMeanwhile, 1);
  assert.equal(later.status, 201);
  assert.ok(Math.abs(await tipAheadMs(machine)) < HOUR_MS);
  assert.match(
    served.stdout(),
    /"code":"clock_jumped","msg":"the clock of this machine has jumped/,
  );
  assert.match(served.stdout(), /the clock of this machine is believed again: writing goes on/);
});

test('what an operator accepts is written, and accepted again where it holds up the time', async () => {
  await using machine = await newMachine();
  {
    await using served = await machine.serve();
    await machine.setClock(YEAR_MS);
    await until(served, false);

    const shown = await machine.lothub('clock', '--json');
    const accepted = await machine.lothub('clock', 'accept', '--json');
    await until(served, true);
    const shownLater = await machine.lothub('clock', '--json');
    const posted = await post(served);

    assert.equal(shown.code, 1);
    assert.equal(shown.json['ok'], false);
    assert.match(shown.stdout, /"code":"clock_jumped"/);
    assert.equal(accepted.code, 0);
    assert.match(accepted.stdout, /^{"ok":true,"accepted":\[{/);
    assert.deepEqual([shownLater.code, shownLater.json], [0, { ok: true, alarms: [] }]);
    assert.equal(posted.status, 201);
    assert.ok((await tipAheadMs(machine)) > YEAR_MS - HOUR_MS);
    served.child.kill('SIGTERM');
    assert.equal(await served.ended, 0);
  }

  await machine.setClock(0);
  await using right = await machine.serve();
  const behind = await readClock(right);
  const refused = await post(right);
  const accepted = await machine.lothub('clock', 'accept');
  await until(right, true);
  const posted = await post(right);
  await right[Symbol.asyncDispose]();
  await using again = await machine.serve();
  const postedAgain = await post(again);

  assert.equal(behind.code, 'clock_behind_tip');
  assert.equal(refused.status, 503);
  assert.match(refused.text, /is 36[45] days behind the last block: nothing was stored/);
  assert.match(accepted.stdout, /^1 alarm accepted:\n\nmachine +its clock showed +code +what is/);
  assert.deepEqual([posted.status, postedAgain.status], [201, 201]);
  // Both were sealed behind a block of a later time: on the chain it never goes back.
  assert.ok((await tipAheadMs(machine)) > YEAR_MS - HOUR_MS);
});

testInLongRun('a restart writes nothing at a time that nobody has accepted', async () => {
  await using machine = await newMachine();
  {
    await using served = await machine.serve();
    await machine.setClock(YEAR_MS);
    await until(served, false);
    // In order: a process that is killed may not have stored yet what it noticed.
    served.child.kill('SIGTERM');
    await served.ended;
  }

  await using served = await machine.serve();
  const refused = await post(served);
  await machine.setClock(0);
  await until(served, true);

  assert.equal(refused.status, 503);
  assert.equal((await post(served)).status, 201);
  assert.equal((await machine.lothub('clock')).stdout, 'All clocks are believed.\n');
  assert.equal(
    (await machine.lothub('clock', 'accept')).stdout,
    'There is nothing to accept: all clocks are believed.\n',
  );
});

test('the command for clocks says what it does, and what is wrong', async () => {
  const help = await runCli(['clock', 'accept', '--help']);
  const wrong = await runCli(['clock', 'set']);
  const missing = await runCli(['clock', '--json'], { DATA_DIR: '/nowhere' });

  assert.equal(help.code, 0);
  assert.match(help.stdout, /Example:\n {2}lothub clock accept/);
  assert.equal(wrong.code, 2);
  assert.equal(missing.code, 2);
  assert.match(missing.stdout, /"code":"hub_missing"/);
});
