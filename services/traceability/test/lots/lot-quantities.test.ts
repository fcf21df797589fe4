// Quantities and status of lots (docs/interface/traceability.md#quantities): which part each type and
// direction adds to, what remains, and which status follows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Json } from '../boot.ts';

const hub = await openForFile(boot());

type Line = readonly [direction: 'in' | 'out', quantity: number, changes?: Record<string, unknown>];
type Event = readonly [type: string, lines: readonly Line[], changes?: Record<string, unknown>];

/** Posts events of one lot, `L`, of a tenant of its own, and reads its record. */
async function lotAfter(events: readonly Event[]): Promise<Json> {
  const tenant = { 'X-Tenant-Id': newTenant() };
  for (const [event_type, lines, changes] of events) {
    const event = anEvent({
      event_type,
      lines: lines.map(([direction, quantity, more]) =>
        aLine({ lot_code: 'L', product_sku: 'P', unit: 'kg', direction, quantity, ...more }),
      ),
      ...changes,
    });
    const posted = await hub.post('/v1/events', event, tenant);
    assert.equal(posted.status, 201, posted.text);
  }
  const answer = await hub.call('/v1/lots/L', { headers: tenant });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** The balances of a lot, each without the parts that are 0. */
function balances(lot: Json): readonly Record<string, unknown>[] {
  return (lot['quantities'] as unknown as readonly Record<string, unknown>[]).map((balance) =>
    Object.fromEntries(Object.entries(balance).filter(([, value]) => value !== 0)),
  );
}

const ONE = { product_sku: 'P', unit: 'kg', over_issued: false };

const PARTS: readonly (readonly [
  string,
  'in' | 'out',
  Record<string, number>,
  remaining: number,
])[] = [
  ['RECEIVE', 'in', { received: 7 }, 107],
  ['RECEIVE', 'out', { returned: 7 }, 93],
  ['PRODUCE', 'in', { consumed: 7 }, 93],
  ['PRODUCE', 'out', { produced: 7 }, 107],
  ['CONSUME', 'in', { consumed: 7 }, 93],
  ['CONSUME', 'out', { produced: 7 }, 107],
  ['PACK', 'in', { packed_from: 7 }, 93],
  ['PACK', 'out', { packed: 7 }, 107],
  ['TRANSFER', 'in', {}, 100],
  ['TRANSFER', 'out', {}, 100],
  ['SHIP', 'in', {}, 100],
  ['SHIP', 'out', { shipped: 7 }, 93],
  ['SELL', 'in', { sold: 7 }, 93],
  ['SELL', 'out', { sold: 7 }, 93],
  ['DISPOSE', 'in', { disposed: 7 }, 93],
  ['DISPOSE', 'out', { disposed: 7 }, 93],
  ['CORRECTION', 'in', {}, 100],
  ['CORRECTION', 'out', {}, 100],
];

for (const [type, direction, parts, remaining] of PARTS) {
  const moved = Object.keys(parts)[0] ?? 'no part';
  test(`${type} ${direction} adds to ${moved} and leaves ${remaining} of 100`, async () => {
    const lot = await lotAfter([
      ['RECEIVE', [['in', 100]]],
      [type, [[direction, 7]]],
    ]);

    const received = 100 + (parts['received'] ?? 0);
    assert.deepEqual(balances(lot), [{ ...ONE, ...parts, received, remaining }]);
  });
}

test('every part is published, those without a movement as 0', async () => {
  const lot = await lotAfter([['RECEIVE', [['in', 3]]]]);

  assert.deepEqual(lot['quantities'], [
    {
      product_sku: 'P',
      unit: 'kg',
      received: 3,
      returned: 0,
      produced: 0,
      consumed: 0,
      packed: 0,
      packed_from: 0,
      shipped: 0,
      sold: 0,
      disposed: 0,
      delivered: 0,
      delivered_and_sold: 0,
      remaining: 3,
      over_issued: false,
    },
  ]);
});

test('a lot that was only moved about has an account of zeros', async () => {
  const lot = await lotAfter([
    [
      'TRANSFER',
      [
        ['out', 5],
        ['in', 5],
      ],
    ],
  ]);

  assert.deepEqual(balances(lot), [ONE]);
  assert.equal(lot['status'], 'active');
});

test('what is sold after it was shipped is taken out once', async () => {
  const lot = await lotAfter([
    ['PRODUCE', [['out', 100]]],
    ['SHIP', [['out', 60]]],
    ['SELL', [['out', 25]]],
  ]);

  assert.deepEqual(balances(lot), [
    { ...ONE, produced: 100, shipped: 60, sold: 25, remaining: 40 },
  ]);
});

test('what is sold beyond what was shipped is taken out of the rest', async () => {
  const lot = await lotAfter([
    ['PRODUCE', [['out', 100]]],
    ['SHIP', [['out', 60]]],
    ['SELL', [['out', 75]]],
  ]);

  assert.deepEqual(balances(lot), [
    { ...ONE, produced: 100, shipped: 60, sold: 75, remaining: 25 },
  ]);
});

test('what was shipped and sold is compared as numbers, not digit by digit', async () => {
  const lot = await lotAfter([
    ['PRODUCE', [['out', 1_000]]],
    ['SHIP', [['out', 100]]],
    ['SELL', [['out', 99.5]]],
  ]);

  assert.deepEqual(balances(lot), [
    { ...ONE, produced: 1_000, shipped: 100, sold: 99.5, remaining: 900 },
  ]);
});

test('the whole formula holds at once', async () => {
  const lot = await lotAfter([
    [
      'RECEIVE',
      [
        ['in', 100],
        ['out', 3],
      ],
    ],
    [
      'PRODUCE',
      [
        ['out', 50],
        ['in', 5],
      ],
    ],
    [
      'PACK',
      [
        ['out', 20],
        ['in', 7],
      ],
    ],
    ['DISPOSE', [['in', 11]]],
    ['SHIP', [['out', 13]]],
    ['SELL', [['out', 17]]],
  ]);

  assert.deepEqual(balances(lot), [
    {
      ...ONE,
      received: 100,
      returned: 3,
      produced: 50,
      packed: 20,
      packed_from: 7,
      consumed: 5,
      disposed: 11,
      shipped: 13,
      sold: 17,
      remaining: 100 - 3 + 50 + 20 - 7 - 5 - 11 - 17,
    },
  ]);
});

test('a line moves the lot of its own SKU and unit, once for each line', async () => {
  const lot = await lotAfter([
    [
      'RECEIVE',
      [
        ['in', 1],
        ['in', 2],
        ['in', 4, { unit: 'pcs' }],
      ],
    ],
  ]);

  assert.deepEqual(balances(lot), [
    { ...ONE, received: 3, remaining: 3 },
    { ...ONE, unit: 'pcs', received: 4, remaining: 4 },
  ]);
});

test('0.1 and 0.2 make 0.3', async () => {
  const lot = await lotAfter([
    ['RECEIVE', [['in', 0.1]]],
    ['RECEIVE', [['in', 0.2]]],
  ]);

  assert.deepEqual(balances(lot), [{ ...ONE, received: 0.3, remaining: 0.3 }]);
});

test('three tenths less than three times a tenth leave nothing', async () => {
  const lot = await lotAfter([
    ['RECEIVE', [['in', 0.3]]],
    ['SHIP', [['out', 0.1]]],
    ['SHIP', [['out', 0.1]]],
    ['SHIP', [['out', 0.1]]],
  ]);

  assert.deepEqual(balances(lot), [{ ...ONE, received: 0.3, shipped: 0.3 }]);
  assert.equal(lot['status'], 'depleted');
});

test('units and SKUs are never added together, and the first SKU is named first', async () => {
  const lot = await lotAfter([
    ['RECEIVE', [['in', 2, { product_sku: 'M' }]]],
    ['RECEIVE', [['in', 3, { product_sku: 'Z', unit: 'pcs' }]]],
    ['RECEIVE', [['in', 5, { product_sku: 'A' }]]],
    ['RECEIVE', [['in', 7, { product_sku: 'M', unit: 'g' }]]],
  ]);

  assert.equal(lot['product_sku'], 'M');
  assert.deepEqual(lot['product_skus'], ['M', 'A', 'Z']);
  assert.deepEqual(balances(lot), [
    { ...ONE, product_sku: 'M', unit: 'g', received: 7, remaining: 7 },
    { ...ONE, product_sku: 'M', unit: 'kg', received: 2, remaining: 2 },
    { ...ONE, product_sku: 'A', unit: 'kg', received: 5, remaining: 5 },
    { ...ONE, product_sku: 'Z', unit: 'pcs', received: 3, remaining: 3 },
  ]);
});

test('what goes out beyond what came in is accepted, negative and flagged', async () => {
  const lot = await lotAfter([
    ['RECEIVE', [['in', 1]]],
    ['SHIP', [['out', 1.5]]],
  ]);

  assert.deepEqual(balances(lot), [
    { ...ONE, received: 1, shipped: 1.5, remaining: -0.5, over_issued: true },
  ]);
  assert.equal(lot['status'], 'depleted');
});

test('a lot is over-issued in one unit although there is plenty of another', async () => {
  const lot = await lotAfter([
    [
      'RECEIVE',
      [
        ['in', 100],
        ['out', 1, { unit: 'pcs' }],
      ],
    ],
  ]);

  assert.deepEqual(
    balances(lot).map((balance) => balance['over_issued']),
    [false, true],
  );
  assert.equal(lot['status'], 'active');
});

test('quantities keep fifteen digits', async () => {
  const lot = await lotAfter([['RECEIVE', [['in', 123456789.012345]]]]);

  assert.equal(valueAt(lot, 'quantities', 0, 'remaining'), 123456789.012345);
});

const STATUSES: readonly (readonly [string, string, readonly Event[]])[] = [
  [
    'with something left',
    'active',
    [
      ['RECEIVE', [['in', 2]]],
      ['SHIP', [['out', 1]]],
    ],
  ],
  ['that was made with quantity 0', 'active', [['PRODUCE', [['out', 0]]]]],
  [
    'that was sold out',
    'depleted',
    [
      ['RECEIVE', [['in', 2]]],
      ['SELL', [['out', 2]]],
    ],
  ],
  [
    'that was used up',
    'depleted',
    [
      ['RECEIVE', [['in', 2]]],
      ['CONSUME', [['in', 2]]],
    ],
  ],
  [
    'that was thrown away',
    'disposed',
    [
      ['RECEIVE', [['in', 2]]],
      ['DISPOSE', [['out', 2]]],
    ],
  ],
  [
    'whose rest was thrown away after a sale',
    'disposed',
    [
      ['RECEIVE', [['in', 2]]],
      ['SELL', [['out', 1]], { occurred_at: '2026-03-03T00:00:00Z' }],
      ['DISPOSE', [['out', 1]], { occurred_at: '2026-03-04T00:00:00Z' }],
    ],
  ],
  [
    'whose rest was sold after a part was thrown away, recorded the other way round',
    'depleted',
    [
      ['RECEIVE', [['in', 2]]],
      ['SELL', [['out', 1]], { occurred_at: '2026-03-04T00:00:00Z' }],
      ['DISPOSE', [['out', 1]], { occurred_at: '2026-03-03T00:00:00Z' }],
    ],
  ],
  [
    'of which more came after it was thrown away',
    'active',
    [
      ['RECEIVE', [['in', 2]]],
      ['DISPOSE', [['out', 2]]],
      ['RECEIVE', [['in', 1]]],
    ],
  ],
];

for (const [what, status, events] of STATUSES) {
  test(`a lot ${what} is ${status}`, async () => {
    const lot = await lotAfter(events);

    assert.equal(lot['status'], status);
  });
}
