// Pictures of products: taken by their bytes, sealed by their hash, served to everybody, deleted with the last
// product that has them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { PICTURE_BYTES_MAX } from '../../src/brand/picture/check.ts';
import { boot } from '../boot.ts';
import { jpeg, lossless, makeWebp, png, pngChunk, pngSaying } from './pictures.ts';
import { PRODUCT, TestBrand, readHeight } from './test-brand.ts';

const hub = await openForFile(boot());

async function makeBrand(...skus: readonly string[]): Promise<TestBrand> {
  const brand = new TestBrand(hub);
  for (const sku of skus) await brand.put(`/v1/products/${sku}`, PRODUCT);
  return brand;
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

for (const [type, bytes] of [
  ['image/png', png()],
  ['image/jpeg', jpeg()],
  ['image/webp', makeWebp(lossless())],
] as const) {
  test(`a picture of type ${type} is sealed by its hash and served as it was sent`, async () => {
    const brand = await makeBrand('RYE');
    const sha256 = hashBytes(bytes);

    // What it is called counts for nothing.
    const answer = await brand.picture('RYE', bytes, 'application/octet-stream');

    assert.equal(answer.status, 200, answer.text);
    const path = `/public/pictures/${sha256}`;
    const url = String(answer.json['picture']?.['url']);
    assert.deepEqual([answer.json['picture']?.['sha256'], new URL(url).pathname], [sha256, path]);
    const { decision } = await brand.decision(answer.json['block_height']);
    assert.deepEqual(decision['changed'], ['picture']);
    assert.deepEqual(decision['state'], { ...PRODUCT, picture: sha256 });
    const served = await fetch(hub.base + path);
    assert.equal(served.status, 200);
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), Buffer.from(bytes));
    assert.equal(served.headers.get('content-type'), type);
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(served.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(served.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(served.headers.get('access-control-allow-origin'), '*');
    const etag = String(served.headers.get('etag'));
    const again = await fetch(hub.base + path, { headers: { 'If-None-Match': etag } });
    assert.equal(again.status, 304);
  });
}

test('the same picture again seals nothing', async () => {
  const brand = await makeBrand('RYE');
  const first = await brand.picture('RYE', png());
  const height = await readHeight(hub);

  const again = await brand.picture('RYE', png());

  assert.deepEqual([again.status, again.json], [200, first.json]);
  assert.equal(await readHeight(hub), height);
});

test('names that are set anew leave the picture', async () => {
  const brand = await makeBrand('RYE');
  const { json } = await brand.picture('RYE', png());

  const answer = await brand.put('/v1/products/RYE', { names: { en: 'Bread' } });

  assert.deepEqual(answer.json['picture'], json['picture']);
});

test('bytes stay as long as a product has them', async () => {
  const brand = await makeBrand('RYE', 'OAT', 'NUT');
  const bytes = pngSaying('shared');
  const path = `/public/pictures/${hashBytes(bytes)}`;
  for (const sku of ['RYE', 'OAT', 'NUT']) await brand.picture(sku, bytes);
  const statuses: number[] = [];
  const look = async (): Promise<void> => void statuses.push((await hub.call(path)).status);

  await brand.remove('/v1/products/RYE');
  await look();
  await brand.picture('OAT', pngSaying('another'));
  await look();
  const removed = await brand.remove('/v1/products/NUT/picture');
  await look();

  assert.deepEqual(statuses, [200, 200, 404]);
  assert.deepEqual([removed.status, removed.json['picture']], [200, null]);
  const rows = await hub.database.rows('select 1 from pictures where sha256 = ?', hashBytes(bytes));
  assert.equal(rows.length, 0);
});

test('a product without a picture has none to remove, and an unknown product takes none', async () => {
  const brand = await makeBrand('RYE');

  const none = await brand.remove('/v1/products/RYE/picture');
  const unknown = await brand.picture('OAT', png());

  assert.deepEqual([none.status, none.json], [404, { detail: 'The product has no picture' }]);
  assert.equal(unknown.status, 404);
});

test('what is no PNG, JPEG or WebP is a 415, whatever it is called', async () => {
  const brand = await makeBrand('RYE');
  const detail =
    'The body is no picture that is served: send the bytes of a PNG, JPEG or WebP file';

  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '{}', '']) {
    const answer = await brand.picture('RYE', Buffer.from(text));

    assert.deepEqual([answer.status, answer.json], [415, { detail }], text);
  }
});

test('a picture that is not whole, or has something behind it, is a 422', async () => {
  const brand = await makeBrand('RYE');

  for (const bytes of [png().subarray(0, 40), Buffer.concat([png(), Buffer.from('<script>')])]) {
    const answer = await brand.picture('RYE', bytes);

    assert.equal(answer.status, 422, answer.text);
    const [error] = Object.values(answer.json['detail']!);
    assert.deepEqual([error?.['loc'], error?.['type']], [['body'], 'picture_invalid']);
  }
});

test('a picture may have 500,000 bytes and no more', async () => {
  const brand = await makeBrand('RYE');
  const around = pngChunk('teSt', Buffer.alloc(0)).length + png().length;
  const ofBytes = (bytes: number) =>
    png({ beside: [pngChunk('teSt', Buffer.alloc(bytes - around))] });

  const largest = await brand.picture('RYE', ofBytes(PICTURE_BYTES_MAX));
  const larger = await brand.picture('RYE', ofBytes(PICTURE_BYTES_MAX + 1));

  assert.equal(largest.status, 200, largest.text);
  const detail = 'The body is larger than 500000 bytes';
  assert.deepEqual([larger.status, larger.json], [413, { detail }]);
});

test('an address of no hash is a 422, of an unknown one a 404', async () => {
  assert.equal((await hub.call('/public/pictures/abc')).status, 422);
  assert.equal((await hub.call(`/public/pictures/${'0'.repeat(64)}`)).status, 404);
});

test('bytes that are not those of their hash are not served', async () => {
  const brand = await makeBrand('RYE');
  const bytes = pngSaying('changed behind the back');
  const sha256 = hashBytes(bytes);
  await brand.picture('RYE', bytes);
  await hub.database.change('update pictures set bytes = ? where sha256 = ?', png(), sha256);

  const served = await hub.call(`/public/pictures/${sha256}`);

  assert.equal(served.status, 500);
  assert.doesNotMatch(served.headers.get('cache-control') ?? '', /max-age/);
});
