// Blocks of decisions as the public sees them: in the explorer, on pages, of a lot and in its evidence.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, valueAt } from '../boot.ts';

/** A lot code that a page would run, if it did not escape it. */
const HOSTILE = '<script>alert(1)</script>';
const HOLD = { reason: 'smells of mould', by: 'Jane Miller' };
const BAKERY = { 'X-Tenant-Id': 'bakery' };

const hub = await openForFile(boot());
before(async () => {
  const lines = ['FLOUR-1', HOSTILE].map((lotCode) => aLine({ lot_code: lotCode }));
  await hub.post('/v1/events', anEvent({ lines }), BAKERY);
  await hub.post('/v1/lots/FLOUR-1/hold', HOLD, BAKERY);
  await hub.post('/v1/lots/FLOUR-1/release', HOLD, BAKERY);
  await hub.post(`/v1/lots/${encodeURIComponent(HOSTILE)}/hold`, HOLD, BAKERY);
});

interface Item {
  readonly height: number;
  readonly block_hash: string;
  readonly canonical: string;
  readonly brand: string;
  readonly event_type: string;
  readonly summary: string;
  readonly tx_count: number;
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(hub.base + path);
  assert.equal(answer.status, 200);
  return await answer.json();
}

async function page(path: string): Promise<string> {
  const answer = await fetch(hub.base + path);
  assert.equal(answer.status, 200);
  return await answer.text();
}

function listItems(body: unknown): readonly Item[] {
  return valueAt(body, 'blocks') as readonly Item[];
}

test('a block of a decision names its type, its brand and what was decided', async () => {
  const [newest, released, held] = listItems(await ask('/public/explorer/blocks'));

  assert.deepEqual(
    [newest, released, held].map((one) => [
      one?.height,
      one?.event_type,
      one?.brand,
      one?.tx_count,
      one?.summary,
    ]),
    [
      [4, 'HOLD', 'bakery', 0, `Lot ${HOSTILE} of bakery held`],
      [3, 'HOLD', 'bakery', 0, 'Lot FLOUR-1 of bakery released'],
      [2, 'HOLD', 'bakery', 0, 'Lot FLOUR-1 of bakery held'],
    ],
  );
});

test('one block of a decision shows its public content and no transaction', async () => {
  const block = await ask('/public/explorer/block/2');

  const { at, committed, ...decision } = valueAt(block, 'decision') as Record<string, unknown>;
  const { payload } = JSON.parse(String(valueAt(block, 'canonical'))) as {
    readonly payload: { readonly decision: unknown };
  };
  assert.deepEqual(decision, { lots: ['FLOUR-1'], state: 'held' });
  assert.deepEqual(payload.decision, { at, committed, ...decision });
  assert.deepEqual(Object.keys(committed as object), ['by', 'reason']);
  assert.deepEqual(valueAt(block, 'transactions'), []);
});

test('decisions are among the blocks of their brand, and change no other figure', async () => {
  const own = listItems(await ask('/public/explorer/blocks?brand=bakery'));
  const paged = listItems(await ask('/public/explorer/blocks?brand=bakery&limit=1&before=4'));
  const stats = valueAt(await ask('/public/explorer?brand=bakery'), 'stats');
  const block = await fetch(`${hub.base}/public/explorer/block/2?brand=mill`);
  const transactions = await ask('/public/explorer/transactions');

  assert.deepEqual(
    own.map(({ height }) => height),
    [4, 3, 2, 1],
  );
  assert.deepEqual(
    paged.map(({ height }) => height),
    [3],
  );
  assert.deepEqual(
    ['blocks', 'transactions', 'lots'].map((name) => valueAt(stats, name)),
    [4, 2, 2],
  );
  assert.equal(block.status, 404);
  assert.equal((valueAt(transactions, 'transactions') as readonly unknown[]).length, 2);
});

