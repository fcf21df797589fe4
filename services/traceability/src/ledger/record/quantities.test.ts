// The mass balance of a lot: a worked example, the sign of each type, and the status it leads to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LotTally, comparableInstant, computeRemaining, type Movement } from './quantities.ts';
import { PARTS } from './event-types.ts';

let height = 0;
function move(
  eventType: Movement['eventType'],
  direction: Movement['direction'],
  quantity: string,
  changes: Partial<Movement> = {},
): Movement {
  height += 1;
  return {
    eventType,
    direction,
    quantity,
    productSku: 'FLOUR-T55',
    unit: 'kg',
    occurredAt: '2026-03-02T06:15:00Z',
    height,
    isDelivery: false,
    handoverReference: null,
    ...changes,
  };
}

function buildTally(...movements: readonly Movement[]): LotTally {
  const tally = new LotTally();
  for (const movement of movements) tally.add(movement);
  return tally;
}

/** The parts that are not zero, as texts. */
function listParts(tally: LotTally, index = 0): Readonly<Record<string, string>> {
  const sums = tally.accounts[index]?.sums ?? {};
  return Object.fromEntries(
    PARTS.flatMap((part) => (sums[part] === undefined ? [] : [[part, sums[part].toFixed()]])),
  );
}

function remaining(tally: LotTally, index = 0): string {
  return computeRemaining(tally.accounts[index]?.sums ?? {}).toFixed();
}

function readStatus(tally: LotTally): string {
  return tally.standing.status;
}

test('the parts of a balance add up to what remains', () => {
  const tally = buildTally(
    move('RECEIVE', 'in', '250.5'),
    move('RECEIVE', 'out', '10.5'),
    move('PRODUCE', 'out', '40'),
    move('PACK', 'out', '20'),
    move('PACK', 'in', '30'),
    move('CONSUME', 'in', '60'),
    move('PRODUCE', 'in', '15.25'),
    move('TRANSFER', 'out', '100'),
    move('TRANSFER', 'in', '100'),
    move('SHIP', 'out', '50'),
    move('SELL', 'out', '35'),
    move('DISPOSE', 'out', '5'),
    move('DISPOSE', 'in', '1'),
    move('CORRECTION', 'out', '999'),
  );

  assert.deepEqual(listParts(tally), {
    received: '250.5',
    returned: '10.5',
    produced: '40',
    consumed: '75.25',
    packed: '20',
    packed_from: '30',
    shipped: '50',
    sold: '35',
    disposed: '6',
  });
  assert.equal(remaining(tally), '138.75');
});

test('what was shipped and then sold leaves once', () => {
  const shippedAndSold = buildTally(
    move('RECEIVE', 'in', '100'),
    move('SHIP', 'out', '40'),
    move('SELL', 'out', '40'),
  );
  const soldBeyondShipped = buildTally(
    move('RECEIVE', 'in', '100'),
    move('SHIP', 'out', '40'),
    move('SELL', 'out', '55'),
  );

  assert.equal(remaining(shippedAndSold), '60');
  assert.equal(remaining(soldBeyondShipped), '45');
});

test('decimals are added exactly', () => {
  const tally = buildTally(
    move('RECEIVE', 'in', '0.1'),
    move('RECEIVE', 'in', '0.2'),
    move('CONSUME', 'in', '0.3'),
  );

  assert.equal(remaining(tally), '0');
});

test('units and SKUs are never added to one another', () => {
  const tally = buildTally(
    move('RECEIVE', 'in', '5'),
    move('RECEIVE', 'in', '7', { unit: 'bag' }),
    move('RECEIVE', 'in', '9', { productSku: 'FLOUR-T65' }),
  );

  assert.deepEqual(
    tally.accounts.map(({ productSku, unit }, index) => [
      productSku,
      unit,
      remaining(tally, index),
    ]),
    [
      ['FLOUR-T55', 'kg', '5'],
      ['FLOUR-T55', 'bag', '7'],
      ['FLOUR-T65', 'kg', '9'],
    ],
  );
});

