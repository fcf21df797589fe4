// The check of a hold's shape accepts sealed holds and refuses everything else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPayload } from '../payload-shape.ts';

const HOLD = {
  at: '2026-03-02T06:15:00.000Z',
  committed: { by: 'ab'.repeat(32) },
  lots: ['FLOUR-1', 'FLOUR-2'],
  state: 'held',
};

const payload = (decision: unknown, changes: object = {}) => ({
  brand: 'bakery',
  decision,
  recorded_at: '2026-03-02T06:15:01.000Z',
  type: 'hold',
  v: 2,
  ...changes,
});

for (const [what, decision] of [
  ['lots held', HOLD],
  ['without private values', { at: HOLD.at, lots: ['FLOUR-1'], state: 'held' }],
  ['a release', { ...HOLD, state: 'released' }],
  ['a release from the hold of a case', { ...HOLD, case_no: 'RC-2026-0001', state: 'released' }],
  ['one of before', { ...HOLD, migrated: true }],
] as const) {
  test(`${what}: a payload`, () => {
    assert.equal(isPayload(payload(decision)), true);
  });
}

for (const [what, decision] of [
  ['a member that there is not', { ...HOLD, note: 'x' }],
  ['a hold of a case, which has no block', { ...HOLD, case_no: 'RC-2026-0001' }],
  ['no lot', { ...HOLD, lots: [] }],
  ['a lot twice', { ...HOLD, lots: ['FLOUR-1', 'FLOUR-1'] }],
  ['too many lots', { ...HOLD, lots: Array.from({ length: 1_001 }, (_, index) => `L-${index}`) }],
  ['another state', { ...HOLD, state: 'frozen' }],
  ['a commitment that is no hash', { ...HOLD, committed: { by: 'Ada' } }],
  ['no commitment where some should be', { ...HOLD, committed: {} }],
  ['no time', { lots: ['FLOUR-1'], state: 'held' }],
  ['not of before', { ...HOLD, migrated: false }],
] as const) {
  test(`${what}: no payload`, () => {
    assert.equal(isPayload(payload(decision)), false);
  });
}

test('a hold of version 1 is no payload', () => {
  assert.equal(isPayload(payload(HOLD, { v: 1 })), false);
});
