// The reads of a verification inside a snapshot: one state of the ledger, whatever is appended
// meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import { openOperated } from '../operate/open-operated.ts';

test('a snapshot holds one state still while others append', async () => {
  await using ledger = await openTestLedger();
  await using operated = await openOperated(ledger.database);
  const { snapshots } = operated;
  const append = () => ledger.record([makeEvent('RECEIVE', [makeLine('in', 'FLOUR-1')])]);
  const heights = async (): Promise<readonly unknown[]> => {
    const rows = await snapshots.all<{ readonly height: number }>(sql`
      select height
      from blocks
      order by height`);
    return rows.map(({ height }) => height);
  };

  const inside = await snapshots.inSnapshot(async () => {
    const before = await heights();
    await append();
    return [before, await heights()];
  });

  assert.deepEqual(inside, [[0], [0]]);
  assert.deepEqual(await heights(), [0, 1]);
});
