// Labels of lots: what a foreign reader reads of each symbol, what has none, and the sheets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, type Answer } from '../boot.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { decode } from './decode.ts';

const PUBLIC_URL = 'https://trace.example.com';
const GTIN = '9506000134352';

const hub = await openForFile(boot({ env: { PUBLIC_URL } }));

/** A brand that has received this lot of a product with a GTIN. */
async function brandWith(lotCode: string, gtin: string | null = GTIN): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub);
  await tenant.receive(lotCode);
  const product = { names: { de: 'Mehl', en: 'Flour' }, gtin };
  const profile = await new TestBrand(hub, tenant.id).put('/v1/products/FLOUR-T55', product);
  assert.equal(profile.status, 201, profile.text);
  return tenant;
}

const labelPath = (lotCode: string, query = '') =>
  `/v1/lots/${encodeURIComponent(lotCode)}/label?${query}`;

async function readPng(tenant: RecallTenant, path: string): Promise<Uint8Array> {
  const response = await fetch(hub.base + path, {
    headers: { 'X-Api-Key': 'test-tenant-key-0123456789abcdef', ...tenant.headers },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  return new Uint8Array(await response.arrayBuffer());
}

test('a QR code holds the Digital Link of the lot', async () => {
  const tenant = await brandWith('BREAD/3 %');
  const plain = await brandWith('BREAD-3/1%');

  const png = await readPng(plain, labelPath('BREAD-3/1%', 'format=png'));

  assert.deepEqual(
    (await decode(png)).map(({ format, text }) => [format, text]),
    [['QRCode', `${PUBLIC_URL}/01/09506000134352/10/BREAD-3%2F1%25`]],
  );
  // A space is no character of GS1: the code leads to the lot by its plain address.
  const other = await decode(await readPng(tenant, labelPath('BREAD/3 %', 'format=png')));
  assert.equal(other[0]?.text, `${PUBLIC_URL}/lot/BREAD%2F3%20%25?brand=${tenant.id}`);
});

test('a DataMatrix is one of GS1, with GTIN, lot and serial number', async () => {
  const tenant = await brandWith('AB(21)C/1');

  const query = 'symbology=datamatrix&format=png&serial=S%2B1';
  const png = await readPng(tenant, labelPath('AB(21)C/1', query));
  const [read] = await decode(png);
  const short = await readPng(tenant, labelPath('AB(21)C/1', 'symbology=datamatrix&format=png'));

  assert.deepEqual(read, {
    format: 'DataMatrix',
    text: '010950600013435210AB(21)C/1\u001D21S+1',
    contentType: 'GS1',
    identifier: ']d2',
  });
  assert.equal((await decode(short))[0]?.text, '010950600013435210AB(21)C/1');
});

test('a serial number is behind the lot in the Digital Link', async () => {
  const tenant = await brandWith('L1');

  const png = await readPng(tenant, labelPath('L1', 'format=png&serial=0042&module_px=4'));

  assert.equal((await decode(png))[0]?.text, `${PUBLIC_URL}/01/09506000134352/10/L1/21/0042`);
});

test('an SVG has its size on paper, and nothing that loads or runs', async () => {
  const tenant = await brandWith('L2');

  const answer = await tenant.get(labelPath('L2', 'symbology=datamatrix&module_mm=0.5'));

  assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
  const [, width, height, units] =
    /^<svg xmlns="[^"]+" width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 (\d+) \d+">/.exec(
      answer.text,
    ) ?? [];
  assert.equal(width, height);
  // Two units a module, and half a millimetre each.
  assert.equal(Number(width), Number(units) / 4);
  assert.doesNotMatch(answer.text, /script|href|url\(|<text/);
  assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'");
});

test('a product without a GTIN has a QR code with its plain address, and no DataMatrix', async () => {
  const tenant = await brandWith('L3', null);

  const png = await readPng(tenant, labelPath('L3', 'format=png'));
  const refused = await tenant.get(labelPath('L3', 'symbology=datamatrix'));
  const serial = await tenant.get(labelPath('L3', 'serial=1'));

  assert.equal((await decode(png))[0]?.text, `${PUBLIC_URL}/lot/L3?brand=${tenant.id}`);
  assert.equal(refused.status, 400);
  assert.match(readDetail(refused), /FLOUR-T55 has no GTIN: set it with PUT/);
  assert.equal(serial.status, 400);
  assert.match(readDetail(serial), /serial number.*has no GTIN/);
});

for (const [what, lotCode, reason] of [
  ['longer than GS1 allows', 'L'.repeat(21), /at most 20 characters/],
  ['with other characters', 'BRÖT-1', /letters A to Z and a to z/],
] as const) {
  test(`a lot code ${what} makes no DataMatrix`, async () => {
    const tenant = await brandWith(lotCode);

    const refused = await tenant.get(labelPath(lotCode, 'symbology=datamatrix'));

    assert.equal(refused.status, 400);
    assert.match(readDetail(refused), reason);
  });
}

test('the GTIN is that of the SKU that was asked for, which the lot must have had', async () => {
  const tenant = await brandWith('L4');
  await tenant.post({ lines: [aLine({ lot_code: 'L4', product_sku: 'FLOUR-5KG' })] });
  const profile = { names: { en: 'Flour, 5 kg' }, gtin: '96385074' };
  await new TestBrand(hub, tenant.id).put('/v1/products/FLOUR-5KG', profile);

  const png = await readPng(tenant, labelPath('L4', 'format=png&sku=FLOUR-5KG'));
  const strange = await tenant.get(labelPath('L4', 'sku=RYE'));

  assert.equal((await decode(png))[0]?.text, `${PUBLIC_URL}/01/00000096385074/10/L4`);
  assert.deepEqual([strange.status, strange.json['detail']!['0']!['loc']], [422, ['query', 'sku']]);
});

test('a lot of another brand has no label', async () => {
  await brandWith('L5');

  const answer = await new RecallTenant(hub).get(labelPath('L5'));

  assert.equal(answer.status, 404);
});

for (const query of [
  'symbology=code128',
  'format=gif',
  'module_px=1',
  'module_px=5',
  'module_px=34',
  'module_mm=0.1',
  'serial=',
  `serial=${'1'.repeat(21)}`,
  'serial=%C3%84',
  'serial=..',
  'size=3',
]) {
  test(`a label is not made of ${query}`, async () => {
    const tenant = await brandWith('L6');

    assert.equal((await tenant.get(labelPath('L6', query))).status, 422);
  });
}

const sheetPath = (lotCode: string, query = '') => `/v1/lots/${lotCode}/label-sheet?${query}`;
const labelsIn = (text: string) =>
  [...text.matchAll(/<use href="#symbol-(\d+)"/g)].map(([, n]) => n);

test('a sheet has a page full of the same label, drawn once', async () => {
  const tenant = await brandWith('L7');

  const { status, text } = await tenant.get(sheetPath('L7', 'columns=3&rows=5&paper=letter'));

  assert.equal(status, 200, text);
  assert.deepEqual(
    labelsIn(text),
    Array.from({ length: 15 }, () => '0'),
  );
  assert.equal(text.match(/<symbol /g)?.length, 1);
  assert.equal(text.match(/class="page"/g)?.length, 1);
  assert.match(text, /@page\{size:letter/);
  assert.match(text, /<bdi>Flour<\/bdi>/);
  assert.match(text, /\(10\) L7/);
});

test('a sheet of serial numbers has a symbol for each, and pages as they fill', async () => {
  const tenant = await brandWith('L8');

  const query = 'serial_from=0098&serial_to=0101&copies=2&columns=2&rows=3';
  const { status, text } = await tenant.get(sheetPath('L8', query));

  assert.equal(status, 200, text);
  assert.deepEqual(labelsIn(text).map(Number), [0, 0, 1, 1, 2, 2, 3, 3]);
  for (const serial of ['0098', '0099', '0100', '0101']) assert.ok(text.includes(`(21) ${serial}`));
  assert.equal(text.match(/class="page"/g)?.length, 2);
});

for (const [query, field] of [
  ['columns=11', 'columns'],
  ['rows=0', 'rows'],
  ['copies=1001', 'copies'],
  ['serial_from=1', 'serial_to'],
  ['serial_to=1', 'serial_from'],
  ['serial_from=5&serial_to=4', 'serial_to'],
  ['serial_from=001&serial_to=201', 'serial_to'],
  ['serial_from=001&serial_to=100&copies=11', 'copies'],
  ['serial_from=08&serial_to=100', 'serial_to'],
  ['serial_from=A1&serial_to=A2', 'serial_from'],
  ['columns=10&rows=30', 'module_mm'],
  ['paper=a5', 'paper'],
] as const) {
  test(`a sheet is not made of ${query}`, async () => {
    const tenant = await brandWith('L9');

    const { status, json } = await tenant.get(sheetPath('L9', query));

    assert.deepEqual([status, json['detail']!['0']!['loc']!['1']], [422, field]);
  });
}

test('what brands write harms no sheet, and its style is the only one that applies', async () => {
  const tenant = await brandWith('L10');
  const name = '</title><script>alert(1)</script>';
  const teller = new TestBrand(hub, tenant.id);
  await teller.put('/v1/products/FLOUR-T55', { names: { en: name }, gtin: GTIN });

  const { text, headers } = await tenant.get(sheetPath('L10'));

  assert.doesNotMatch(text, /<script>/);
  assert.match(
    String(headers.get('content-security-policy')),
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='$/,
  );
  assert.doesNotMatch(text, / style="/);
});

function readDetail({ json }: Answer): string {
  return String(json['detail']);
}
