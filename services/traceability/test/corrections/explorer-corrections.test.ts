// Correction blocks in /public/explorer/*, from docs/interface/traceability.md#explorer.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, type Booted, type Json } from '../boot.ts';
import { change, corrected, record, type Recorded } from './correction-requests.ts';
import { tamper } from '../ledger.ts';

interface Place {
  readonly height: number;
  readonly index: number;
}

async function ask(path: string, service = hub): Promise<Json> {
  const response = await fetch(`${service.base}/public/explorer${path}`);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Json;
}

const listHeights = (answer: Json, key = 'blocks'): readonly number[] =>
  (answer[key] as unknown as readonly Place[]).map(({ height }) => height);
const listPlaces = (answer: Json, key = 'transactions'): readonly string[] =>
  (answer[key] as unknown as readonly Place[]).map(({ height, index }) => `${height}.${index}`);

/** Heights 1 to 7; the mill records 3, the bakery the rest. Blocks 4, 5 and 7 are corrections. */
async function fill(service: Booted): Promise<void> {
  const receipt = await record(
    service,
    { reference: 'PO-1', lines: [aLine(), aLine({ lot_code: 'SALT-1', product_sku: 'SALT' })] },
    'bakery',
  );
  const produced: Recorded = await record(
    service,
    {
      event_type: 'PRODUCE',
      reference: 'WO-1',
      lines: [aLine(), aLine({ lot_code: 'BREAD-1', product_sku: 'RYE', direction: 'out' })],
    },
    'bakery',
  );
  const milled = await record(service, { reference: 'M-1' }, 'mill');
  await corrected(
    service,
    receipt,
    change('location', 'BAKERY-1', 'BAKERY-2'),
    change('lines[1].quantity', 250.5, 240),
    change('lines[0].supplier_name', null, 'Mill Brandt'),
  );
  await corrected(service, produced, change('lines[1].lot_code', 'BREAD-1', 'BREAD-2'));
  await record(service, { event_type: 'TRANSFER', reference: 'T-1' }, 'bakery');
  await corrected(service, milled, change('status', 'accepted', 'voided'));
}

const hub = await openForFile(boot());
before(async () => {
  await fill(hub);
});

