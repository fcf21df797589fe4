// Windows of blocks: the ways to what is newer and older leave no block out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEvent, makeLine, openTestLedger } from '../../test/ledger.ts';
import { windowOfBlocks } from './block-pages.ts';

test('from each page the ways to newer and older blocks lead to the very next ones', async () => {
  await using ledger = await openTestLedger();
  const heights = await ledger.record(
    Array.from({ length: 9 }, () => makeEvent('RECEIVE', [makeLine('in', 'FLOUR')])),
  );
  const window = async (place: { readonly before?: number; readonly after?: number }) => {
    const asked = { before: undefined, after: undefined, filter: {}, limit: 2, ...place };
    const { blocks, newer, older } = await windowOfBlocks(ledger.reader, asked);
    return { shown: blocks.map(({ height }) => height), newer, older };
  };

  for (const height of heights) {
    for (const place of [{ before: height }, { after: height }]) {
      const { shown, newer, older } = await window(place);

      const [highest = -1, lowest = -1] = [shown[0], shown.at(-1)];
      assert.equal(newer === null, highest === heights.at(-1));
      assert.equal(older === null, lowest === 0);
      if (newer !== null) assert.ok((await window({ after: newer })).shown.includes(highest + 1));
      if (older !== null) assert.equal((await window({ before: older })).shown[0], lowest - 1);
    }
  }
});
