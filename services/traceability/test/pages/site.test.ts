// What browsers and search engines ask a site for: each is there, and the sitemap has the recalls that the public
// may see, as long as they are listed.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../boot.ts';
import { RecallTenant } from '../recall/tenant.ts';

let bakery: RecallTenant;

const hub = await openForFile(
  boot({ env: { PUBLIC_URL: 'https://hub.example', HUB_NAME: 'Hub "1"' } }),
);
before(async () => {
  bakery = new RecallTenant(hub, 'bakery');
  await bakery.receive('FLOUR-1', 'FLOUR-2');
});

async function readAddresses(path: string): Promise<readonly string[]> {
  const { status, text, headers } = await hub.call(path);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^application\/xml/);
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!);
}

test('robots.txt leads to the sitemap and away from the interfaces', async () => {
  const { status, text, headers } = await hub.call('/robots.txt');

  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(text, /^Sitemap: https:\/\/hub\.example\/sitemap\.xml$/m);
  assert.match(text, /^Disallow: \/v1\/$/m);
  assert.doesNotMatch(text, /^Disallow: \/(?:lot|recalls)?$/m);
});

test('the sitemap has recalls while they are listed, and neither cancelled nor confidential ones', async () => {
  const open = await bakery.open('FLOUR-1');
  const confidential = await bakery.open('FLOUR-2', { confidential: true });
  const openCase = `https://hub.example/recalls/${String(open['case_no'])}`;
  const secret = `https://hub.example/recalls/${String(confidential['case_no'])}`;

  const addresses = await readAddresses('/sitemap.xml');
  const closed = await bakery.open('FLOUR-1');
  const steps = ['notification', 'containment', 'closed'];
  await bakery.moveThrough(closed['case_no'], ...steps);
  const closedCase = `https://hub.example/recalls/${String(closed['case_no'])}`;
  await bakery.move(open['case_no'], 'cancelled', { note: 'A false alarm' });
  const later = await readAddresses('/sitemap.xml');

  assert.ok(addresses.includes(openCase), addresses.join());
  assert.ok(addresses.includes('https://hub.example/recalls'));
  assert.ok(!addresses.includes(secret));
  assert.ok(!later.includes(openCase), later.join());
  assert.ok(later.includes(closedCase), later.join());
  await hub.database.change(
    'update recall_cases set ended_at = ? where case_no = ?',
    ...['2020-01-01T00:00:00.000Z', String(closed['case_no'])],
  );
  assert.ok(!(await readAddresses('/sitemap.xml')).includes(closedCase));
});

test('a part of the sitemap is there for as many recalls as there are', async () => {
  assert.deepEqual(await readAddresses('/sitemap/0.xml'), await readAddresses('/sitemap.xml'));
  assert.equal((await hub.call('/sitemap/1.xml')).status, 404);
  assert.equal((await hub.call('/sitemap/none.xml')).status, 422);
});

test('the style guide is for those who work on the pages alone', async () => {
  assert.equal((await hub.call('/styleguide')).status, 404);
});

test('the manifest names the hub, and its icons are there', async () => {
  const { json, headers } = await hub.call('/manifest.webmanifest');

  assert.match(headers.get('content-type') ?? '', /^application\/manifest\+json/);
  assert.equal(json['name'], 'Hub "1"');
  for (const { src, type } of json['icons'] as unknown as { src: string; type: string }[]) {
    const icon = await hub.call(src);
    assert.equal(icon.status, 200);
    assert.equal(icon.headers.get('content-type')?.replace(/;.*/, ''), type);
  }
});

test('every file that a page names is there, and the icon that browsers ask for anyway', async () => {
  const { text } = await hub.call('/');
  const named = [
    ...text.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest|stylesheet)" href="([^"]+)"/g),
  ];

  assert.ok(named.length >= 4, String(named.length));
  for (const path of [...named.map(([, href]) => href!), '/favicon.ico']) {
    assert.equal((await hub.call(path)).status, 200, path);
  }
});
