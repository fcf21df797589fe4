// The block of a brand that was set before decisions were sealed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toProfileRow } from '../ledger/decisions/brand.ts';
import { isBrandDecision } from '../ledger/record/decisions/brand.ts';
import { existingBrand } from './existing.ts';

const ROW = {
  tenant_id: 'mill',
  name: 'Mill',
  website: null,
  recall_contact: 'recall@mill.example',
  updated_at: '2026-03-02T08:00:00.000Z',
  height: null,
  language: null,
  names: null,
};

test('it says what the row says, with its time, and makes the same row', () => {
  const decision = existingBrand(ROW);

  assert.deepEqual(decision, {
    about: 'brand',
    at: ROW.updated_at,
    changed: ['name', 'recall_contact'],
    migrated: true,
    state: { name: 'Mill', recall_contact: 'recall@mill.example' },
  });
  assert.ok(isBrandDecision({ ...decision }));
  const { height: _height, ...row } = ROW;
  assert.deepEqual(toProfileRow('mill', decision), { about: 'brand', row });
});

test('of a brand that took everything back it says that nothing is set', () => {
  const decision = existingBrand({ ...ROW, name: null, recall_contact: null });

  assert.deepEqual([decision.changed, decision.state], [[], {}]);
  assert.ok(isBrandDecision({ ...decision }));
});
