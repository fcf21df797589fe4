// The balance out of stored parts: nothing stored is 0, and the sum is decimal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeBalance, type StoredParts } from './balances.ts';

const NOTHING: StoredParts = {
  productSku: 'FLOUR',
  unit: 'kg',
  received: null,
  returned: null,
  produced: null,
  consumed: null,
  packed: null,
  packed_from: null,
  shipped: null,
  sold: null,
  disposed: null,
  delivered: null,
  delivered_and_sold: null,
};

test('parts in which nothing moved are 0, and so is the rest', () => {
  const balance = computeBalance(NOTHING);

  const { productSku, unit, overIssued, ...quantities } = balance;
  assert.deepEqual([productSku, unit, overIssued], ['FLOUR', 'kg', false]);
  assert.equal(Object.keys(quantities).length, 12);
  assert.deepEqual(new Set(Object.values(quantities)), new Set(['0']));
});

test('the rest is summed in decimals and every part is passed on as it is stored', () => {
  const balance = computeBalance({ ...NOTHING, received: '0.3', consumed: '0.1', disposed: '0.2' });

  assert.equal(balance.remaining, '0');
  assert.equal(balance.overIssued, false);
  assert.deepEqual([balance.received, balance.consumed, balance.disposed], ['0.3', '0.1', '0.2']);
});

test('of what was shipped and what was sold the larger is taken out', () => {
  const shipped = computeBalance({ ...NOTHING, produced: '10', shipped: '6', sold: '4' });
  const sold = computeBalance({ ...NOTHING, produced: '10', shipped: '6', sold: '7' });

  assert.deepEqual([shipped.remaining, sold.remaining], ['4', '3']);
});

test('a rest below 0 is flagged', () => {
  const balance = computeBalance({ ...NOTHING, packed: '1', packed_from: '1.000000000000001' });

  assert.equal(balance.remaining, '-0.000000000000001');
  assert.equal(balance.overIssued, true);
});
