// A payload that was sealed here has its shape; one that somebody else stored may have any.
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

test('an event and a genesis payload have the shape', () => {
  const genesis = { hub: 'Lothub', nonce: '00', recorded_at: '2026-03-02T06:15:01.000Z' };

  assert.equal(isPayload(PAYLOAD), true);
  assert.equal(isPayload({ ...genesis, type: 'genesis', v: 1 }), true);
});

const withLine = (changes: object) => ({
  ...PAYLOAD,
  event: { ...EVENT, lines: [{ ...LINE, ...changes }] },
});

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
];

for (const [what, payload] of BAD) {
  test(`a payload with ${what} does not have the shape`, () => {
    assert.equal(isPayload(payload), false);
  });
}