test('corrections are in the lists of the hub and of their brand, and are counted', async () => {
  const all = await ask('');
  const bakery = await ask('?brand=bakery');
  const mill = await ask('?brand=mill');

  assert.deepEqual(listHeights(all, 'latest_blocks'), [7, 6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(listHeights(bakery, 'latest_blocks'), [6, 5, 4, 2, 1]);
  assert.deepEqual(listHeights(mill, 'latest_blocks'), [7, 3]);
  const counts = [all, bakery, mill].map(({ stats }) => [
    stats!['height'],
    stats!['blocks'],
    stats!['transactions'],
    stats!['lots'],
  ]);
  assert.deepEqual(counts, [
    [7, 8, 11, 5],
    [7, 5, 9, 4],
    [7, 2, 2, 1],
  ]);
});

test('a correction in the list says what it corrects, and hashes like any block', async () => {
  const { blocks } = await ask('/blocks?before=5&limit=1');

  const { canonical, block_hash, prev_hash, recorded_at, ...rest } = blocks![0 as never]!;
  assert.deepEqual(rest, {
    height: 4,
    brand: 'bakery',
    event_type: 'CORRECTION',
    tx_count: 3,
    summary: 'CORRECTION of event 1: location, lines[1].quantity, lines[0].supplier_name',
    intact: true,
  });
  assert.equal(createHash('sha256').update(String(canonical)).digest('hex'), block_hash);
  assert.match(String(prev_hash), /^[0-9a-f]{64}$/);
  assert.match(String(recorded_at), /Z$/);
});

const PAGED = [
  ['', ['7.0', '6.0', '5.0', '4.2', '4.1', '4.0', '3.0', '2.1', '2.0', '1.1', '1.0']],
  ['&brand=bakery', ['6.0', '5.0', '4.2', '4.1', '4.0', '2.1', '2.0', '1.1', '1.0']],
  ['&brand=mill', ['7.0', '3.0']],
] as const;

for (const [brand, places] of PAGED) {
  test(`transactions are lines and changes, newest first: ${brand || 'hub'}`, async () => {
    assert.deepEqual(listPlaces(await ask(`/transactions?limit=200${brand}`)), places);
  });

  test(`pages of every size visit each transaction once: ${brand || 'hub'}`, async () => {
    for (const limit of [1, 2, 3, 4, 5]) {
      const walked: string[] = [];
      let before = '';
      for (;;) {
        const page = await ask(`/transactions?limit=${limit}${before}${brand}`);
        walked.push(...listPlaces(page));
        assert.equal(new Set(walked).size, walked.length, 'no page repeats a transaction');
        if (page['next'] === null) break;
        before = `&before=${String(page['next'])}`;
      }
      assert.deepEqual(walked, places, `limit ${limit}`);
    }
  });

  test(`an offset skips that many transactions, wherever it begins: ${brand || 'hub'}`, async () => {
    for (const [index, place] of places.entries()) {
      const offset = await ask(`/transactions?limit=2&offset=${index}${brand}`);
      const behind = await ask(`/transactions?limit=2&offset=1&before=${place}${brand}`);

      assert.deepEqual(listPlaces(offset), places.slice(index, index + 2));
      assert.deepEqual(listPlaces(behind), places.slice(index + 2, index + 4));
    }
  });
}

test('a change is a transaction with field and values, and the lot of its line', async () => {
  const { transactions } = await ask('/transactions?before=5&limit=3');

  const nothing = {
    occurred_at: null,
    location: null,
    reference: null,
    direction: null,
    quantity: null,
    unit: null,
    channel: null,
    supplier_name: null,
    origin_facility: null,
    supplier_lot_code: null,
  };
  const rows = transactions as unknown as readonly Record<string, unknown>[];
  const shown = rows.map(({ block_hash, recorded_at, ...rest }) => {
    assert.match(String(block_hash), /^[0-9a-f]{64}$/);
    assert.match(String(recorded_at), /Z$/);
    return rest;
  });
  const common = {
    height: 4,
    brand: 'bakery',
    event_type: 'CORRECTION',
    corrects_height: 1,
    ...nothing,
  };
  assert.deepEqual(shown, [
    {
      ...common,
      index: 2,
      lot_code: 'FLOUR-1',
      product_sku: 'FLOUR-T55',
      field: 'lines[0].supplier_name',
      to: 'Mill Brandt',
    },
    {
      ...common,
      index: 1,
      lot_code: 'SALT-1',
      product_sku: 'SALT',
      field: 'lines[1].quantity',
      from: '250.5',
      to: '240',
    },
    {
      ...common,
      index: 0,
      lot_code: null,
      product_sku: null,
      field: 'location',
      from: 'BAKERY-1',
      to: 'BAKERY-2',
    },
  ]);
});

test('lines of events are in the list as they were recorded, with the fields they always had', async () => {
  const { transactions } = await ask('/transactions?before=2.1&limit=1');

  const line = transactions![0 as never] as unknown as Record<string, unknown>;
  assert.equal(line['lot_code'], 'FLOUR-1');
  for (const key of ['field', 'from', 'to', 'corrects_height']) assert.ok(!(key in line), key);
  const { transactions: sealed } = await ask('/transactions?before=3.0&limit=1');
  assert.equal(sealed![0 as never]!['lot_code'], 'BREAD-1');
});

test('a corrected block and its correction name each other', async () => {
  const original = await ask('/block/1');
  const correction = await ask('/block/4');

  assert.deepEqual(original['corrected_by'], [{ height: 4, block_hash: correction['block_hash'] }]);
  assert.deepEqual([original['status'], original['corrected_by_count']], ['corrected', 1]);
  assert.ok(!('corrects_height' in original));
  assert.equal(correction['corrects_height'], 1);
  assert.equal(correction['corrects_hash'], original['block_hash']);
  assert.equal(correction['reason'], 'typing error at the dock');
  assert.deepEqual(correction['changes'], [
    { field: 'location', from: 'BAKERY-1', to: 'BAKERY-2' },
    { field: 'lines[1].quantity', from: '250.5', to: '240' },
    { field: 'lines[0].supplier_name', to: 'Mill Brandt' },
  ]);
  assert.deepEqual(correction['corrected_by'], []);
  assert.deepEqual(listPlaces(correction), ['4.0', '4.1', '4.2']);
});

test('a block that was not corrected, a voided one and genesis say so', async () => {
  const [genesis, accepted, voided] = [
    await ask('/block/0'),
    await ask('/block/6'),
    await ask('/block/3'),
  ];

  assert.ok(!('status' in genesis));
  assert.deepEqual([accepted['status'], accepted['corrected_by_count']], ['accepted', 0]);
  assert.equal(voided['status'], 'voided');
});

test('a correction of another brand is a 404 when a brand is asked for', async () => {
  const own = await fetch(`${hub.base}/public/explorer/block/7?brand=mill`);
  const other = await fetch(`${hub.base}/public/explorer/block/7?brand=bakery`);

  assert.deepEqual([own.status, other.status], [200, 404]);
});

test('a correction is found by its height and by its hash, in the hub and in its brand', async () => {
  const { block_hash: hash } = await ask('/block/4');

  for (const q of ['4', String(hash), String(hash).slice(0, 12)]) {
    const inHub = await ask(`/search?q=${q}`);
    const inBrand = await ask(`/search?q=${q}&brand=bakery`);
    const elsewhere = await ask(`/search?q=${q}&brand=mill`);

    assert.deepEqual(listHeights(inHub), [4], q);
    assert.deepEqual(listPlaces(inHub), ['4.0', '4.1', '4.2'], q);
    assert.deepEqual(listHeights(inBrand), [4], q);
    assert.deepEqual(listHeights(elsewhere), [], q);
  }
});

test('a lot is found with the corrections that concern it, by its code before and after', async () => {
  const before = await ask('/search?q=BREAD-1');
  const now = await ask('/search?q=BREAD-2');
  const salt = await ask('/search?q=SALT-1');

  assert.deepEqual(
    [listHeights(before), listPlaces(before)],
    [
      [5, 2],
      ['5.0', '2.1'],
    ],
  );
  assert.deepEqual([listHeights(now), listPlaces(now)], [[5, 2], ['5.0']]);
  assert.deepEqual(
    [listHeights(salt), listPlaces(salt)],
    [
      [4, 1],
      ['4.1', '1.1'],
    ],
  );
});

test('the blocks of a lot are those that concern it, and its relatives those that count', async () => {
  const before = await ask('/lot/BREAD-1');
  const now = await ask('/lot/BREAD-2');
  const salt = await ask('/lot/SALT-1');

  const listCodes = (answer: Json): readonly string[] =>
    (answer['related_lots'] as unknown as readonly { lot_code: string }[]).map(
      (lot) => lot.lot_code,
    );
  assert.deepEqual([listCodes(before), listHeights(before)], [['BREAD-1'], [5, 2]]);
  assert.deepEqual(
    [listCodes(now), listHeights(now)],
    [
      ['BREAD-2', 'FLOUR-1'],
      [6, 5, 4, 2, 1],
    ],
  );
  assert.deepEqual([listCodes(salt), listHeights(salt)], [['SALT-1'], [4, 1]]);
});

test('the blocks of a lot are paged through its corrections', async () => {
  const walked: number[] = [];
  let before = '';
  for (;;) {
    const page = await ask(`/lot/BREAD-2?limit=2${before}`);
    walked.push(...listHeights(page));
    assert.equal(new Set(walked).size, walked.length, 'no page repeats a block');
    if (page['next'] === null) break;
    before = `&before=${String(page['next'])}`;
  }

  assert.deepEqual(walked, [6, 5, 4, 2, 1]);
});

test('a correction whose text is nothing readable is listed and shown without an error', async () => {
  await using own = await boot();
  await fill(own);
  await tamper(own.database, "update blocks set canonical = '{}' where height = 4");

  const blocks = await ask('/blocks', own);
  const detail = await ask('/block/4', own);
  const original = await ask('/block/1', own);
  const transactions = await ask('/transactions', own);
  const search = await ask('/search?q=SALT-1', own);

  const item = (blocks['blocks'] as unknown as readonly Json[]).find(
    (one) => Number(one['height']) === 4,
  );
  assert.deepEqual([item!['event_type'], item!['intact']], ['UNREADABLE', false]);
  assert.deepEqual([detail['event_type'], detail['transactions']], ['UNREADABLE', []]);
  assert.equal(listHeights(original, 'corrected_by')[0], 4);
  assert.ok(!listPlaces(transactions).some((place) => place.startsWith('4.')));
  assert.ok(listHeights(search).includes(4));
});
