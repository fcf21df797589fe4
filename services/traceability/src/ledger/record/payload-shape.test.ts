// A payload that was sealed here has its shape; one that was stored by other means may have any.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPayload } from './payload-shape.ts';

const LINE = {
  direction: 'in',
  lot_code: 'FLOUR-1',
  product_sku: 'FLOUR',
  quantity: '2.5',
  unit: 'kg',
};
const EVENT = {
  event_type: 'RECEIVE',
  lines: [LINE],
  location: 'BAKERY-1',
  occurred_at: '2026-03-02T06:15:00Z',
  reference: 'PO-1',
};
const PAYLOAD = {
  brand: 'bakery',
  event: EVENT,
  recorded_at: '2026-03-02T06:15:01.000Z',
  type: 'event',
  v: 1,
};

const CHANGE = { field: 'lines[0].quantity', from: '2.5', to: '3' };
const CORRECTION = {
  changes: [CHANGE],
  corrects_block_hash: 'a'.repeat(64),
  corrects_block_height: 1,
  corrects_event_id: 1,
  private: 'b'.repeat(64),
  reason: 'typing error',
};

/** A payload with a correction; `changes` replace its members. */
const corrected = (changes: object = {}) => ({
  brand: 'bakery',
  correction: { ...CORRECTION, ...changes },
  recorded_at: '2026-03-02T06:15:02.000Z',
  type: 'correction',
  v: 1,
});

test('an event and a genesis payload have the shape', () => {
  const genesis = { hub: 'Lothub', nonce: '00', recorded_at: '2026-03-02T06:15:01.000Z' };

  assert.equal(isPayload(PAYLOAD), true);
  assert.equal(isPayload({ ...genesis, type: 'genesis', v: 1 }), true);
});

test('a payload of another version has no shape that is known here', () => {
  for (const v of [undefined, 0, '1', 2]) assert.equal(isPayload({ ...PAYLOAD, v }), false);
});

const withLine = (changes: object) => ({
  ...PAYLOAD,
  event: { ...EVENT, lines: [{ ...LINE, ...changes }] },
});

test('a correction has the shape, with and without a commitment', () => {
  assert.equal(isPayload(corrected()), true);
  assert.equal(isPayload(corrected({ private: undefined })), true);
});

const COMMITMENT = 'c'.repeat(64);

/** A change of every field, as docs/chain-format.md allows it. */
const GOOD_CHANGES: readonly object[] = [
  { field: 'occurred_at', from: '2026-03-02T06:15:00Z', to: '2026-03-02T06:16:00.5Z' },
  { field: 'location', from: 'A', to: 'B' },
  { field: 'reference', from: 'A', to: 'B' },
  { field: 'notes', from: 'A', to: 'B' },
  { field: 'notes', to: 'B' },
  { field: 'notes', from: 'A' },
  { field: 'notes', private: COMMITMENT },
  { field: 'status', from: 'accepted', to: 'voided' },
  { field: 'lines[0].lot_code', from: 'A', to: 'B' },
  { field: 'lines[0].product_sku', from: 'A', to: 'B' },
  { field: 'lines[0].direction', from: 'in', to: 'out' },
  { field: 'lines[999].quantity', from: '1', to: '0' },
  { field: 'lines[0].unit', from: 'kg', to: 'g' },
  { field: 'lines[0].supplier_name', to: 'B' },
  { field: 'lines[0].origin_facility', from: 'A' },
  { field: 'lines[0].supplier_lot_code', from: 'A', to: 'B' },
  { field: 'lines[0].channel', from: 'retail', private: COMMITMENT, to: 'retail' },
  { field: 'lines[0].channel', from: 'retail', private: COMMITMENT },
  { field: 'lines[0].customer_ref', private: COMMITMENT },
];

for (const change of GOOD_CHANGES) {
  test(`a correction with the change ${JSON.stringify(change)} has the shape`, () => {
    assert.equal(isPayload(corrected({ changes: [CHANGE, change] })), true);
  });
}

