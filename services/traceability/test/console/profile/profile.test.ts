// What consumers read of a brand, on the pages where people set it: saved by the same rules as by the interface,
// refused in the reader's words, and shown with the block that says it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot } from '../../boot.ts';
import { PRODUCT } from '../../brand/test-brand.ts';
import { jpeg, png } from '../../brand/pictures.ts';
import { newVisitor, readWords, type Page, type TestVisitor } from '../visitors.ts';

const BRAND = 'bakery';
const START = `/console/b/${BRAND}`;
let max: TestVisitor;
let vera: TestVisitor;

const hub = await openForFile(boot());
before(async () => {
  max = await newVisitor(hub, { name: 'Max', brands: { [BRAND]: 'manager' } });
  vera = await newVisitor(hub, { name: 'Vera', brands: { [BRAND]: 'viewer' } });
});

const OF_BRAND = { 'X-Tenant-Id': BRAND };

async function readHeight(): Promise<number> {
  return Number((await hub.call('/public/explorer')).json['stats']!['height']);
}

/** Where a form led to, opened. */
async function followed(page: Page, who = max): Promise<Page> {
  assert.equal(page.status, 303, page.text);
  return await who.get(page.location ?? '');
}

async function upload(sku: string, file: Blob, who = max): Promise<Page> {
  const body = new FormData();
  body.append('picture', file, 'picture.png');
  const response = await fetch(`${hub.base}${START}/products/${sku}/picture`, {
    method: 'POST',
    headers: who.headers,
    body,
    redirect: 'manual',
  });
  const { status, headers } = response;
  return { status, headers, text: await response.text(), location: headers.get('location') };
}

test('a manager saves the profile, which a block seals under the manager’s name', async () => {
  const values = { name: 'Old Mill', website: 'https://mill.example', name_de: 'Alte Mühle' };

  const saved = await followed(await max.post(`${START}/profile`, { ...values, language: 'en' }));

  assert.match(readWords(saved), /Saved, and sealed in a block/);
  const { json } = await hub.call('/v1/brand', { headers: OF_BRAND });
  assert.deepEqual(
    [json['name'], json['website'], json['language'], json['names']],
    ['Old Mill', 'https://mill.example', 'en', { de: 'Alte Mühle' }],
  );
  assert.match(saved.text, new RegExp(`/explorer/block/${String(json['block_height'])}"`));
  assert.match(readWords(saved), /names and website Max Block/);
});

test('what changes nothing seals nothing, and the page says so', async () => {
  await max.post(`${START}/products/SAME`, { name_en: 'Same', gtin: '4006381333931' });
  const height = await readHeight();

  const saved = await followed(
    await max.post(`${START}/products/SAME`, { name_en: ' Same ', gtin: '4006 3813 3393 1' }),
  );

  assert.match(readWords(saved), /Nothing was changed, so nothing was sealed/);
  assert.equal(await readHeight(), height);
});

test('a preview shows what was typed, and nothing is saved', async () => {
  const { json: profile } = await hub.call('/v1/brand', { headers: OF_BRAND });

  const page = await max.post(`${START}/profile`, { name: 'Typed <b>only</b>', do: 'preview' });

  assert.equal(page.status, 200);
  assert.match(readWords(page), /Nothing is saved yet/);
  assert.match(page.text, /<bdi>Typed &lt;b&gt;only&lt;\/b&gt;<\/bdi>/);
  assert.deepEqual((await hub.call('/v1/brand', { headers: OF_BRAND })).json, profile);
});

test('a website that is none is refused in German, and nothing typed is lost', async () => {
  const page = await max.post(`${START}/profile?lang=de`, {
    name: 'Neu',
    website: 'www.mill.example',
  });

  assert.equal(page.status, 422);
  assert.match(readWords(page), /Bitte schreiben Sie die ganze Adresse/);
  assert.match(page.text, /value="www\.mill\.example"/);
  assert.match(page.text, /value="Neu"/);
});

test('a GTIN with a wrong digit is refused with the digit that would be right', async () => {
  const page = await max.post(`${START}/products/RYE?lang=de`, {
    name_de: 'Roggenbrot',
    gtin: '4006381333937',
  });

  assert.equal(page.status, 422);
  assert.match(readWords(page), /Zu den anderen würde am Ende 1 gehören/);
  assert.match(page.text, /value="Roggenbrot"/);
});

