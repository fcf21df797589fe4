// The events of a day are counted as far as a count goes, and not again while there must be more of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import { EVENTS_COUNTED_MAX, EventCounts } from './event-counts.ts';

/** A tenant with one event at each height, up to the newest. */
function aLedger(newest: number) {
  const asked: number[] = [];
  const database: Pick<DatabaseReader, 'first'> = {
    first: <Row>(query: { readonly values: readonly unknown[] }) => {
      const [, above, , limit] = query.values.map(Number);
      asked.push(above ?? 0);
      const count = Math.min(newest - (above ?? 0), limit ?? 0);
      return Promise.resolve({ count, lowest: count === 0 ? null : newest - count + 1 } as Row);
    },
  };
  return { asked, database: database as DatabaseReader };
}

test('a tenant with fewer events is counted each time', async () => {
  const { asked, database } = aLedger(100);
  const counts = new EventCounts();

  assert.equal(await counts.countAbove(database, { tenantNo: 1, above: 40 }), 60);
  assert.equal(await counts.countAbove(database, { tenantNo: 1, above: 41 }), 59);
  assert.deepEqual(asked, [40, 41]);
});

test('a tenant with more is counted again once its newest events might be older', async () => {
  const newest = EVENTS_COUNTED_MAX + 50;
  const { asked, database } = aLedger(newest);
  const counts = new EventCounts();
  const count = (above: number) => counts.countAbove(database, { tenantNo: 1, above });

  assert.equal(await count(0), EVENTS_COUNTED_MAX + 1);
  assert.equal(await count(49), EVENTS_COUNTED_MAX + 1);
  assert.deepEqual(asked, [0]);
  assert.equal(await count(50), EVENTS_COUNTED_MAX);
  assert.deepEqual(asked, [0, 50]);
});

test('what is kept of one tenant says nothing of another', async () => {
  const { asked, database } = aLedger(EVENTS_COUNTED_MAX + 50);
  const counts = new EventCounts();

  await counts.countAbove(database, { tenantNo: 1, above: 0 });
  await counts.countAbove(database, { tenantNo: 2, above: 0 });

  assert.deepEqual(asked, [0, 0]);
});
