// Checking an event as it came in: wrong values are named along with wrong shapes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { checkEvent, type CheckOptions } from './check-event.ts';

const OPTIONS: CheckOptions = {
  root: ['body'],
  errors: 'all',
  nowMs: 0,
  newSalt: () => '0'.repeat(64),
  identity: 'external_id',
};

const EVENT = {
  event_type: 'RECEIVE',
  occurred_at: '2026-03-02T07:15:00Z',
  location: 'BAKERY-1',
  reference: 'PO-1',
  lines: [{ lot_code: 'F', product_sku: 'S', direction: 'in', quantity: 1, unit: 'kg' }],
};

function listLocs(value: unknown, options: CheckOptions): readonly string[] {
  const prepared = checkEvent(value, options);
  if (prepared.kind === 'ready') return [];
  return prepared.errors.map((error) => `${error.loc.join('.')}: ${error.type}`);
}

test('a wrong shape, a day that does not exist and an inexact quantity are named at once', () => {
  const [line] = EVENT.lines;
  const sent = {
    ...EVENT,
    occurred_at: '2026-02-30T00:00:00Z',
    location: undefined,
    lines: [{ ...line, quantity: 0.1 + 0.2 }],
  };

  const locs = listLocs(JSON.parse(JSON.stringify(sent)), OPTIONS);

  assert.deepEqual(locs.toSorted(), [
    'body.lines.0.quantity: decimal_max_digits',
    'body.location: missing',
    'body.occurred_at: datetime_parsing',
  ]);
});

test('where one error is enough, one is named', () => {
  const locs = listLocs({ occurred_at: 'soon' }, { ...OPTIONS, errors: 'first' });

  assert.equal(locs.length, 1);
});

test('an event with nothing wrong is ready', () => {
  assert.deepEqual(listLocs(EVENT, OPTIONS), []);
});
