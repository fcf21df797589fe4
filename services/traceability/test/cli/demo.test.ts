// `lothub demo`: the example supply chain, into a running hub and into a data directory, and what it
// is there to show. With it, `lothub import` against the real service.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CliRun, TestFolder } from '@lothub/kit/test/cli-run';
import { TENANT_KEY, boot, type Booted, type Json } from '../boot.ts';
import { runCli, serveCli, testFolder, toText } from './run.ts';

const EVENTS = 80;
const PLACES = ['Haverfield mill', 'Haverfield bakery', 'Haverfield bakery shop, Market Square'];
const RECALL = new URL('../../../../examples/haverfield-recall.json', import.meta.url);
const CSV = fileURLToPath(new URL('../../../../examples/haverfield.csv', import.meta.url));

function sumField(run: { readonly json: Json }, name: string): number {
  const brands = Object.values(run.json['brands'] ?? {});
  return brands.reduce((sum, brand) => sum + Number(brand[name]), 0);
}

/** A running hub that has the demo, and what loading it said. */
let hub: Booted;
let first: CliRun;
before(async () => {
  hub = await boot();
  first = await loadIntoHub();
});
after(() => hub[Symbol.asyncDispose]());

function loadIntoHub(): Promise<CliRun> {
  return runCli(['demo', '--url', hub.base, '--json'], { TENANT_API_KEY: TENANT_KEY });
}

test('the demo loads into a running hub, and a second time adds nothing', async () => {
  const second = await loadIntoHub();

  assert.deepEqual([first.code, sumField(first, 'accepted')], [0, EVENTS]);
  assert.deepEqual([second.code, sumField(second, 'accepted')], [0, 0]);
  assert.equal(sumField(second, 'duplicates'), EVENTS);
});

test('a recall of the dairy reaches the bakery of the demo', async () => {
  const dairy = { 'X-Tenant-Id': 'larkmoor' };
  const recall = { title: 'Butter', reason: 'Listeria', opened_by: 'Ada' };
  await hub.post('/v1/recall/cases', { ...recall, seed_lot_code: 'BUTTER-0224' }, dairy);

  const { json } = await hub.call('/v1/recall/inbound', {
    headers: { 'X-Tenant-Id': 'haverfield' },
  });

  const [inbound] = Object.values(json['recalls'] ?? {});
  const lots = Object.values(inbound?.['own_lots']?.['lots'] ?? {}).map((lot) => lot['lot_code']);
  assert.ok(lots.map(toText).includes('CAKE-0302'), JSON.stringify(json));
});

test('the recall of the examples is in English and German, and says so to others', async () => {
  const recall = JSON.parse(await readFile(RECALL, 'utf8')) as Json;
  const opened = await hub.post('/v1/recall/cases', recall, { 'X-Tenant-Id': 'haverfield' });
  const pageIn = async (language: string): Promise<string> => {
    const path = `/recalls/${toText(opened.json['case_no'])}`;
    return (await hub.call(path, { headers: { 'Accept-Language': language } })).text;
  };

  const [german, french] = [await pageIn('de'), await pageIn('fr')];

  assert.equal(opened.status, 201, opened.text);
  assert.match(german, /<bdi lang="de">Mutterkorn im Weizen<\/bdi>/);
  assert.match(german, /<bdi lang="de">Probieren Sie nicht davon/);
  assert.match(french, /<bdi lang="en">Wheat with ergot<\/bdi>\s*<small class="muted">\(anglais\)/);
});

test('the addresses that the demo shows can be looked at', async () => {
  const addresses = Object.values(first.json['look_at'] ?? {}).map(toText);

  assert.equal(addresses.length, 3);
  for (const address of addresses) assert.equal((await fetch(address)).status, 200);
});

test('the demo loads into a data directory, and the service then serves it', async () => {
  await using folder = await testFolder();
  const env = { DATA_DIR: folder.file('data') };

  const loaded = await runCli(['demo', '--json'], env);
  const again = await runCli(['demo', '--json'], env);
  await using served = await serveCli(env);
  const answer = await fetch(`${served.base}/public/verify/CAKE-0302?brand=haverfield`);

  assert.deepEqual([loaded.code, sumField(loaded, 'accepted')], [0, EVENTS]);
  assert.deepEqual([again.code, sumField(again, 'accepted')], [0, 0]);
  assert.equal(answer.status, 200);
});

