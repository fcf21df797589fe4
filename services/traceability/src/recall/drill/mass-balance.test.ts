// Sums of many lots, and how much of what came in is accounted for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARTS, type Part } from '../../ledger/record/event-types.ts';
import { computeBalance, type Balance } from '../../lots/balances.ts';
import { MassBalanceTally } from './mass-balance.ts';

function balance(parts: Partial<Record<Part, string>>, unit = 'kg', productSku = 'FLOUR'): Balance {
  const nothing = Object.fromEntries(PARTS.map((part) => [part, null])) as Record<Part, null>;
  return computeBalance({ ...nothing, ...parts, productSku, unit });
}

function listBalances(balances: readonly Balance[]): readonly unknown[] {
  const tally = new MassBalanceTally();
  for (const one of balances) tally.add(one);
  return tally
    .balances()
    .map(({ productSku, unit, entered, accountedFor, remaining, percent }) => [
      productSku,
      unit,
      ...[entered, accountedFor, remaining, percent].map((value) => value?.toFixed() ?? null),
    ]);
}

test('lots of one SKU and unit are added up in decimals, others stay apart', () => {
  const sums = listBalances([
    balance({ received: '0.1', sold: '0.1' }),
    balance({ received: '0.2' }),
    balance({ produced: '3' }, 'pcs'),
    balance({ packed: '4' }, 'kg', 'BREAD'),
  ]);

  assert.deepEqual(sums, [
    ['BREAD', 'kg', '4', '4', '4', '100'],
    ['FLOUR', 'kg', '0.3', '0.3', '0.2', '100'],
    ['FLOUR', 'pcs', '3', '3', '3', '100'],
  ]);
});

test('what went out of one lot too much is not made good by what remains of another', () => {
  const sums = listBalances([
    balance({ received: '100', shipped: '120', sold: '90' }),
    balance({ received: '100', consumed: '40', disposed: '10' }),
  ]);

  assert.deepEqual(sums, [['FLOUR', 'kg', '200', '220', '30', '110']]);
});

test('of a SKU that never came in no share can be computed', () => {
  const sums = listBalances([balance({ sold: '5' })]);

  assert.deepEqual(sums, [['FLOUR', 'kg', '0', '5', '-5', null]]);
});
