// The profiles of products and places, in public answers and on pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, valueAt, type Answer } from '../boot.ts';
import { PLACE, PRODUCT, TestBrand } from '../brand/test-brand.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { pngSaying } from '../brand/pictures.ts';

const LOT = 'BREAD-1';
const hub = await openForFile(boot());

/** A brand with one lot of RYE, received at BAKERY-1. */
async function newBrand(): Promise<TestBrand> {
  const brand = new TestBrand(hub);
  const lines = [aLine({ lot_code: LOT, product_sku: 'RYE' })];
  const event = anEvent({ lines, location: 'BAKERY-1' });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': brand.id });
  assert.equal(answer.status, 201, answer.text);
  return brand;
}

function verify(brand: TestBrand, headers: Record<string, string> = {}): Promise<Answer> {
  return hub.call(`/public/verify/${LOT}?brand=${brand.id}`, { headers });
}

async function page(path: string, language: string): Promise<string> {
  const answer = await fetch(hub.base + path, { headers: { 'Accept-Language': language } });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('vary') ?? '', /accept-language/i);
  return (await answer.text()).replace(/\s+/g, ' ');
}

test('a lot has the profile of its product, each step the profile of its place', async () => {
  const brand = await newBrand();
  const without = await verify(brand);
  await brand.put('/v1/products/RYE', PRODUCT);
  await brand.put('/v1/places/BAKERY-1', PLACE);

  const { json } = await verify(brand);

  assert.equal('product' in without.json, false);
  assert.equal('place' in (valueAt(without.json, 'steps', 0) as object), false);
  assert.deepEqual(json['product'], { sku: 'RYE', ...PRODUCT, picture_url: null });
  assert.deepEqual(valueAt(json, 'steps', 0, 'place'), PLACE);
  assert.equal(valueAt(json, 'steps', 0, 'location'), 'BAKERY-1');
  assert.equal(valueAt(json, 'lot', 'product_sku'), 'RYE');
});

test('a picture is named by the address that serves it', async () => {
  const brand = await newBrand();
  await brand.put('/v1/products/RYE', PRODUCT);
  const picture = await brand.picture('RYE', pngSaying('rye'));

  const { json } = await verify(brand);

  assert.equal(picture.status, 200, picture.text);
  assert.equal(valueAt(json, 'product', 'picture_url'), valueAt(picture.json, 'picture', 'url'));
});

test('the profile of one brand is not that of the product of another', async () => {
  const brand = await newBrand();
  const other = await newBrand();
  await other.put('/v1/products/RYE', PRODUCT);
  await other.put('/v1/places/BAKERY-1', PLACE);

  const { json } = await verify(brand);

  assert.equal('product' in json, false);
  assert.equal('place' in (valueAt(json, 'steps', 0) as object), false);
});

test('a name that is set, changed or removed makes a kept answer another one at once', async () => {
  const brand = await newBrand();
  const tags: string[] = [];
  const ask = async (): Promise<void> => {
    const answer = await verify(brand);
    tags.push(answer.headers.get('etag') ?? '');
  };
  await ask();
  await brand.put('/v1/products/RYE', PRODUCT);
  await ask();
  await brand.put('/v1/products/RYE', { names: { en: 'Rye' } });
  await ask();
  await brand.put('/v1/places/BAKERY-1', PLACE);
  await ask();
  const kept = await verify(brand, { 'If-None-Match': tags.at(-1) ?? '' });
  await brand.remove('/v1/products/RYE');
  const changed = await verify(brand, { 'If-None-Match': tags.at(-1) ?? '' });

  assert.equal(new Set(tags).size, tags.length, tags.join(', '));
  assert.equal(kept.status, 304);
  assert.equal(changed.status, 200);
});

test('a notice names the products, and another one when a name is set', async () => {
  const brand = await newBrand();
  const recall = new RecallTenant(hub, brand.id);
  const caseNo = String((await recall.open(LOT))['case_no']);
  const ask = () => hub.call(`/public/notices?brand=${brand.id}`);
  const without = await ask();
  await brand.put('/v1/products/RYE', PRODUCT);
  const listed = await ask();

  const one = await hub.call(`/public/notices/${caseNo}`);
  const ofLot = await verify(brand);

  const products = [{ sku: 'RYE', names: PRODUCT.names }];
  assert.equal('products' in (valueAt(without.json, 'notices', 0) as object), false);
  assert.notEqual(without.headers.get('etag'), listed.headers.get('etag'));
  assert.deepEqual(valueAt(listed.json, 'notices', 0, 'products'), products);
  assert.deepEqual(one.json['products'], products);
  assert.deepEqual(valueAt(ofLot.json, 'notices', 0, 'products'), products);
});

test('pages show names in a language of the reader, with the codes beside', async () => {
  const brand = await newBrand();
  const recall = new RecallTenant(hub, brand.id);
  const caseNo = String((await recall.open(LOT))['case_no']);
  await brand.put('/v1/products/RYE', PRODUCT);
  await brand.put('/v1/places/BAKERY-1', PLACE);
  const german = /<bdi lang="de">Roggenbrot<\/bdi> <small><code>RYE<\/code><\/small>/;
  const english = /<bdi lang="en">Rye bread<\/bdi> <small><code>RYE<\/code><\/small>/;
  const paths = [
    `/lot/${LOT}?brand=${brand.id}`,
    `/recalls?brand=${brand.id}`,
    `/recalls/${caseNo}`,
  ];

  for (const path of paths) {
    assert.match(await page(path, 'de-AT,de;q=0.9'), german, path);
    assert.match(await page(path, 'fr'), english, path);
  }
  assert.match(
    await page(paths[0] ?? '', 'fr'),
    /<bdi>Hall 2<\/bdi> <small><code>BAKERY-1<\/code><\/small>/,
  );
});

test('a name is text on a page, whatever is in it', async () => {
  const brand = await newBrand();
  await brand.put('/v1/products/RYE', { names: { en: '<script>alert(1)</script>' } });
  await brand.put('/v1/places/BAKERY-1', { name: '<b>Hall' });

  const text = await page(`/lot/${LOT}?brand=${brand.id}`, 'en');

  assert.equal(text.includes('<script>alert'), false);
  assert.equal(text.includes('<b>Hall'), false);
  assert.match(text, /&lt;script&gt;alert/);
});

test('who has a code that several brands use chooses by the name of the product', async () => {
  const brand = await newBrand();
  await brand.put('/v1/products/RYE', { names: { en: `Rye of ${brand.id}` } });
  await newBrand();

  assert.match(await page(`/lot/${LOT}`, 'en'), new RegExp(`Rye of ${brand.id}`));
});