describe('of the keys of a data directory that the demo was loaded into twice', () => {
  let folder: TestFolder;
  let runs: readonly CliRun[];
  let keys: CliRun;
  before(async () => {
    folder = await testFolder();
    const env = { DATA_DIR: folder.file('data') };
    runs = [await runCli(['demo'], env), await runCli(['demo'], env)];
    keys = await runCli(['keys', 'list', '--json'], env);
  });
  after(() => folder[Symbol.asyncDispose]());

  test('those of the first start are shown, and only then', () => {
    assert.equal(runs[0]?.stdout.match(/lh_(?:tenant|admin)_[\w-]{43}/g)?.length, 2);
    assert.doesNotMatch(runs[1]!.stdout, /lh_/);
  });

  test('none that the demo made for itself stays valid', () => {
    const all = Object.values(keys.json['keys'] ?? {});
    const own = all.filter((key) => toText(key['label']) === 'lothub demo');

    assert.deepEqual(
      own.map((key) => toText(key['state'])),
      ['revoked'],
    );
  });
});

test('the demo is refused in a data directory that a service uses', async () => {
  await using folder = await testFolder();
  await using _served = await serveCli({ DATA_DIR: folder.path });

  const run = await runCli(['demo'], { DATA_DIR: folder.path });

  assert.equal(run.code, 1);
  assert.match(run.stderr, /another lothub process is using it/);
});

test('the demo shows what its description says: both brands, a cycle, one lot of two products', async () => {
  const asBakery = { headers: { 'X-Tenant-Id': 'haverfield' } };
  const read = async (path: string): Promise<Json> => (await hub.call(path, asBakery)).json;

  const butter = await read('/public/verify/BUTTER-0224');
  const cake = await read('/public/verify/CAKE-0302?brand=haverfield');
  const sourdough = await read('/public/explorer/lot/SOUR-1?brand=haverfield');

  assert.equal(toText(butter['brand']?.['name']), 'Larkmoor Dairy');
  assert.equal(toText(butter['other_brands']?.['0']?.['name']), 'Haverfield Mill & Bakery');
  const lotsOfCake = Object.values(cake['steps'] ?? {}).map((step) => toText(step['lot_code']));
  assert.deepEqual(
    ['WHEAT-0216', 'MILL-0219', 'BUTTER-0224', 'MILK-0223', 'CAKE-0302'].filter(
      (code) => !lotsOfCake.includes(code),
    ),
    [],
  );
  assert.equal(toText(cake['verified']), 'true');
  assert.match(JSON.stringify(sourdough), /DOUGH-0224/);
});

test('every product that is sold, and every place of the brands, has a name in the demo', async () => {
  const cake = await hub.call('/public/verify/CAKE-0302?brand=haverfield');
  const page = await hub.call('/lot/CAKE-0302?brand=haverfield', {
    headers: { 'Accept-Language': 'de' },
  });

  const names = Object.values(cake.json['steps'] ?? {}).map((step) => step['place']?.['name']);
  assert.equal(toText(cake.json['product']?.['names']?.['de']), 'Butterkuchen');
  assert.deepEqual(new Set(names.map(toText)), new Set(PLACES));
  assert.match(page.text, /Butterkuchen/);
});

test('no customer of the demo shows in public', async () => {
  const page = await hub.call('/public/explorer/blocks?limit=200');
  const verified = await hub.call('/public/verify/CAKE-0302?brand=haverfield');

  assert.match(page.text, /TILL-H1-0302/);
  assert.doesNotMatch(page.text + verified.text, /HC-|LC-|feed merchant|school catering/);
});

test('a file imported into the real service reports its rows, and once more only duplicates', async () => {
  await using empty = await boot();
  const args = ['import', CSV, '--url', empty.base, '--tenant', 'haverfield', '--json'];

  const dry = await runCli([...args, '--dry-run'], { TENANT_API_KEY: TENANT_KEY });
  const once = await runCli(args, { TENANT_API_KEY: TENANT_KEY });
  const twice = await runCli(args, { TENANT_API_KEY: TENANT_KEY });

  assert.deepEqual([dry.code, dry.json['accepted'], dry.json['dry_run']], [0, 29, true]);
  assert.deepEqual([once.code, once.json['accepted'], once.json['duplicates']], [0, 29, 0]);
  assert.deepEqual([twice.code, twice.json['accepted'], twice.json['duplicates']], [0, 0, 29]);
});
