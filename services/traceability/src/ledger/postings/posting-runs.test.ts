// The blocks of a group that share a row about their poster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller, Draft, Submission } from '../draft.ts';
import { PostingRuns } from './posting-runs.ts';

const KEY: Caller = { actor: 'erp', requestId: 'r' };
const DRAFT: Draft = {
  ...{ eventText: '{}', externalId: null, groupKey: null },
  ...{ privateLines: [], privateNotes: null, warnings: [] },
};

function from(caller: Caller, tenantId = 'acme'): Submission {
  return { tenantId, caller, drafts: [], unit: 'all' };
}

test('posts of one caller are one row until another posts or a block is of something else', () => {
  const runs = new PostingRuns();
  runs.begin();
  runs.add(5, from(KEY), { ...DRAFT, warnings: [{ code: 'no_offset' }] });
  runs.add(6, from({ ...KEY, requestId: 'other' }), {
    ...DRAFT,
    warnings: [{ code: 'channel_unknown', line: 3 }],
  });
  runs.add(7, from({ ...KEY, via: 'session' }), DRAFT);
  runs.add(8, from(KEY, 'bolt'), DRAFT);
  runs.add(9, from({ ...KEY, actor: 'wms' }), DRAFT);
  runs.add(11, from({ ...KEY, actor: 'wms' }), DRAFT);
  runs.add(12, from(KEY), DRAFT);

  const rows = runs.rows();

  assert.deepEqual(
    rows.map((row) => [row.first_height, row.last_height, row.actor, row.came, row.warnings]),
    [
      [5, 6, 'erp', 'key', '[[5,"no_offset",null],[6,"channel_unknown",3]]'],
      [7, 7, 'erp', 'person', null],
      [8, 8, 'erp', 'key', null],
      [9, 9, 'wms', 'key', null],
      [11, 11, 'wms', 'key', null],
      [12, 12, 'erp', 'key', null],
    ],
  );
});

test('a group begins without the rows of the one before', () => {
  const runs = new PostingRuns();
  runs.add(5, from(KEY), DRAFT);

  runs.begin();

  assert.deepEqual(runs.rows(), []);
});
