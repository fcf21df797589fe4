// Several processes over one database, of which one has a wrong clock: the others continue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, readClock, newMachine, post, until } from './clock-machine.ts';
import { openSecondDatabase } from '../engine.ts';
import { logKeyFile } from '../../src/ledger/log/log-key.ts';

const DAY_MS = 86_400_000;

test('a machine whose clock is wrong writes nothing, and the others go on', async () => {
  await using right = await newMachine();
  await using wrong = await newMachine({
    database: await openSecondDatabase(right.database.databaseUrl ?? ''),
    logKeyFile: logKeyFile(right.database.dataDir),
  });
  await using ofRight = await right.serve();
  await using ofWrong = await wrong.serve();

  await wrong.setClock(-3 * DAY_MS);
  const refused = await post(ofWrong);
  await until(ofWrong, false);
  const [posted, clock, shown] = [
    await post(ofRight),
    await readClock(ofRight),
    await right.lothub('clock', '--json'),
  ];
  const read = await ask(ofWrong, '/v1/lots/FLOUR-1/genealogy');
  await right.lothub('clock', 'accept');
  await until(ofWrong, true);
  const accepted = await post(ofWrong);

  assert.equal(refused.status, 503);
  assert.match(refused.text, /is [23] days behind that of the database server: nothing was stored/);
  assert.equal(posted.status, 201);
  assert.equal(clock.trusted, true);
  assert.equal(shown.code, 1);
  const { alarms } = shown.json as unknown as { alarms: { machine: string; code: string }[] };
  assert.deepEqual([...new Set(alarms.map(({ machine }) => machine))].length, 1);
  assert.ok(alarms[0]?.machine.endsWith(`:${wrong.database.dataDir}`));
  assert.equal(read.status, 200);
  assert.equal(accepted.status, 201);
  assert.equal((await readClock(ofRight)).trusted, true);
});
