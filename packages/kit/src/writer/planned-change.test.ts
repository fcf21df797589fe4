// Changes that are planned anew when somebody else was faster, and how often.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatWhileStale } from './planned-change.ts';

test('the first attempt that is not stale answers, also when it answers nothing', async () => {
  let attempts = 0;

  const result = await repeatWhileStale({ busy: 'others kept writing' }, () => {
    attempts += 1;
    return Promise.resolve(attempts < 3 ? 'stale' : undefined);
  });

  assert.deepEqual([result, attempts], [undefined, 3]);
});

test('after as many attempts as were allowed the database is busy, and the message says why', async () => {
  let attempts = 0;

  const changing = repeatWhileStale({ busy: 'others kept writing', attemptsMax: 2 }, () => {
    attempts += 1;
    return Promise.resolve('stale');
  });

  await assert.rejects(changing, { code: 'database_busy', message: 'others kept writing' });
  assert.equal(attempts, 2);
});

test('an attempt that fails is not repeated', async () => {
  let attempts = 0;

  const changing = repeatWhileStale({ busy: 'others kept writing' }, () => {
    attempts += 1;
    return Promise.reject(new RangeError('no room'));
  });

  await assert.rejects(changing, { name: 'RangeError', message: 'no room' });
  assert.equal(attempts, 1);
});
