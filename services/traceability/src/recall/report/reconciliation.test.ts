// Reconciles lots whose sums are easy to do in the head.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Big from 'big.js';
import { accountKey } from '../../ledger/record/quantities.ts';
import { computeBalance, type Balance, type StoredParts } from '../../lots/balances.ts';
import { Reconciliation, type ReconciliationRow } from './reconciliation.ts';

const NOTHING: StoredParts = {
  productSku: 'RYE-750',
  unit: 'pcs',
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

function balance(parts: Partial<StoredParts>) {
  return computeBalance({ ...NOTHING, ...parts });
}

function reconcile(
  balances: readonly Balance[],
  answered: ReadonlyMap<string, Big> = new Map(),
): readonly ReconciliationRow[] {
  const reconciliation = new Reconciliation();
  for (const one of balances) reconciliation.add(one);
  return reconciliation.rows(answered);
}

function mapAnswered(quantity: string): ReadonlyMap<string, Big> {
  return new Map([[accountKey('RYE-750', 'pcs'), new Big(quantity)]]);
}

test('what is on hand, used, disposed of or answered for is accounted for, and nothing else', () => {
  const lot = balance({
    produced: '100',
    packed_from: '10',
    disposed: '5',
    shipped: '60',
    sold: '40',
  });

  const [row] = reconcile([lot], mapAnswered('15'));

  assert.deepEqual(row, {
    productSku: 'RYE-750',
    unit: 'pcs',
    lots: 1,
    supplied: '100',
    onHand: '25',
    used: '10',
    disposed: '5',
    distributed: '60',
    answered: '15',
    unanswered: '45',
    overIssued: '0',
    percent: 55,
  });
});

test('the columns of a row add up, also where more went out of one lot than came in', () => {
  const lots = [
    balance({ produced: '10', sold: '12.5' }),
    balance({ received: '20', returned: '1.5', consumed: '3.25' }),
  ];

  const [row] = reconcile(lots);

  const sum = (texts: readonly string[]) =>
    texts.reduce((total, text) => total.plus(text), new Big(0));
  assert.ok(row !== undefined);
  assert.equal(row.overIssued, '2.5');
  assert.equal(
    sum([row.supplied, row.overIssued]).toFixed(),
    sum([row.onHand, row.used, row.disposed, row.distributed]).toFixed(),
  );
});

test('SKUs and units are never added to each other', () => {
  const rows = reconcile([
    balance({ produced: '1' }),
    balance({ produced: '2', unit: 'kg' }),
    balance({ produced: '4', productSku: 'OAT-500' }),
    balance({ produced: '8' }),
  ]);

  assert.deepEqual(
    rows.map(({ productSku, unit, lots, supplied }) => [productSku, unit, lots, supplied]),
    [
      ['OAT-500', 'pcs', 1, '4'],
      ['RYE-750', 'kg', 1, '2'],
      ['RYE-750', 'pcs', 2, '9'],
    ],
  );
});

test('answers for more than was distributed count for what was distributed', () => {
  const [row] = reconcile([balance({ produced: '10', sold: '4' })], mapAnswered('7'));

  assert.equal(row?.answered, '4');
  assert.equal(row?.percent, 100);
});

test('a share is rounded down, so that nothing unaccounted for is called 100 %', () => {
  const [row] = reconcile([balance({ produced: '100000', sold: '1' })]);

  assert.equal(row?.percent, 99.9);
});

test('nothing that came in has no share, and what went out beyond it is not below nothing', () => {
  const rows = [{ sold: '3' }, { produced: '1', sold: '3' }].map(
    (parts) => reconcile([balance(parts)])[0]?.percent,
  );

  assert.deepEqual(rows, [null, 0]);
});