test('more out than in is accepted and flagged as over-issued', () => {
  const tally = buildTally(move('RECEIVE', 'in', '5'), move('CONSUME', 'in', '7.5'));

  assert.equal(remaining(tally), '-2.5');
  assert.equal(tally.standing.over_issued, 1);
  assert.equal(readStatus(tally), 'depleted');
});

test('a lot is active while anything remains in any unit', () => {
  const tally = buildTally(
    move('RECEIVE', 'in', '5'),
    move('RECEIVE', 'in', '2', { unit: 'bag' }),
    move('CONSUME', 'in', '5'),
  );

  assert.equal(readStatus(tally), 'active');
});

test('a lot of which nothing was ever removed is active', () => {
  const known = buildTally(move('TRANSFER', 'out', '5'), move('CORRECTION', 'in', '5'));

  assert.equal(readStatus(known), 'active');
});

test('an empty lot is disposed when the last removal was a DISPOSE, and depleted otherwise', () => {
  const disposedLast = buildTally(
    move('RECEIVE', 'in', '5'),
    move('CONSUME', 'in', '3', { occurredAt: '2026-03-03T08:00:00Z' }),
    move('DISPOSE', 'out', '2', { occurredAt: '2026-03-03T08:00:00.5Z' }),
  );
  const consumedLast = buildTally(
    move('RECEIVE', 'in', '5'),
    move('DISPOSE', 'out', '2', { occurredAt: '2026-03-03T08:00:00Z' }),
    move('CONSUME', 'in', '3', { occurredAt: '2026-03-03T08:00:00.5Z' }),
  );

  assert.equal(readStatus(disposedLast), 'disposed');
  assert.equal(readStatus(consumedLast), 'depleted');
});

test('the last removal is the last that occurred, not the last that was recorded', () => {
  const tally = buildTally(
    move('RECEIVE', 'in', '5'),
    move('DISPOSE', 'out', '2', { occurredAt: '2026-03-04T08:00:00Z' }),
    move('CONSUME', 'in', '3', { occurredAt: '2026-03-03T08:00:00Z' }),
  );

  assert.equal(readStatus(tally), 'disposed');
});

test('instants sort by time, also when only one has a fraction', () => {
  const sorted = ['2026-03-03T08:00:00.5Z', '2026-03-03T08:00:00Z', '2026-03-03T08:00:00.25Z'].sort(
    (a, b) => (comparableInstant(a) < comparableInstant(b) ? -1 : 1),
  );

  assert.deepEqual(sorted, [
    '2026-03-03T08:00:00Z',
    '2026-03-03T08:00:00.25Z',
    '2026-03-03T08:00:00.5Z',
  ]);
});

const movements = fc.array(
  fc.record({
    eventType: fc.constantFrom<Movement['eventType']>(
      ...([
        'RECEIVE',
        'PRODUCE',
        'CONSUME',
        'PACK',
        'TRANSFER',
        'SHIP',
        'SELL',
        'DISPOSE',
      ] as const),
    ),
    direction: fc.constantFrom<'in' | 'out'>('in', 'out'),
    /** Thousandths, so that the model can add whole numbers. */
    thousandths: fc.integer({ min: 0, max: 1_000_000_000 }),
  }),
);

test('what remains is the published sum of the published parts, for any movements', () => {
  fc.assert(
    fc.property(movements, (list) => {
      const tally = buildTally(
        ...list.map(({ eventType, direction, thousandths }) =>
          move(
            eventType,
            direction,
            `${Math.trunc(thousandths / 1_000)}.${String(thousandths % 1_000).padStart(3, '0')}`,
          ),
        ),
      );

      const parts = listParts(tally);
      const toThousandths = (text = '0'): bigint => BigInt(Math.round(Number(text) * 1_000));
      const part = (name: string): bigint => toThousandths(parts[name]);
      const left = part('shipped') > part('sold') ? part('shipped') : part('sold');
      const expected =
        part('received') -
        part('returned') +
        part('produced') +
        part('packed') -
        part('packed_from') -
        part('consumed') -
        part('disposed') -
        left;

      assert.equal(toThousandths(remaining(tally)), expected);
      assert.equal(tally.standing.stocked, expected > 0n ? 1 : 0);
      assert.equal(tally.standing.over_issued, expected < 0n ? 1 : 0);
    }),
  );
});