for (const [what, gtin] of [
  ['too few digits', '123456789'],
  ['letters', '4006381333X31'],
] as const) {
  test(`a GTIN of ${what} is refused in words`, async () => {
    const page = await max.post(`${START}/products/RYE`, { name_en: 'Rye', gtin });

    assert.equal(page.status, 422);
    assert.match(readWords(page), /8, 12, 13 or 14 digits and nothing else/);
  });
}

test('a product has names in further languages, and needs one', async () => {
  const none = await max.post(`${START}/products/OAT`, { gtin: '' });
  const noLanguage = await max.post(`${START}/products/OAT`, { other_name: 'Owies' });
  await max.post(`${START}/products/OAT`, {
    name_en: 'Oats',
    other_language: 'pl',
    other_name: 'Owies',
  });
  const page = await max.get(`${START}/products/OAT`);

  assert.match(readWords(none), /at least one name/);
  assert.match(readWords(noLanguage), /choose the language of this name/);
  const { json } = await hub.call('/v1/products/OAT', { headers: OF_BRAND });
  assert.deepEqual(json['names'], { en: 'Oats', pl: 'Owies' });
  assert.match(page.text, /name="name_pl"[^>]*value="Owies"/s);
});

test('a picture is uploaded, served, and shown with its hash; removed, it is gone', async () => {
  await max.post(`${START}/products/PIC`, { name_en: 'Pictured' });

  const shown = await followed(await upload('PIC', new Blob([png({ width: 7 })])));

  const { json } = await hub.call('/v1/products/PIC', { headers: OF_BRAND });
  const sha256 = String(json['picture']!['sha256']);
  assert.match(shown.text, new RegExp(`src="/public/pictures/${sha256}"`));
  assert.match(shown.text, new RegExp(`title="${sha256}"`));
  const again = await followed(await upload('PIC', new Blob([png({ width: 7 })])));
  assert.match(readWords(again), /Nothing was changed/);
  const without = await followed(await max.post(`${START}/products/PIC/picture/remove`));
  assert.match(readWords(without), /There is no picture/);
  assert.equal((await hub.call(`/public/pictures/${sha256}`)).status, 404);
});

for (const [what, file, words] of [
  ['a text', new Blob(['<svg/>']), /choose a PNG, JPEG or WebP file/],
  ['a picture that is cut', new Blob([jpeg().subarray(0, 40)]), /damaged, animated, or wider/],
  ['a file of 501 kB', new Blob([png(), Buffer.alloc(501_000)]), /at most 500 kB/],
  ['a file of 2 MB', new Blob([png(), Buffer.alloc(2_000_000)]), /at most 500 kB/],
  ['no file', new Blob([]), /choose a file/],
] as const) {
  test(`${what} is refused as a picture, in words beside the field`, async () => {
    await max.post(`${START}/products/BAD`, { name_en: 'Bad' });
    const height = await readHeight();

    const page = await upload('BAD', file);

    assert.equal(page.status, 422);
    assert.match(
      /id="picture-error">(?:<svg.*?<\/svg>)?([^<]*)/s.exec(page.text)?.[1] ?? '',
      words,
    );
    assert.equal(await readHeight(), height);
  });
}

test('a place is saved with its time zone, and removed', async () => {
  await max.post(`${START}/places/HALL-2`, {
    name: 'Hall 2',
    address: 'Mill Lane 3',
    gln: '4012345000009',
    time_zone: 'Europe/Berlin',
  });
  const { json } = await hub.call('/v1/places/HALL-2', { headers: OF_BRAND });
  const removed = await followed(await max.post(`${START}/places/HALL-2/remove`));

  assert.deepEqual([json['gln'], json['time_zone']], ['4012345000009', 'Europe/Berlin']);
  assert.match(readWords(removed), /The place is removed, and a block says so/);
  assert.equal((await hub.call('/v1/places/HALL-2', { headers: OF_BRAND })).status, 404);
  const history = await max.get(`${START}/places/HALL-2`);
  assert.match(readWords(history), /removed Max Block \d+ .*GLN.* Max Block/);
});

