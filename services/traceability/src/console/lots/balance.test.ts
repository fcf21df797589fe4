// The rows of a balance add up to what remains by definition, whatever moved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { buildRecord } from '@lothub/kit/build-record';
import { PARTS } from '../../ledger/record/event-types.ts';
import { computeBalance } from '../../lots/balances.ts';
import { balanceSheet } from './balance.ts';

const NOTHING = { productSku: 'BREAD', unit: 'pcs', ...buildRecord(PARTS, () => null) };

const amount = fc.nat(9_999_999).map((count) => new Big(count).div(1_000).toFixed());
/** Shares are never larger than what they are of, nor what was delivered and sold than either. */
const stored = fc.record(buildRecord(PARTS, () => fc.option(amount))).map((parts) => {
  const capped = (text: string | null, ...most: readonly (string | null)[]): string | null =>
    text === null
      ? null
      : most.reduce<string>(
          (least, one) => (new Big(one ?? '0').lt(least) ? (one ?? '0') : least),
          text,
        );
  const delivered = capped(parts.delivered, parts.shipped);
  const both = capped(parts.delivered_and_sold, delivered, parts.sold);
  return { ...NOTHING, ...parts, delivered, delivered_and_sold: both };
});

test('what came in less what went out is what remains, to the last digit', () => {
  fc.assert(
    fc.property(stored, (parts) => {
      const balance = computeBalance(parts);

      const { cameIn, wentOut, remaining } = balanceSheet(balance);

      const signed = [...cameIn, ...wentOut.map((row) => ({ amount: row.amount.neg() }))];
      const sum = signed.reduce((total, row) => total.plus(row.amount), new Big(0));
      assert.equal(remaining.toFixed(), balance.remaining);
      assert.equal(sum.toFixed(), balance.remaining);
      assert.ok([...cameIn, ...wentOut].every((row) => row.amount.gt(0)));
    }),
  );
});

test('what was sold after it was shipped is counted once and named as counted', () => {
  const sheet = balanceSheet(
    computeBalance({ ...NOTHING, produced: '10', shipped: '6', sold: '4' }),
  );

  assert.deepEqual(
    sheet.wentOut.map(({ name, amount: out }) => [name, out.toFixed()]),
    [['shipped', '6']],
  );
  assert.deepEqual(
    sheet.counted.map(({ name, amount: out }) => [name, out.toFixed()]),
    [['sold', '4']],
  );
});

test('deliveries are beside what was sold to nobody that a delivery names', () => {
  const parts = {
    produced: '20',
    shipped: '8',
    delivered: '8',
    sold: '9',
    delivered_and_sold: '5',
  };

  const sheet = balanceSheet(computeBalance({ ...NOTHING, ...parts }));

  assert.deepEqual(
    sheet.wentOut.map(({ name, amount: out }) => [name, out.toFixed()]),
    [
      ['delivered', '8'],
      ['sold_otherwise', '4'],
    ],
  );
  assert.equal(sheet.remaining.toFixed(), '8');
});
