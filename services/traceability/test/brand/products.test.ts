// What consumers read about products: set, read, listed, removed, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../boot.ts';
import { PRODUCT, TestBrand, readHeight } from './test-brand.ts';

const hub = await openForFile(boot());

test('a new product is a 201 with its block, which says all of it', async () => {
  const brand = new TestBrand(hub);

  const answer = await brand.put('/v1/products/RYE-750', PRODUCT);

  assert.equal(answer.status, 201, answer.text);
  const { block_height, block_hash, updated_at, ...profile } = answer.json;
  assert.deepEqual(profile, { sku: 'RYE-750', ...PRODUCT, picture: null });
  assert.match(String(block_hash), /^[0-9a-f]{64}$/);
  const { decision, summary } = await brand.decision(block_height);
  assert.deepEqual(decision, {
    about: 'product',
    at: updated_at,
    changed: ['gtin', 'names'],
    sku: 'RYE-750',
    state: PRODUCT,
  });
  assert.equal(summary, `Product RYE-750 of ${brand.id}: gtin, names changed`);
  assert.deepEqual((await brand.get('/v1/products/RYE-750')).json, answer.json);
});

test('the same again seals nothing, another text does, and says what changed', async () => {
  const brand = new TestBrand(hub);
  const first = await brand.put('/v1/products/RYE', PRODUCT);
  const height = await readHeight(hub);

  const again = await brand.put('/v1/products/RYE', PRODUCT);
  const unchanged = await readHeight(hub);
  const other = await brand.put('/v1/products/RYE', { names: PRODUCT.names });

  assert.equal(again.status, 200);
  assert.deepEqual(again.json, first.json);
  assert.equal(unchanged, height);
  assert.equal(other.status, 200);
  assert.equal(other.json['gtin'], null);
  const { decision } = await brand.decision(other.json['block_height']);
  assert.deepEqual(decision['changed'], ['gtin']);
  assert.deepEqual(decision['state'], { names: PRODUCT.names });
});

test('a removal is a block of its own, and then there is nothing to read', async () => {
  const brand = new TestBrand(hub);
  await brand.put('/v1/products/RYE', PRODUCT);

  const removed = await brand.remove('/v1/products/RYE');

  assert.equal(removed.status, 200, removed.text);
  assert.equal(removed.json['removed'], true);
  const { decision, summary } = await brand.decision(removed.json['block_height']);
  const { at: _at, ...said } = decision;
  assert.deepEqual(said, { about: 'product', removed: true, sku: 'RYE' });
  assert.equal(summary, `Product RYE of ${brand.id}: removed`);
  const detail = 'No product of this SKU has a profile';
  for (const gone of [
    await brand.get('/v1/products/RYE'),
    await brand.remove('/v1/products/RYE'),
    await brand.remove('/v1/products/RYE/picture'),
  ]) {
    assert.deepEqual([gone.status, gone.json], [404, { detail }]);
  }
  assert.equal((await brand.put('/v1/products/RYE', PRODUCT)).status, 201);
});

test('language tags are kept in their canonical form', async () => {
  const brand = new TestBrand(hub);
  const names = { 'pt-br': 'Pão', 'ZH-hans-cn': '面包' };

  const answer = await brand.put('/v1/products/RYE', { names });

  assert.deepEqual(answer.json['names'], { 'pt-BR': 'Pão', 'zh-Hans-CN': '面包' });
});

test('products of one brand are none of another one', async () => {
  const brand = new TestBrand(hub);
  await brand.put('/v1/products/RYE', PRODUCT);
  const other = new TestBrand(hub);

  assert.equal((await other.get('/v1/products/RYE')).status, 404);
  assert.equal((await other.remove('/v1/products/RYE')).status, 404);
  assert.equal((await other.get('/v1/products')).json['total'], 0);
  // A GTIN is a claim.
  assert.equal((await other.put('/v1/products/RYE', PRODUCT)).status, 201);
});

test('the list goes through all products by SKU, page by page', async () => {
  const brand = new TestBrand(hub);
  for (const sku of ['C', 'a/b', 'B']) {
    await brand.put(`/v1/products/${encodeURIComponent(sku)}`, PRODUCT);
  }

  const first = await brand.get('/v1/products?limit=2');
  const after = encodeURIComponent(String(first.json['next']));
  const second = await brand.get(`/v1/products?limit=2&after=${after}`);

  const listSkus = (page: typeof first): readonly unknown[] =>
    Object.values(page.json['products']!).map((product) => product['sku']);
  assert.deepEqual([listSkus(first), first.json['total']], [['B', 'C'], 3]);
  assert.deepEqual([listSkus(second), second.json['next']], [['a/b'], null]);
  assert.deepEqual(second.json['products']![0], (await brand.get('/v1/products/a%2Fb')).json);
});

const TEXT_201 = 'x'.repeat(201);
const NAMES_51 = Object.fromEntries(
  Array.from({ length: 51 }, (_, index) => [`en-x-n${index}`, 'Rye']),
);
const REFUSED: readonly (readonly [string, unknown, readonly string[], string])[] = [
  ['no names', { gtin: null }, ['body', 'names'], 'missing'],
  ['names of no language', { names: {} }, ['body', 'names'], 'too_short'],
  ['more than 50 languages', { names: NAMES_51 }, ['body', 'names'], 'too_long'],
  ['no language tag', { names: { '1': 'Rye' } }, ['body', 'names', '1'], 'language_tag'],
  ['one language twice', { names: { en: 'A', EN: 'B' } }, ['body', 'names', 'EN'], 'language_tag'],
  ['an empty name', { names: { en: '' } }, ['body', 'names', 'en'], 'string_too_short'],
  ['a long name', { names: { en: TEXT_201 } }, ['body', 'names', 'en'], 'string_too_long'],
  ['a name that is none', { names: { en: 1 } }, ['body', 'names', 'en'], 'string_type'],
  ['a short GTIN', { ...PRODUCT, gtin: '123' }, ['body', 'gtin'], 'string_pattern_mismatch'],
  ['a wrong digit', { ...PRODUCT, gtin: '4006381333932' }, ['body', 'gtin'], 'check_digit'],
  ['an unknown field', { ...PRODUCT, colour: 'red' }, ['body', 'colour'], 'extra_forbidden'],
];

for (const [what, body, loc, type] of REFUSED) {
  test(`a product with ${what} is a 422`, async () => {
    const brand = new TestBrand(hub);
    const height = await readHeight(hub);

    const answer = await brand.put('/v1/products/RYE', body);

    assert.equal(answer.status, 422, answer.text);
    const [error] = Object.values(answer.json['detail']!);
    assert.deepEqual([error?.['loc'], error?.['type']], [loc, type]);
    assert.equal(await readHeight(hub), height);
  });
}

test('a SKU that no event could have is a 422', async () => {
  const brand = new TestBrand(hub);

  for (const [sku, type] of [
    ['%20RYE', 'code_invalid'],
    ['x'.repeat(101), 'string_too_long'],
  ] as const) {
    const answer = await brand.put(`/v1/products/${sku}`, PRODUCT);

    assert.equal(answer.status, 422, answer.text);
    const [error] = Object.values(answer.json['detail']!);
    assert.deepEqual([error?.['loc'], error?.['type']], [['path', 'sku'], type]);
  }
});
