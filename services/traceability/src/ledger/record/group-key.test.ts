// The group key made again from a block is the key that the import made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prepareEvent } from '../../events/prepare.ts';
import { EVENT_TYPES } from './event-types.ts';
import type { ChainEvent } from './payload.ts';
import { buildGroupKey } from './group-key.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const absentOr = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const line = fc.record({
  lot_code: text,
  product_sku: text,
  direction: fc.constantFrom('in', 'out'),
  quantity: fc.integer({ min: 0, max: 1_000_000 }),
  unit: text,
  customer_ref: absentOr(text),
  channel: absentOr(text),
  supplier_name: absentOr(text),
  origin_facility: absentOr(text),
  supplier_lot_code: absentOr(text),
});

const event = fc.record({
  event_type: fc.constantFrom(...EVENT_TYPES),
  occurred_at: fc.constant('2026-03-02T07:15:00Z'),
  location: text,
  reference: text,
  notes: absentOr(text),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
});

test('the group key of a sealed event is the one its import was known by', () => {
  fc.assert(
    fc.property(event, fc.stringMatching(/^[0-9a-f]{64}$/), (input, salt) => {
      const prepared = prepareEvent(input, {
        root: [],
        nowMs: 0,
        newSalt: () => salt,
        identity: 'group',
      });
      assert.equal(prepared.kind, 'ready');
      const sealed = JSON.parse(prepared.draft.eventText) as ChainEvent;

      assert.equal(buildGroupKey(sealed), prepared.draft.groupKey);
    }),
  );
});
