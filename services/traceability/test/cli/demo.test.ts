// `lothub demo`: the example supply chain, into a running hub and into a data directory, and what it
// is there to show. With it, `lothub import` against the real service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TENANT_KEY, boot } from '../boot.ts';
import type { Json } from '../boot.ts';
import { runCli, serveCli, testFolder, textOf } from './run.ts';

const EVENTS = 80;
const CSV = fileURLToPath(new URL('../../../../examples/haverfield.csv', import.meta.url));

function sumOf(run: { readonly json: Json }, name: string): number {
  const brands = Object.values(run.json['brands'] ?? {});
  return brands.reduce((sum, brand) => sum + Number(brand[name]), 0);
}

test('the demo loads into a running hub, and a second time adds nothing', async () => {
  await using hub = await boot();
  const args = ['demo', '--url', hub.base, '--json'];

  const first = await runCli(args, { TENANT_API_KEY: TENANT_KEY });
  const second = await runCli(args, { TENANT_API_KEY: TENANT_KEY });

  assert.deepEqual([first.code, sumOf(first, 'accepted')], [0, EVENTS]);
  assert.deepEqual([second.code, sumOf(second, 'accepted')], [0, 0]);
  assert.equal(sumOf(second, 'duplicates'), EVENTS);
});

test('the addresses that the demo shows can be looked at', async () => {
  await using hub = await boot();

  const run = await runCli(['demo', '--url', hub.base, '--json'], { TENANT_API_KEY: TENANT_KEY });

  const addresses = Object.values(run.json['look_at'] ?? {}).map(textOf);
  assert.equal(addresses.length, 3);
  for (const address of addresses) assert.equal((await fetch(address)).status, 200);
});

test('the demo loads into a data directory, and the service then serves it', async () => {
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.file('data') };

  const first = await runCli(['demo', '--json'], env);
  const second = await runCli(['demo', '--json'], env);
  await using served = await serveCli(env);
  const answer = await fetch(`${served.base}/public/verify/CAKE-0302?brand=haverfield`);

  assert.deepEqual([first.code, sumOf(first, 'accepted')], [0, EVENTS]);
  assert.deepEqual([second.code, sumOf(second, 'accepted')], [0, 0]);
  assert.equal(answer.status, 200);
});

test('the keys of a first start that the demo makes are shown, and only then', async () => {
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.file('data') };

  const first = await runCli(['demo'], env);
  const second = await runCli(['demo'], env);

  assert.equal(first.stdout.match(/lh_(?:tenant|admin)_[\w-]{43}/g)?.length, 2);
  assert.doesNotMatch(second.stdout, /lh_/);
});

test('no key that the demo made for itself stays valid', async () => {
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.file('data') };
  await runCli(['demo'], env);
  await runCli(['demo'], env);

  const keys = (await runCli(['keys', 'list', '--json'], env)).json['keys'];

  const own = Object.values(keys ?? {}).filter((key) => textOf(key['label']) === 'lothub demo');
  assert.deepEqual(
    own.map((key) => textOf(key['state'])),
    ['revoked'],
  );
});

test('the demo is refused in a data directory that a service uses', async () => {
  await using folder = await testFolder();
  await using _served = await serveCli({ DATA_DIR: folder.path });

  const run = await runCli(['demo'], { DATA_DIR: folder.path });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /another lothub process is using it/);
});

test('the demo shows what its description says: both brands, a cycle, one lot of two products', async () => {
  await using hub = await boot();
  await runCli(['demo', '--url', hub.base], { TENANT_API_KEY: TENANT_KEY });
  const asBakery = { headers: { 'X-Tenant-Id': 'haverfield' } };
  const read = async (path: string): Promise<Json> => (await hub.call(path, asBakery)).json;

  const butter = await read('/public/verify/BUTTER-0224');
  const cake = await read('/public/verify/CAKE-0302?brand=haverfield');
  const sourdough = await read('/public/explorer/lot/SOUR-1?brand=haverfield');

  assert.equal(textOf(butter['brand']?.['name']), 'Larkmoor Dairy');
  assert.equal(textOf(butter['other_brands']?.['0']?.['name']), 'Haverfield Mill & Bakery');
  const lotsOfCake = Object.values(cake['steps'] ?? {}).map((step) => textOf(step['lot_code']));
  assert.deepEqual(
    ['WHEAT-0216', 'MILL-0219', 'BUTTER-0224', 'MILK-0223', 'CAKE-0302'].filter(
      (code) => !lotsOfCake.includes(code),
    ),
    [],
  );
  assert.equal(textOf(cake['verified']), 'true');
  assert.match(JSON.stringify(sourdough), /DOUGH-0224/);
});

test('no customer of the demo shows in public', async () => {
  await using hub = await boot();
  await runCli(['demo', '--url', hub.base], { TENANT_API_KEY: TENANT_KEY });

  const page = await hub.call('/public/explorer/blocks?limit=200');
  const verified = await hub.call('/public/verify/CAKE-0302?brand=haverfield');

  assert.match(page.text, /TILL-H1-0302/);
  assert.doesNotMatch(page.text + verified.text, /HC-|LC-|feed merchant|school catering/);
});

test('a file imported into the real service reports its rows, and once more only duplicates', async () => {
  await using hub = await boot();
  const args = ['import', CSV, '--url', hub.base, '--tenant', 'haverfield', '--json'];

  const dry = await runCli([...args, '--dry-run'], { TENANT_API_KEY: TENANT_KEY });
  const first = await runCli(args, { TENANT_API_KEY: TENANT_KEY });
  const second = await runCli(args, { TENANT_API_KEY: TENANT_KEY });

  assert.deepEqual([dry.code, dry.json['accepted'], dry.json['dry_run']], [0, 29, true]);
  assert.deepEqual([first.code, first.json['accepted'], first.json['duplicates']], [0, 29, 0]);
  assert.deepEqual([second.code, second.json['accepted'], second.json['duplicates']], [0, 0, 29]);
});
