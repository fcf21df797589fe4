// `lothub labels`: the files that it writes are read by a foreign reader, and what it says of refusals.
import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { TENANT_KEY, boot } from '../boot.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { decode } from '../labels/decode.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { runCli, testFolder } from './run.ts';

const PUBLIC_URL = 'https://trace.example.com';

let tenant: RecallTenant;
const hub = await openForFile(boot({ env: { PUBLIC_URL } }));
before(async () => {
  tenant = new RecallTenant(hub);
  await tenant.receive('L/1', 'L:1', 'l_1', 'L2');
  const profile = { names: { en: 'Flour' }, gtin: '9506000134352' };
  await new TestBrand(hub, tenant.id).put('/v1/products/FLOUR-T55', profile);
});

async function run(directory: string, ...args: readonly string[]) {
  const place = ['--url', hub.base, '--tenant', tenant.id, '--to', directory];
  return await runCli(['labels', ...args, ...place], { TENANT_API_KEY: TENANT_KEY });
}

test('a label is written for each lot, under names that differ', async () => {
  await using folder = await testFolder();
  const directory = join(folder.path, 'new', 'labels');

  const { code, stdout } = await run(directory, 'L/1', 'L:1', 'l_1', '--format', 'png', '--json');

  assert.equal(code, 0, stdout);
  const names = (await readdir(directory)).toSorted();
  assert.deepEqual(names, ['L_1-qr-2.png', 'L_1-qr.png', 'l_1-qr-3.png'].toSorted());
  const read = await decode(await readFile(join(directory, 'L_1-qr-2.png')));
  assert.equal(read[0]?.text, `${PUBLIC_URL}/01/09506000134352/10/L%3A1`);
  const answered = JSON.parse(stdout) as { files: readonly object[] };
  assert.deepEqual(answered.files[0], {
    lot_code: 'L/1',
    serial: null,
    file: join(directory, 'L_1-qr.png'),
  });
});

test('serial numbers make a picture each, or one sheet', async () => {
  await using folder = await testFolder();
  const serials = ['--serials', '08-10'];

  const pictures = await run(folder.path, 'L2', '--symbology', 'datamatrix', ...serials);
  const sheet = await run(folder.path, 'L2', '--format', 'sheet', '--paper', 'letter', ...serials);

  assert.deepEqual([pictures.code, sheet.code], [0, 0], sheet.stderr);
  assert.deepEqual((await readdir(folder.path)).toSorted(), [
    'L2-08-datamatrix.svg',
    'L2-09-datamatrix.svg',
    'L2-10-datamatrix.svg',
    'L2-qr-sheet.html',
  ]);
  const html = await readFile(join(folder.path, 'L2-qr-sheet.html'), 'utf8');
  assert.equal(html.match(/<use href/g)?.length, 3);
  assert.match(sheet.stdout, /Wrote 1 file:\n {2}.*L2-qr-sheet\.html/);
});

test('a file that is there is left alone without --force', async () => {
  await using folder = await testFolder();
  const file = join(folder.path, 'L2-qr.svg');
  await writeFile(file, 'mine');

  const refused = await run(folder.path, 'L2');
  const kept = await readFile(file, 'utf8');
  const forced = await run(folder.path, 'L2', '--force');

  assert.deepEqual([refused.code, kept, forced.code], [2, 'mine', 0]);
  assert.match(await readFile(file, 'utf8'), /^<svg/);
});

for (const [args, code, reason] of [
  [['NOTHING'], 1, /404: No lot of this code is known/],
  [['L2', '--module-px', '3', '--format', 'png'], 1, /module_px/],
  [['L2', '--serials', '5'], 2, /such as 0001-0024/],
  [['L2', '--serials', '5-4'], 2, /The last is before the first/],
  [['L2', '--symbology', 'code39'], 2, /Allowed choices are qr, datamatrix/],
  [[], 2, /missing required argument/],
] as const) {
  test(`labels of ${args.join(' ')} end with ${code}`, async () => {
    await using folder = await testFolder();

    const ended = await run(folder.path, ...args);

    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, reason);
    assert.deepEqual(await readdir(folder.path), []);
  });
}

test('the help has an example', async () => {
  const { code, stdout } = await runCli(['labels', '--help']);

  assert.equal(code, 0);
  assert.match(stdout, /Example:\n {2}lothub labels BREAD-0302 --tenant bakery --to labels/);
});
