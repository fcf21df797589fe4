// The names of brands and places in several languages: how they are sent, sealed and shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, type Json } from '../boot.ts';
import { PLACE, PRODUCT, TestBrand } from './test-brand.ts';

const hub = await openForFile(boot());

const NAMES = { de: 'Alte Mühle', fr: 'Vieux Moulin' };

async function pageIn(language: string, path: string): Promise<string> {
  const { text } = await hub.call(path, { headers: { 'Accept-Language': language } });
  return text.replace(/\s+/g, ' ');
}

async function receiveAt(teller: TestBrand, location: string): Promise<void> {
  const event = anEvent({ location, lines: [aLine({ lot_code: 'L1', product_sku: 'RYE' })] });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': teller.id });
  assert.equal(answer.status, 201, answer.text);
}

test('a brand sets its language and its name in others; null takes them back', async () => {
  const brand = new TestBrand(hub);
  const profile = { name: 'Old Mill', language: 'en-gb', names: NAMES };

  const answer = await brand.patch('/v1/brand', profile);
  const { decision } = await brand.decision(answer.json['block_height']);
  const back = await brand.patch('/v1/brand', { language: null, names: null });

  assert.deepEqual([answer.json['language'], answer.json['names']], ['en-GB', NAMES]);
  assert.deepEqual(decision['changed'], ['language', 'name', 'names']);
  assert.deepEqual(decision['state'], { language: 'en-GB', name: 'Old Mill', names: NAMES });
  assert.ok(!('language' in back.json) && !('names' in back.json));
  const after = await brand.decision(back.json['block_height']);
  assert.deepEqual(after.decision['state'], { name: 'Old Mill' });
});

test('names that are the same in another order change nothing', async () => {
  const brand = new TestBrand(hub);
  const first = await brand.patch('/v1/brand', { language: 'en', names: NAMES });

  const again = await brand.patch('/v1/brand', { names: { fr: NAMES.fr, de: NAMES.de } });

  assert.deepEqual(again.json, first.json);
});

test('a place has its name in several languages, and all of it takes the place of what was there', async () => {
  const brand = new TestBrand(hub);
  const profile = { ...PLACE, language: 'en', names: { de: 'Halle 2' } };

  const first = await brand.put('/v1/places/HALL', profile);
  const { decision } = await brand.decision(first.json['block_height']);
  const again = await brand.put('/v1/places/HALL', PLACE);

  assert.deepEqual([first.json['language'], first.json['names']], ['en', { de: 'Halle 2' }]);
  assert.deepEqual(decision['state'], profile);
  const after = await brand.decision(again.json['block_height']);
  assert.deepEqual(
    [after.decision['changed'], after.decision['state']],
    [['language', 'names'], PLACE],
  );
});

for (const [what, body] of [
  ['a language that pages are not in', { names: { nl: 'Oude Molen' } }],
  ['an empty name', { names: { de: '' } }],
  ['a name of 201 characters', { names: { de: 'x'.repeat(201) } }],
  ['a number for a name', { names: { de: 1 } }],
  ['no language tag', { language: 'not a tag' }],
  ['an empty language', { language: '' }],
] as const) {
  test(`${what} is refused, of a brand and of a place`, async () => {
    const brand = new TestBrand(hub);

    assert.equal((await brand.patch('/v1/brand', body)).status, 422);
    assert.equal((await brand.put('/v1/places/HALL', { ...PLACE, ...body })).status, 422);
  });
}

test('a page has the names in the language of its reader, else as the brand has them, with their language', async () => {
  const brand = new TestBrand(hub);
  await brand.patch('/v1/brand', { name: 'Old Mill', language: 'en', names: NAMES });
  await brand.put('/v1/places/HALL', { name: 'Hall 2', names: { de: 'Halle 2' } });
  await brand.put('/v1/products/RYE', PRODUCT);
  await receiveAt(brand, 'HALL');
  const path = `/lot/L1?brand=${brand.id}`;

  const [german, italian] = [await pageIn('de', path), await pageIn('it', path)];

  assert.ok(german.includes('<bdi lang="de">Alte Mühle</bdi>'), german);
  assert.ok(german.includes('<bdi lang="de">Halle 2</bdi>'), german);
  assert.ok(!german.includes('Old Mill') && !german.includes('Hall 2<'), german);
  assert.ok(italian.includes('<bdi lang="en">Old Mill</bdi>'), italian);
  // A place without a language has that of its brand.
  assert.ok(italian.includes('<bdi lang="en">Hall 2</bdi>'), italian);
  assert.ok(italian.includes('<bdi lang="en">Rye bread</bdi> <small class="muted">(inglese)'));
});

test('the public answer of a lot has the names in all languages', async () => {
  const brand = new TestBrand(hub);
  await brand.patch('/v1/brand', { name: 'Old Mill', language: 'en', names: NAMES });
  await brand.put('/v1/places/HALL', { name: 'Hall 2', names: { de: 'Halle 2' } });
  await receiveAt(brand, 'HALL');

  const { json } = await hub.call(`/public/verify/L1?brand=${brand.id}`);

  const name = { name: 'Old Mill', language: 'en', names: NAMES };
  assert.deepEqual(json['brand'], { id: brand.id, ...name });
  const place = (json['steps']!['0'] as Json)['place'];
  assert.deepEqual(place, {
    ...{ name: 'Hall 2', language: 'en', names: { de: 'Halle 2' } },
    ...{ address: null, gln: null, time_zone: null },
  });
});

test('a text in Arabic is in its own direction and with its language', async () => {
  const brand = new TestBrand(hub);
  await brand.patch('/v1/brand', { name: 'مخبز الطاحونة', language: 'ar' });
  await receiveAt(brand, 'HALL');

  const page = await pageIn('it', `/lot/L1?brand=${brand.id}`);

  assert.ok(page.includes('<bdi lang="ar">مخبز الطاحونة</bdi>'));
});
