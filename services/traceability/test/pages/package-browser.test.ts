// From the package to the page in a real browser: a printed label is read, its link followed, the answer read in the
// reader's language; and every page on the way is whole and open to everybody on a telephone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, Page } from 'playwright-core';
import { WORDS } from '../../src/web/words/reader.ts';
import { TENANT_KEY, aLine, boot, type Booted } from '../boot.ts';
import { png } from '../brand/pictures.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { decode } from '../labels/decode.ts';
import { RecallTenant } from '../recall/tenant.ts';

const PUBLIC_URL = 'https://trace.example.com';
const GTIN = '09506000134352';
const LONG = 'W'.repeat(100);
const WIDTHS = [360, 1280];
const HEIGHT = 740;

let hub: Booted;
let browser: Browser;
let bakery: RecallTenant;
let ended: string;

before(async () => {
  hub = await boot({ env: { PUBLIC_URL } });
  browser = await launchBrowser();
  bakery = await brandWith('bakery', 'L-1', LONG);
  await brandWith(`rival-${LONG.slice(0, 50)}`, 'L-2');
  await brandWith(`third`, 'L-2');
  const { case_no: caseNo } = await bakery.open('L-1', { severity: 'class_i', title: LONG });
  await bakery.moveThrough(caseNo, 'notification');
  const closed = await bakery.open(LONG, { title: 'Glass' });
  ended = String(closed['case_no']);
  await bakery.moveThrough(ended, 'notification', 'containment', 'closed');
});
after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

async function brandWith(id: string, ...lotCodes: readonly string[]): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub, id);
  for (const lot_code of lotCodes) await tenant.post({ lines: [aLine({ lot_code })] });
  const teller = new TestBrand(hub, id);
  await teller.patch('/v1/brand', {
    name: `Mühle ${id}`,
    recall_contact: 'recall@mill.example, 0800 123 4567',
    website: `https://${'long-'.repeat(12)}mill.example`,
  });
  const names = { de: `Mehl ${LONG}`, en: 'Flour' };
  await teller.put('/v1/products/FLOUR-T55', { names, gtin: GTIN });
  await teller.picture('FLOUR-T55', png());
  return tenant;
}

async function withPage<Result>(
  width: number,
  use: (page: Page, asked: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    locale: 'de-DE',
  });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  try {
    return await use(page, asked);
  } finally {
    await context.close();
  }
}

async function readDocument(path: string): Promise<string> {
  const answer = await hub.call(path, { headers: { ...bakery.headers, 'X-Api-Key': TENANT_KEY } });
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
}

test('the code of a printed label leads a telephone to the verdict, in German', async () => {
  const svg = await readDocument('/v1/lots/L-1/label');

  await withPage(360, async (page) => {
    await page.setContent(`<body style="margin:0">${svg}`);
    const [read] = await decode(await page.screenshot());
    assert.equal(read?.text, `${PUBLIC_URL}/01/${GTIN}/10/L-1`);

    const link = String(read.text).replace(PUBLIC_URL, hub.base);
    const { status, headers } = await fetch(link, { redirect: 'manual' });
    assert.equal(status, 307);
    // It names the public address, which leads to the hub of this test nowhere but here.
    await page.goto(String(headers.get('location')).replace(PUBLIC_URL, hub.base));

    assert.equal(new URL(page.url()).pathname, '/lot/L-1');
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.ok((await page.locator('main').innerText()).includes(WORDS.de.advice.what.class_i));
  });
});

for (const [paper, columns, rows] of [
  ['a4', 2, 6],
  ['a4', 4, 9],
  ['letter', 3, 7],
] as const) {
  test(`each label of a sheet of ${columns} by ${rows} on ${paper} is read, and fits its page`, async () => {
    const size = columns === 4 ? '&module_mm=0.5&symbology=datamatrix' : '';
    const query = `paper=${paper}&columns=${columns}&rows=${rows}&serial_from=01&serial_to=0${columns}${size}`;
    const sheet = await readDocument(`/v1/lots/L-1/label-sheet?${query}`);

    await withPage(1000, async (page, asked) => {
      await page.emulateMedia({ media: 'print' });
      await page.setContent(sheet);
      const read = await decode(await page.locator('.page').screenshot({ scale: 'css' }));
      const pdf = await page.pdf({ preferCSSPageSize: true });

      assert.equal(read.length, columns);
      for (const [index, { text }] of read.entries())
        assert.ok(text.includes('21'), `${index} ${text}`);
      assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1);
      assert.deepEqual(await findOverflow(page), []);
      assert.deepEqual(asked, []);
    });
  });
}

for (const width of WIDTHS) {
  for (const [name, buildPath] of [
    ['of a product', () => `/product/${GTIN}?brand=bakery`],
    ['of a GTIN of several brands', () => `/product/${GTIN}`],
    ['of a lot of several brands', () => `/product/${GTIN}?lot_code=L-2`],
    ['of a lot that no brand with the GTIN has', () => `/product/${GTIN}?lot_code=L1`],
    ['of a GTIN of nobody', () => '/product/00000096385074?lot_code=l-1'],
    ['of all recalls', () => '/recalls'],
    ['of a search without a find', () => `/recalls?q=${LONG}`],
    ['of a recall that ended', () => `/recalls/${ended}`],
  ] as const) {
    test(`the page ${name} is whole and open to everybody at ${width} px`, async () => {
      await withPage(width, async (page, asked) => {
        await page.goto(hub.base + buildPath());

        assert.deepEqual(await findOverflow(page), []);
        assert.deepEqual(await findViolations(page), []);
        assert.equal(await page.locator('html').getAttribute('lang'), 'de');
        assert.deepEqual(
          asked.filter((url) => !url.startsWith(hub.base)),
          [],
        );
      });
    });
  }
}