const BAD: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['a number', 5],
  ['an unknown type', { ...PAYLOAD, type: 'constructor' }],
  ['no brand', { ...PAYLOAD, brand: undefined }],
  ['no event', { ...PAYLOAD, event: null }],
  ['an unknown event type', { ...PAYLOAD, event: { ...EVENT, event_type: 'STEAL' } }],
  ['notes that are no text', { ...PAYLOAD, event: { ...EVENT, notes: {} } }],
  ['lines that are no list', { ...PAYLOAD, event: { ...EVENT, lines: 'none' } }],
  ['no line', { ...PAYLOAD, event: { ...EVENT, lines: [] } }],
  ['a line that is nothing', { ...PAYLOAD, event: { ...EVENT, lines: [null] } }],
  ['a third direction', withLine({ direction: 'up' })],
  ['a quantity that is no decimal', withLine({ quantity: '1e5' })],
  ['a quantity that is a number', withLine({ quantity: 1 })],
  ['a channel that is no text', withLine({ channel: 7 })],
  ['a correction of no brand', { ...corrected(), brand: undefined }],
  ['a correction without a time', { ...corrected(), recorded_at: undefined }],
  ['no correction', { ...corrected(), correction: null }],
  ['an event in place of a correction', { ...PAYLOAD, type: 'correction' }],
  ['a correction in place of an event', { ...corrected(), type: 'event' }],
  ['a correction without a reason', corrected({ reason: undefined })],
  ['a commitment that is no text', corrected({ private: 7 })],
  ['a correction of no block', corrected({ corrects_block_height: undefined })],
  ['a corrected height that is a text', corrected({ corrects_block_height: '1' })],
  ['a corrected height that is a fraction', corrected({ corrects_block_height: 1.5 })],
  ['a corrected event that is not of its block', corrected({ corrects_event_id: 2 })],
  ['a correction without the hash', corrected({ corrects_block_hash: undefined })],
  ['changes that are no list', corrected({ changes: { 0: CHANGE } })],
  ['no change', corrected({ changes: [] })],
  ['a change that is nothing', corrected({ changes: [null] })],
  ['a change that is a text', corrected({ changes: ['location'] })],
  ['a bad change after a good one', corrected({ changes: [CHANGE, {}] })],
];

const BAD_CHANGES: readonly object[] = [
  { field: 7, from: 'A', to: 'B' },
  { field: 'event_type', from: 'RECEIVE', to: 'SHIP' },
  { field: 'external_id', from: 'A', to: 'B' },
  { field: 'constructor', from: 'A', to: 'B' },
  { field: 'quantity', from: '1', to: '2' },
  { field: 'lines.0.quantity', from: '1', to: '2' },
  { field: 'lines[0].private', from: 'A', to: 'B' },
  { field: 'lines[00].unit', from: 'kg', to: 'g' },
  { field: 'location', from: 'A', to: 7 },
  { field: 'location', from: 7, to: 'A' },
  { field: 'location', from: 'A' },
  { field: 'occurred_at', from: '2026-03-02T06:15:00Z' },
  { field: 'reference', from: 'A' },
  { field: 'status', from: 'accepted' },
  { field: 'status', from: 'accepted', to: 'accepted' },
  { field: 'status', from: 'accepted', to: 'corrected' },
  { field: 'lines[0].lot_code', from: 'A' },
  { field: 'lines[0].product_sku', from: 'A' },
  { field: 'lines[0].unit', from: 'kg' },
  { field: 'lines[0].direction', from: 'in' },
  { field: 'lines[0].direction', from: 'in', to: 'up' },
  { field: 'lines[0].quantity', from: '1' },
  { field: 'lines[0].quantity', from: '1', to: '1e5' },
  { field: 'lines[0].quantity', from: '1', to: '-1' },
  { field: 'lines[0].quantity', from: '1', to: 2 },
  { field: 'lines[0].customer_ref', private: COMMITMENT, to: 'C-1' },
  { field: 'notes', private: 7 },
];

for (const change of BAD_CHANGES) {
  test(`a correction with the change ${JSON.stringify(change)} does not have the shape`, () => {
    assert.equal(isPayload(corrected({ changes: [CHANGE, change] })), false);
  });
}

for (const [what, payload] of BAD) {
  test(`a payload with ${what} does not have the shape`, () => {
    assert.equal(isPayload(payload), false);
  });
}
