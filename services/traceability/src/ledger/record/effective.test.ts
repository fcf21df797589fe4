// The effective values of an event: the sealed ones with its corrections applied in the order of
// their blocks (docs/chain-format.md#correction, docs/interface/traceability.md#effective-values).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyCorrection, asSealed, deriveEventStatus, type EffectiveEvent } from './effective.ts';
import type { ChainChange, ChainEvent } from './payload.ts';

const RECEIVED: ChainEvent = deepFrozen({
  event_type: 'RECEIVE',
  external_id: 'wms-1',
  lines: [
    { direction: 'in', lot_code: 'A', product_sku: 'S', quantity: '10', unit: 'kg' },
    {
      direction: 'in',
      lot_code: 'B',
      product_sku: 'S',
      quantity: '20.5',
      supplier_name: 'Mill',
      unit: 'kg',
    },
  ],
  location: 'DOCK-1',
  notes: 'dry',
  occurred_at: '2026-03-02T06:15:00Z',
  reference: 'PO-1',
});

const SOLD: ChainEvent = deepFrozen({
  event_type: 'SELL',
  lines: [
    {
      channel: 'retail',
      direction: 'out',
      lot_code: 'A',
      private: 'a'.repeat(64),
      product_sku: 'S',
      quantity: '1',
      unit: 'kg',
    },
  ],
  location: 'SHOP-1',
  occurred_at: '2026-03-02T06:15:00Z',
  private: 'b'.repeat(64),
  reference: 'SO-1',
});

const COMMITMENT = 'c'.repeat(64);

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFrozen);
    Object.freeze(value);
  }
  return value;
}

/** An event after corrections of one block each, at the heights 10, 11 and so on. */
function corrected(event: ChainEvent, ...corrections: readonly ChainChange[][]): EffectiveEvent {
  return corrections.reduce<EffectiveEvent>(
    (effective, changes, index) =>
      applyCorrection(effective, {
        height: 10 + index,
        correction: {
          changes,
          corrects_block_hash: 'd'.repeat(64),
          corrects_block_height: 1,
          corrects_event_id: 1,
          reason: 'typing error',
        },
      }),
    asSealed(event),
  );
}

test('an event without corrections counts as it was sealed and is accepted', () => {
  const effective = asSealed(RECEIVED);

  assert.deepEqual(effective, { event: RECEIVED, voided: false, correctedBy: [] });
  assert.equal(deriveEventStatus(effective), 'accepted');
});

for (const [field, to] of [
  ['occurred_at', '2026-03-03T06:15:00Z'],
  ['location', 'DOCK-2'],
  ['reference', 'PO-2'],
  ['notes', 'wet'],
] as const) {
  test(`a corrected ${field} counts, and everything else as before`, () => {
    const { event } = corrected(RECEIVED, [{ field, from: RECEIVED[field]!, to }]);

    assert.deepEqual(event, { ...RECEIVED, [field]: to });
  });
}

for (const [field, to] of [
  ['lot_code', 'C'],
  ['product_sku', 'T'],
  ['direction', 'out'],
  ['quantity', '7.25'],
  ['unit', 'g'],
  ['supplier_name', 'Other mill'],
  ['origin_facility', 'Silo 3'],
  ['supplier_lot_code', 'M-1'],
] as const) {
  test(`a corrected ${field} counts for its line alone`, () => {
    const { event } = corrected(RECEIVED, [{ field: `lines[1].${field}`, to }]);

    const [first, second] = RECEIVED.lines;
    assert.deepEqual(event, { ...RECEIVED, lines: [first, { ...second, [field]: to }] });
  });
}

test('several changes of one correction all count', () => {
  const { event, correctedBy } = corrected(RECEIVED, [
    { field: 'lines[0].quantity', from: '10', to: '11' },
    { field: 'lines[1].quantity', from: '20.5', to: '21' },
    { field: 'location', from: 'DOCK-1', to: 'DOCK-2' },
  ]);

  assert.deepEqual(
    event.lines.map((line) => line.quantity),
    ['11', '21'],
  );
  assert.equal(event.location, 'DOCK-2');
  assert.deepEqual(correctedBy, [10]);
});