for (const [q, heights] of [
  ['HOLD', [4, 3, 2]],
  ['hold', [4, 3, 2]],
  ['3', [3]],
] as const) {
  test(`a search for ${q} finds decisions`, async () => {
    const found = listItems(await ask(`/public/explorer/search?q=${q}`));
    const ofBrand = listItems(await ask(`/public/explorer/search?q=${q}&brand=bakery`));
    const ofOther = listItems(await ask(`/public/explorer/search?q=${q}&brand=mill`));

    assert.deepEqual(
      found.map(({ height }) => height),
      heights,
    );
    assert.deepEqual(ofBrand, found);
    assert.deepEqual(ofOther, []);
  });
}

test('a lot says what was decided about it, each with its block, and proves it', async () => {
  const lot = await ask('/public/verify/FLOUR-1');

  const decisions = valueAt(lot, 'decisions') as readonly Record<string, unknown>[];
  const [, held] = listItems(await ask('/public/explorer/blocks?before=4'));
  assert.deepEqual(
    decisions.map((one) => [one['type'], one['summary'], one['block_height']]),
    [
      ['HOLD', 'Lot FLOUR-1 of bakery held', 2],
      ['HOLD', 'Lot FLOUR-1 of bakery released', 3],
    ],
  );
  assert.equal(decisions[0]?.['block_hash'], held?.block_hash);
  assert.deepEqual(
    (valueAt(lot, 'proof') as readonly Item[]).map(({ height }) => height),
    [1, 2, 3],
  );
  assert.equal(valueAt(lot, 'verified'), true);
});

test('the chain of a lot has the decisions about it, also those made since it was asked for', async () => {
  await hub.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'RYE-1' })] }), BAKERY);
  const before = listItems(await ask('/public/explorer/lot/RYE-1'));
  await hub.post('/v1/lots/RYE-1/hold', HOLD, BAKERY);

  const after = listItems(await ask('/public/explorer/lot/RYE-1'));
  const [last] = listItems(await ask('/public/explorer/lot/RYE-1?limit=1'));

  assert.equal(before.length, 1);
  assert.deepEqual(
    after.map(({ event_type: type }) => type),
    ['HOLD', 'RECEIVE'],
  );
  assert.deepEqual(last, after[0]);
});

test('the evidence of a lot has the blocks of decisions about it', async () => {
  const evidence = await ask('/public/verify/FLOUR-1/evidence');

  const blocks = valueAt(evidence, 'blocks') as readonly { readonly index: number }[];
  assert.deepEqual(
    blocks.map(({ index }) => index),
    [0, 1, 2, 3],
  );
});

test('pages say a decision in words, link the lots it names and run nothing of it', async () => {
  const list = await page('/explorer');
  const block = await page('/explorer/block/2');
  const hostile = await page('/explorer/block/4');
  const lot = await page('/lot/FLOUR-1');
  const search = await page('/explorer/search?q=hold');

  assert.match(list, /Lot <code>FLOUR-1<\/code> put on hold/);
  assert.match(block, /What was decided/);
  assert.match(block, /href="\/lot\/FLOUR-1\?brand=bakery"/);
  assert.match(block, /<code>by<\/code>, <code>reason<\/code>/);
  assert.match(lot, /Decisions about this lot/);
  assert.match(lot, /Lot <code>FLOUR-1<\/code> released/);
  assert.match(search, /Lot <code>FLOUR-1<\/code> put on hold/);
  for (const text of [list, hostile, search]) assert.doesNotMatch(text, /<script>alert/);
  for (const text of [list, block, hostile, lot]) assert.doesNotMatch(text, /Jane Miller|mould/);
});

test('a lot whose decision was changed behind the back of the hub is not verified', async () => {
  await using other = await boot();
  await other.post('/v1/events', anEvent({ lines: [aLine({ lot_code: 'L' })] }));
  await other.post('/v1/lots/L/hold', HOLD);
  await other.database.change(
    `update blocks set canonical = replace(canonical, '"held"', '"HELD"') where height = 2`,
  );

  const answer = await other.call('/public/verify/L');

  assert.equal(valueAt(answer.json, 'verified'), false);
  assert.deepEqual(valueAt(answer.json, 'decisions'), []);
});