test('products are found by code, number and name, whatever the case, and paged', async () => {
  for (let product = 0; product < 52; product += 1) {
    const names = { en: `Roll ${product}`, de: `Brötchen ${product}` };
    const body = JSON.stringify({ ...PRODUCT, names });
    const headers = { ...OF_BRAND, 'Content-Type': 'application/json' };
    await hub.call(`/v1/products/ROLL-${product}`, { method: 'PUT', headers, body });
  }
  const found = await max.get(`${START}/products?q=${encodeURIComponent('BRÖTCHEN 1')}`);
  const first = await max.get(`${START}/products?q=roll-`);
  const next = /href="([^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await max.get(next);
  const rows = (page: Page) =>
    [...page.text.matchAll(/products\/(ROLL-\d+)"/g)].map(([, sku]) => sku);

  assert.equal(rows(found).length, 11);
  assert.equal(rows(first).length, 50);
  assert.equal(new Set([...rows(first), ...rows(second)]).size, 52);
});

test('SKUs, locations and suppliers of events that nobody has named are offered to a manager alone', async () => {
  const line = aLine({ lot_code: 'L-1', product_sku: 'SPELT/1', supplier_name: 'Miller & <i>Co' });
  await hub.post('/v1/events', anEvent({ location: 'SILO 9', lines: [line] }), OF_BRAND);
  const pages = ['products', 'places', 'suppliers'] as const;

  const [products, places, suppliers] = await Promise.all(
    pages.map((page) => max.get(`${START}/${page}`)),
  );
  const seen = await Promise.all(pages.map((page) => vera.get(`${START}/${page}`)));

  assert.match(products!.text, /products\/SPELT%2F1"><bdi>SPELT\/1</);
  assert.match(readWords(products!), /1 SKU without a name/);
  assert.match(places!.text, /places\/SILO%209"/);
  assert.match(suppliers!.text, /name=Miller\+%26\+%3Ci%3ECo#link"><bdi>Miller &amp; &lt;i&gt;Co</);
  for (const page of seen) assert.doesNotMatch(page.text, /SPELT|SILO|Miller/);
  await max.post(`${START}/products/SPELT%2F1`, { name_en: 'Spelt' });
  assert.doesNotMatch((await max.get(`${START}/products`)).text, /without a name/);
});

test('a supplier’s name is linked to a brand of the hub, and unlinked', async () => {
  await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': 'mill' });

  const linked = await followed(
    await max.post(`${START}/suppliers`, { name: 'Mill', brand: 'mill' }),
  );
  const again = await followed(
    await max.post(`${START}/suppliers`, { name: 'Mill', brand: 'mill' }),
  );
  const unlinked = await followed(await max.post(`${START}/suppliers/unlink`, { name: 'Mill' }));

  assert.match(readWords(linked), /The supplier is linked\..* Mill mill /);
  assert.match(readWords(again), /Nothing was changed/);
  assert.match(readWords(unlinked), /The link is ended/);
});

for (const [what, brand, words] of [
  ['no brand', '', /Bitte füllen Sie das aus/],
  ['the own brand', BRAND, /Das ist Ihre eigene Marke/],
  ['a brand that nobody knows', 'nobody', /kennt keine Marke mit dieser Kennung/],
] as const) {
  test(`a supplier is not linked to ${what}, which is said in German`, async () => {
    const page = await max.post(`${START}/suppliers?lang=de`, { name: 'Mühle', brand });

    assert.equal(page.status, 422);
    assert.match(readWords(page), words);
    assert.match(page.text, /value="Mühle"/);
  });
}

test('a viewer reads what consumers read and sees no form but the search', async () => {
  await max.post(`${START}/products/SEEN`, { name_en: 'Seen', gtin: '4006381333931' });
  const paths = ['profile', 'products', 'products/SEEN', 'places', 'places/NONE', 'suppliers'];

  for (const path of paths) {
    const { status, text } = await vera.get(`${START}/${path}`);
    const main = text.slice(text.indexOf('<main'));

    assert.equal(status, 200, path);
    assert.doesNotMatch(main, /method="post"/, path);
  }
  assert.match(readWords(await vera.get(`${START}/products/SEEN`)), /4006381333931/);
  assert.equal((await vera.post(`${START}/products/SEEN`, { name_en: 'No' })).status, 403);
  assert.equal((await upload('SEEN', new Blob([png()]), vera)).status, 403);
});

test('what a brand writes stays text on every page', async () => {
  const hostile = '"><script>alert(1)</script>';
  await max.post(`${START}/products/${encodeURIComponent(hostile)}`, { name_en: hostile });
  await max.post(`${START}/places/EVIL`, { name: hostile, address: hostile });
  const paths = ['products', `products/${encodeURIComponent(hostile)}`, 'places', 'places/EVIL'];

  for (const path of paths) {
    const { text } = await max.get(`${START}/${path}`);
    assert.doesNotMatch(text, /<script>alert/, path);
  }
});