test('of two corrections of a field the later one counts, and both are named in order', () => {
  const effective = corrected(
    RECEIVED,
    [{ field: 'location', from: 'DOCK-1', to: 'DOCK-2' }],
    [{ field: 'location', from: 'DOCK-2', to: 'DOCK-3' }],
  );

  assert.equal(effective.event.location, 'DOCK-3');
  assert.deepEqual(effective.correctedBy, [10, 11]);
  assert.equal(deriveEventStatus(effective), 'corrected');
});

test('a change without a new value takes the member away', () => {
  const { event } = corrected(RECEIVED, [
    { field: 'notes', from: 'dry' },
    { field: 'lines[1].supplier_name', from: 'Mill' },
  ]);

  assert.equal('notes' in event, false);
  assert.equal('supplier_name' in event.lines[1]!, false);
  assert.equal(event.lines[1]!.lot_code, 'B');
});

test('a voided event is voided, and its values stay', () => {
  const effective = corrected(RECEIVED, [{ field: 'status', from: 'accepted', to: 'voided' }]);

  assert.deepEqual(effective, { event: RECEIVED, voided: true, correctedBy: [10] });
  assert.equal(deriveEventStatus(effective), 'voided');
});

test('what is voided stays so, whatever is corrected after', () => {
  const effective = corrected(
    RECEIVED,
    [{ field: 'status', from: 'accepted', to: 'voided' }],
    [
      { field: 'status', from: 'voided', to: 'accepted' },
      { field: 'location', from: 'DOCK-1', to: 'DOCK-2' },
    ],
  );

  assert.equal(deriveEventStatus(effective), 'voided');
  assert.deepEqual(effective.correctedBy, [10, 11]);
});

test('of a corrected channel its class counts, and the commitment of the line stays', () => {
  const change = { field: 'lines[0].channel', from: 'retail', private: COMMITMENT, to: 'online' };

  const { event } = corrected(SOLD, [change]);

  assert.deepEqual(event.lines, [{ ...SOLD.lines[0], channel: 'online' }]);
});

test('a channel that is taken away has no class any more', () => {
  const { event } = corrected(SOLD, [
    { field: 'lines[0].channel', from: 'retail', private: COMMITMENT },
  ]);

  assert.equal('channel' in event.lines[0]!, false);
});

test('a corrected customer changes nothing that is on the chain in clear', () => {
  const { event, correctedBy } = corrected(SOLD, [
    { field: 'lines[0].customer_ref', private: COMMITMENT },
  ]);

  assert.deepEqual(event, SOLD);
  assert.deepEqual(correctedBy, [10]);
});

test('corrected notes of a SELL are not in the event', () => {
  const { event } = corrected(SOLD, [{ field: 'notes', private: COMMITMENT }]);

  assert.deepEqual(event, SOLD);
});

test('a private text that a block holds in clear against the format does not enter the event', () => {
  const { event } = corrected(SOLD, [
    { field: 'notes', private: COMMITMENT, to: 'back door' },
    { field: 'lines[0].customer_ref', private: COMMITMENT, to: 'CUST-1' },
  ]);

  assert.deepEqual(event, SOLD);
});

test('a change of something that the event does not have is passed over', () => {
  const effective = corrected(RECEIVED, [
    { field: 'lines[2].quantity', to: '1' },
    { field: 'event_type', to: 'SELL' },
    { field: 'lines[0].private', to: COMMITMENT },
  ]);

  assert.deepEqual(effective.event, RECEIVED);
  assert.equal(effective.voided, false);
});

test('the sealed event is never changed', () => {
  const before = JSON.stringify(RECEIVED);

  // The event is frozen: writing to it would throw.
  corrected(RECEIVED, [
    { field: 'location', from: 'DOCK-1', to: 'DOCK-2' },
    { field: 'lines[0].quantity', from: '10', to: '11' },
    { field: 'status', from: 'accepted', to: 'voided' },
  ]);

  assert.equal(JSON.stringify(RECEIVED), before);
});
