// /public/explorer/*, from docs/interface/traceability.md#explorer.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, valueAt } from '../boot.ts';
import { tamper } from '../ledger.ts';

interface BlockItem {
  readonly height: number;
  readonly block_hash: string;
  readonly prev_hash: string;
  readonly brand: string | null;
  readonly event_type: string;
  readonly canonical: string;
  readonly tx_count: number;
  readonly intact: boolean;
}

interface Transaction {
  readonly height: number;
  readonly index: number;
  readonly lot_code: string;
  readonly reference: string;
  readonly brand: string;
}

interface LotHit {
  readonly lot_code: string;
  readonly brand: string;
  readonly product_sku: string;
}

/** All that any explorer answer may hold. */
interface Body {
  readonly blocks: readonly BlockItem[];
  readonly transactions: readonly Transaction[];
  readonly lots: readonly LotHit[];
  readonly next: number | string | null;
  readonly stats: Readonly<Record<string, unknown>>;
  readonly latest_blocks: readonly BlockItem[];
  readonly latest_transactions: readonly Transaction[];
  readonly related_lots: readonly {
    readonly lot_code: string;
    readonly relation: string;
    readonly distance: number;
  }[];
  readonly detail: readonly { readonly loc: readonly string[] }[];
}

/** Asks as anybody may: without a key. */
async function ask(path: string, service = hub): Promise<Body & { readonly status: number }> {
  const response = await fetch(`${service.base}/public/explorer${path}`);
  return { ...((await response.json()) as Body), status: response.status };
}

const bread = (changes: object = {}) =>
  aLine({ lot_code: 'BREAD-1', product_sku: 'RYE', direction: 'out', quantity: 160, ...changes });

/** Heights 1 to 14. The bakery records all of them but number 3, which the mill does. */
const EVENTS: readonly (readonly [string, object])[] = [
  [
    'bakery',
    anEvent({
      reference: 'PO-1',
      lines: [
        aLine({ supplier_name: 'Mill Brandt', supplier_lot_code: 'BR-118' }),
        aLine({ lot_code: 'SALT-1', product_sku: 'SALT', quantity: 5 }),
      ],
    }),
  ],
  [
    'bakery',
    anEvent({ event_type: 'PRODUCE', reference: 'WO-1', notes: 'dark', lines: [aLine(), bread()] }),
  ],
  ['mill', anEvent({ reference: 'PO-1', lines: [aLine({ product_sku: 'RYE-FLOUR' })] })],
  [
    'bakery',
    anEvent({
      event_type: 'SELL',
      reference: 'S-1',
      notes: 'regular of the house',
      lines: [bread({ channel: 'Supermarket Kranz', customer_ref: 'CUST-4711' })],
    }),
  ],
  ...Array.from(
    { length: 10 },
    (_, index) =>
      [
        'bakery',
        anEvent({
          event_type: 'TRANSFER',
          reference: `T-${index}`,
          lines: [aLine({ lot_code: 'SUGAR-1' }), aLine({ lot_code: 'SUGAR-1', direction: 'out' })],
        }),
      ] as const,
  ),
];
const TIP = EVENTS.length;

const hub = await openForFile(boot());
before(async () => {
  for (const [tenantId, event] of EVENTS) {
    const { status, text } = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenantId });
    assert.equal(status, 201, text);
  }
});

const listHeights = (blocks: readonly BlockItem[]): readonly number[] =>
  blocks.map((block) => block.height);
const listPlaces = (transactions: readonly Transaction[]): readonly string[] =>
  transactions.map((transaction) => `${transaction.height}.${transaction.index}`);

