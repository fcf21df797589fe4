// Changes that are planned again when somebody else was faster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '../database.ts';
import sql from 'sql-template-tag';
import { changePlanned } from './change-planned.ts';
import type { ChangeOutcome } from './planned-change.ts';

const GUARD = sql`select 1`;

/** A store that is ahead of its callers so many times. */
function storeAhead(times: number) {
  let asked = 0;
  return {
    change: (): Promise<ChangeOutcome> => {
      asked += 1;
      return Promise.resolve(asked > times ? { kind: 'done', rows: [] } : { kind: 'stale' });
    },
    asked: () => asked,
  };
}

test('what was planned on a state that is gone is planned anew, and the last plan answers', async () => {
  const store = storeAhead(2);
  let plans = 0;

  const result = await changePlanned(store, () => {
    plans += 1;
    return Promise.resolve({ guard: GUARD, statements: [], result: plans });
  });

  assert.deepEqual([result, plans, store.asked()], [3, 3, 3]);
});

test('a plan without a guard writes nothing', async () => {
  const store = storeAhead(0);

  const result = await changePlanned(store, () => Promise.resolve({ result: 'as it is' }));

  assert.deepEqual([result, store.asked()], ['as it is', 0]);
});

test('a refusal of a later plan is what the caller hears', async () => {
  const store = storeAhead(1);

  const changing = changePlanned(store, () => {
    if (store.asked() > 0) return Promise.reject(new RangeError('no room'));
    return Promise.resolve({ guard: GUARD, statements: [], result: undefined });
  });

  await assert.rejects(changing, RangeError);
});

test('who is too late every time gets the error that the database is busy', async () => {
  const store = storeAhead(Infinity);

  const changing = changePlanned(store, () =>
    Promise.resolve({ guard: GUARD, statements: [], result: undefined }),
  );

  await assert.rejects(
    changing,
    (error) => error instanceof DatabaseError && error.code === 'database_busy',
  );
});