test('the overview has the counts of the hub and the ten latest blocks and transactions', async () => {
  const { stats, latest_blocks, latest_transactions } = await ask('');
  const { blocks } = await ask('/blocks?limit=200');

  const { verified_through, verified_at, ...counts } = stats;
  assert.deepEqual(counts, {
    chain_id: blocks.at(-1)!.block_hash,
    height: TIP,
    tip_hash: blocks[0]!.block_hash,
    blocks: TIP + 1,
    transactions: 26,
    lots: 5,
    brands: 2,
    chain_valid: true,
  });
  assert.equal(typeof verified_through, 'number');
  assert.ok(verified_at === null || typeof verified_at === 'string');
  assert.deepEqual(listHeights(latest_blocks), [14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  assert.equal(latest_transactions.length, 10);
  assert.deepEqual(listPlaces(latest_transactions.slice(0, 3)), ['14.1', '14.0', '13.1']);
});

test('with a brand the overview has its own counts, blocks and transactions', async () => {
  const { stats, latest_blocks, latest_transactions } = await ask('?brand=mill');

  assert.deepEqual(
    [stats['blocks'], stats['transactions'], stats['lots'], stats['brands'], stats['height']],
    [1, 1, 1, 1, TIP],
  );
  assert.deepEqual(listHeights(latest_blocks), [3]);
  assert.deepEqual(listPlaces(latest_transactions), ['3.0']);
});

test('a brand that nobody is has empty lists and zero counts', async () => {
  const overview = await ask('?brand=nobody');
  const blocks = await ask('/blocks?brand=nobody');
  const transactions = await ask('/transactions?brand=nobody');
  const search = await ask('/search?q=1&brand=nobody');

  assert.deepEqual(
    ['blocks', 'transactions', 'lots', 'brands'].map((key) => overview.stats[key]),
    [0, 0, 0, 0],
  );
  assert.deepEqual(overview.latest_blocks, []);
  assert.deepEqual([blocks.blocks, blocks.next], [[], null]);
  assert.deepEqual([transactions.transactions, transactions.next], [[], null]);
  assert.deepEqual([search.blocks, search.transactions, search.lots], [[], [], []]);
});

test('the list of blocks holds the whole chain, newest first, down to genesis', async () => {
  const { blocks, next } = await ask('/blocks');

  assert.deepEqual(
    listHeights(blocks),
    Array.from({ length: TIP + 1 }, (_, index) => TIP - index),
  );
  assert.equal(next, null);
  const genesis = blocks.at(-1)!;
  assert.equal(genesis.brand, null);
  assert.equal(genesis.event_type, 'GENESIS');
  assert.equal(genesis.prev_hash, '0'.repeat(64));
  assert.equal(genesis.tx_count, 0);
});

test('a client can hash every block of the list and follow every link', async () => {
  const { blocks } = await ask('/blocks?limit=200');

  for (const [index, block] of blocks.entries()) {
    const hash = createHash('sha256').update(block.canonical, 'utf8').digest('hex');
    assert.equal(hash, block.block_hash);
    assert.equal(block.intact, true);
    const older = blocks[index + 1];
    if (older !== undefined) assert.equal(block.prev_hash, older.block_hash);
  }
});

test('a block of the list says who recorded what', async () => {
  const { blocks } = await ask('/blocks?before=3&limit=1');

  const { canonical, block_hash, prev_hash, recorded_at, ...rest } = blocks[0] as BlockItem & {
    readonly recorded_at: string;
  };
  assert.deepEqual(rest, {
    height: 2,
    brand: 'bakery',
    event_type: 'PRODUCE',
    tx_count: 2,
    summary: 'PRODUCE at BAKERY-1, ref WO-1: 1 in, 1 out (FLOUR-1 -> BREAD-1)',
    intact: true,
  });
  assert.match(block_hash, /^[0-9a-f]{64}$/);
  assert.ok(canonical.includes(`"recorded_at":"${recorded_at}"`));
  assert.ok(canonical.endsWith(`"prev_hash":"${prev_hash}"}`));
});

for (const brand of ['', '&brand=bakery']) {
  test(`following next visits every block once: ${brand || 'hub'}`, async () => {
    const whole = await ask(`/blocks?limit=200${brand}`);
    const walked: number[] = [];

    for (let before: number | string | null = ''; before !== null;) {
      const page = await ask(`/blocks?limit=4${before === '' ? '' : `&before=${before}`}${brand}`);
      walked.push(...listHeights(page.blocks));
      before = page.next;
    }

    assert.deepEqual(walked, listHeights(whole.blocks));
    assert.equal(walked.length, brand === '' ? 15 : 13);
  });

  test(`following next visits every transaction once: ${brand || 'hub'}`, async () => {
    const whole = await ask(`/transactions?limit=200${brand}`);
    const walked: string[] = [];

    for (let before: number | string | null = ''; before !== null;) {
      const from = before === '' ? '' : `&before=${before}`;
      const page = await ask(`/transactions?limit=3${from}${brand}`);
      walked.push(...listPlaces(page.transactions));
      before = page.next;
    }

    assert.deepEqual(walked, listPlaces(whole.transactions));
    assert.equal(walked.length, brand === '' ? 26 : 25);
  });

  test(`an offset skips that many: ${brand || 'hub'}`, async () => {
    const blocks = await ask(`/blocks?limit=200${brand}`);
    const transactions = await ask(`/transactions?limit=200${brand}`);

    const laterBlocks = await ask(`/blocks?limit=3&offset=5${brand}`);
    const laterTransactions = await ask(`/transactions?limit=3&offset=5${brand}`);
    const beyond = await ask(`/blocks?offset=9000${brand}`);

    assert.deepEqual(laterBlocks.blocks, blocks.blocks.slice(5, 8));
    assert.deepEqual(laterTransactions.transactions, transactions.transactions.slice(5, 8));
    assert.deepEqual([beyond.blocks, beyond.next], [[], null]);
  });
}

test('a transaction is one line of an event, with public fields only', async () => {
  const { transactions } = await ask('/transactions?before=2.0&limit=1');
  const sale = await ask('/transactions?before=5&limit=1');

  const { block_hash, recorded_at, ...salt } = transactions[0] as Transaction & {
    readonly block_hash: string;
    readonly recorded_at: string;
  };
  assert.deepEqual(salt, {
    height: 1,
    index: 1,
    brand: 'bakery',
    event_type: 'RECEIVE',
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-1',
    reference: 'PO-1',
    lot_code: 'SALT-1',
    product_sku: 'SALT',
    direction: 'in',
    quantity: 5,
    unit: 'kg',
    channel: null,
    supplier_name: null,
    origin_facility: null,
    supplier_lot_code: null,
  });
  assert.match(block_hash, /^[0-9a-f]{64}$/);
  assert.match(recorded_at, /Z$/);
  assert.equal((sale.transactions[0] as unknown as { channel: string }).channel, 'retail');
});

test('a block is shown in detail with its transactions', async () => {
  const response = await fetch(`${hub.base}/public/explorer/block/2`);
  const block = (await response.json()) as BlockItem & Body & { readonly corrected_by: unknown };

  assert.equal(response.status, 200);
  assert.equal(block.height, 2);
  assert.equal(createHash('sha256').update(block.canonical).digest('hex'), block.block_hash);
  assert.deepEqual(listPlaces(block.transactions), ['2.0', '2.1']);
  assert.deepEqual(block.corrected_by, []);
});

test('a height that does not exist is a 404, also one beyond any chain', async () => {
  assert.equal((await ask('/block/15')).status, 404);
  assert.equal((await ask('/block/9007199254740991')).status, 404);
});

test('a block of another brand is a 404 when a brand is asked for', async () => {
  assert.equal((await ask('/block/3?brand=mill')).status, 200);
  assert.equal((await ask('/block/3?brand=bakery')).status, 404);
  assert.equal((await ask('/block/0?brand=bakery')).status, 404);
});

test('a search for a number finds the block of that height and its transactions', async () => {
  const { blocks, transactions } = await ask('/search?q=2');

  assert.deepEqual(listHeights(blocks), [2]);
  assert.deepEqual(listPlaces(transactions), ['2.0', '2.1']);
});

test('a search for four or more digits of a hash finds the block, in either case', async () => {
  const { blocks } = await ask('/blocks?limit=1');
  const hash = blocks[0]!.block_hash;

  const short = await ask(`/search?q=${hash.slice(0, 10)}`);
  const upper = await ask(`/search?q=${hash.toUpperCase()}`);
  const tooShort = await ask(`/search?q=${hash.slice(0, 3)}zz`);

  assert.deepEqual(listHeights(short.blocks), [TIP]);
  assert.deepEqual(listHeights(upper.blocks), [TIP]);
  assert.deepEqual(tooShort.blocks, []);
});

test('a search for the start of a lot code finds lots, their lines and their blocks', async () => {
  const { lots, transactions, blocks } = await ask('/search?q=BREA');

  assert.deepEqual(lots, [{ lot_code: 'BREAD-1', brand: 'bakery', product_sku: 'RYE' }]);
  assert.deepEqual(listPlaces(transactions), ['4.0', '2.1']);
  assert.deepEqual(listHeights(blocks), [4, 2]);
});

test('a search for a lot code distinguishes case and does not find it in the middle', async () => {
  const lower = await ask('/search?q=bread');
  const middle = await ask('/search?q=READ');

  assert.deepEqual([lower.lots, lower.transactions], [[], []]);
  assert.deepEqual([middle.lots, middle.transactions], [[], []]);
});

test('a search for a reference finds the exact one first, then those that start with it', async () => {
  const exact = await ask('/search?q=T-3');
  const prefix = await ask('/search?q=T-');

  assert.deepEqual(listHeights(exact.blocks), [8]);
  assert.deepEqual(listPlaces(exact.transactions), ['8.0', '8.1']);
  assert.equal(prefix.blocks.length, 10);
  assert.equal(prefix.transactions.length, 20);
});

test('a search in a brand finds only what is its own', async () => {
  const code = await ask('/search?q=FLOUR-1&brand=mill');
  const reference = await ask('/search?q=PO-1&brand=mill');
  const height = await ask('/search?q=2&brand=mill');
  const { blocks } = await ask('/blocks?before=3&limit=1');
  const hash = await ask(`/search?q=${blocks[0]!.block_hash}&brand=mill`);
  const ownHash = await ask(`/search?q=${blocks[0]!.block_hash}&brand=bakery`);

  assert.deepEqual(
    code.lots.map((lot) => lot.brand),
    ['mill'],
  );
  assert.deepEqual(listPlaces(code.transactions), ['3.0']);
  assert.deepEqual(listHeights(reference.blocks), [3]);
  assert.deepEqual(height.blocks, []);
  assert.deepEqual(hash.blocks, []);
  assert.deepEqual(listHeights(ownHash.blocks), [2]);
});

test('a search with wildcards, quotes and other bait finds nothing and breaks nothing', async () => {
  for (const bait of ['%', '_', "'", "' or 1=1 --", '*', '\\', '😀', '\u{10ffff}', '-1', '1e3']) {
    const { status, lots, blocks } = await ask(`/search?q=${encodeURIComponent(bait)}`);

    assert.deepEqual([status, lots, blocks], [200, [], []], bait);
  }
});

test('a search for nothing is a 422 that names q', async () => {
  const missing = await ask('/search');
  const empty = await ask('/search?q=');

  assert.deepEqual([missing.status, missing.detail[0]!.loc], [422, ['query', 'q']]);
  assert.deepEqual([empty.status, empty.detail[0]!.loc], [422, ['query', 'q']]);
});

test('the chain of a lot holds its relatives and their blocks, newest first', async () => {
  const { related_lots, blocks, next } = await ask('/lot/BREAD-1');
  const flour = await ask('/lot/FLOUR-1');

  assert.deepEqual(
    related_lots.map((lot) => `${lot.lot_code} ${lot.relation} ${lot.distance}`),
    ['BREAD-1 self 0', 'FLOUR-1 upstream 1'],
  );
  assert.deepEqual([listHeights(blocks), next], [[4, 2, 1], null]);
  assert.deepEqual(
    flour.related_lots.map((lot) => `${lot.lot_code} ${lot.relation}`),
    ['FLOUR-1 self', 'BREAD-1 downstream'],
  );
});

test('the chain of a lot is paged', async () => {
  const first = await ask('/lot/BREAD-1?limit=2');
  const second = await ask(`/lot/BREAD-1?limit=2&before=${first.next}`);

  assert.deepEqual([listHeights(first.blocks), first.next], [[4, 2], 2]);
  assert.deepEqual([listHeights(second.blocks), second.next], [[1], null]);
});

test('the chain of a lot of several brands is that of the first, or of the brand asked for', async () => {
  const first = await ask('/lot/FLOUR-1');
  const mill = await ask('/lot/FLOUR-1?brand=mill');

  assert.deepEqual(listHeights(first.blocks), [4, 2, 1]);
  assert.deepEqual(listHeights(mill.blocks), [3]);
});

test('the chain of an unknown lot is a 404', async () => {
  assert.equal((await ask('/lot/NOBODY-1')).status, 404);
  assert.equal((await ask('/lot/BREAD-1?brand=mill')).status, 404);
});

const BAD_PAGES = [
  ['limit', '/blocks?limit=0'],
  ['limit', '/blocks?limit=201'],
  ['limit', '/transactions?limit=x'],
  ['before', '/blocks?before=-1'],
  ['before', '/transactions?before=1.2.3'],
  ['offset', '/blocks?offset=-1'],
  ['offset', '/transactions?offset=10001'],
  ['brand', '/blocks?brand=a%20b'],
  ['limit', '/lot/BREAD-1?limit=201'],
] as const;

for (const [field, path] of BAD_PAGES) {
  test(`${path} is a 422 that names ${field}`, async () => {
    const { status, detail } = await ask(path);

    assert.equal(status, 422);
    assert.deepEqual(detail[0]!.loc, ['query', field]);
  });
}

test('private words of a sale are in no answer of the explorer', async () => {
  const paths = [
    '',
    '/blocks',
    '/transactions',
    '/block/4',
    '/lot/BREAD-1',
    '/search?q=4',
    '/search?q=CUST',
    '/search?q=Supermarket',
  ];
  const texts = await Promise.all(
    paths.map(async (path) => (await fetch(`${hub.base}/public/explorer${path}`)).text()),
  );

  for (const word of ['CUST-4711', 'Kranz', 'regular of the house', 'customer_ref']) {
    assert.deepEqual(
      texts.map((text) => text.includes(word)),
      paths.map(() => false),
      word,
    );
  }
});

test('a changed block is shown as it is stored, marked, and the chain is not valid', async () => {
  await using own = await boot();
  await own.post('/v1/events', anEvent());
  await own.post('/v1/events', anEvent());
  await tamper(
    own.database,
    "update blocks set canonical = replace(canonical, '250.5', '260.5') where height = 1",
  );

  const { blocks } = await ask('/blocks', own);
  const { stats } = await ask('', own);
  const { json: health } = await own.call('/health');

  assert.deepEqual(
    blocks.map((block) => [block.height, block.intact]),
    [
      [2, true],
      [1, false],
      [0, true],
    ],
  );
  assert.match(blocks[1]!.canonical, /260\.5/);
  assert.equal(stats['chain_valid'], false);
  assert.equal(valueAt(health, 'chain', 'chain_valid'), false);
  assert.equal(valueAt(health, 'chain', 'first_bad_height'), 1);
});

test('a block whose text is nothing readable is listed, shown and searched without an error', async () => {
  await using own = await boot();
  await own.post('/v1/events', anEvent());
  await tamper(own.database, "update blocks set canonical = 'x' where height = 1");

  const list = await ask('/blocks', own);
  const detail = await ask('/block/1', own);
  const transactions = await ask('/transactions', own);
  const search = await ask('/search?q=FLOUR-1', own);
  const lot = await ask('/lot/FLOUR-1', own);

  assert.deepEqual(
    [list, detail, transactions, search, lot].map((answer) => answer.status),
    [200, 200, 200, 200, 200],
  );
  assert.equal(list.blocks[0]!.event_type, 'UNREADABLE');
  assert.equal(list.blocks[0]!.canonical, 'x');
  assert.deepEqual(transactions.transactions, []);
});

test('a page of very large blocks ends early and goes on at next', async () => {
  await using own = await boot();
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    aLine({ lot_code: `LOT-${index}-${'x'.repeat(80)}`, product_sku: 'y'.repeat(100) }),
  );
  const events = Array.from({ length: 18 }, () => anEvent({ lines }));
  for (const event of events) {
    const { status } = await own.post('/v1/events', event);
    assert.equal(status, 201);
  }

  const first = await ask('/blocks?limit=200', own);
  const second = await ask(`/blocks?limit=200&before=${first.next}`, own);

  assert.ok(first.blocks.length < 18);
  assert.equal(first.next, first.blocks.at(-1)!.height);
  assert.deepEqual(listHeights([...first.blocks, ...second.blocks]).length, 19);
  assert.equal(second.next, null);
});
