// The list of recalls for consumers: what is on it and for how long, its search, its pages, and each case in the
// reader's language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { CLOSED_SHOWN_DAYS } from '../../src/lots/notices/shown.ts';
import { WORDS } from '../../src/web/words/reader.ts';
import { aLine, boot } from '../boot.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { png } from '../brand/pictures.ts';
import { RecallTenant } from './tenant.ts';

const DAY_MS = 86_400_000;

const hub = await openForFile(boot());

interface Brand {
  readonly tenant: RecallTenant;
  readonly teller: TestBrand;
  readonly name: string;
}

/** A brand with a product of its own, and a lot of it for each code. */
async function brandWith(
  names: Readonly<Record<string, string>>,
  ...lotCodes: readonly string[]
): Promise<Brand> {
  const tenant = new RecallTenant(hub);
  const teller = new TestBrand(hub, tenant.id);
  const name = `Käserei ${tenant.id}`;
  await teller.patch('/v1/brand', { name, recall_contact: 'recall@dairy.example, 0800 123 4567' });
  await teller.put('/v1/products/CHEESE', { names, gtin: '4006381333931' });
  for (const lot_code of lotCodes) {
    await tenant.post({ lines: [aLine({ lot_code, product_sku: 'CHEESE' })] });
  }
  return { tenant, teller, name };
}

async function readPage(path: string, language = 'en'): Promise<string> {
  const { status, text } = await hub.call(path, { headers: { 'Accept-Language': language } });
  assert.equal(status, 200, `${path}: ${text}`);
  return text;
}

/** Numbers of the cases on a page, in their order. */
const casesOn = (text: string) =>
  [...text.matchAll(/href="\/recalls\/(RC-[0-9-]+)"/g)].map(([, caseNo]) => caseNo);
const findLink = (text: string, rel: string) =>
  new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(text)?.[1]?.replaceAll('&amp;', '&');
const search = (q: string) => `/recalls?${new URLSearchParams({ q }).toString()}`;

test('a recall is a card with picture, product, brand and what to do, in the reader’s language', async () => {
  const { tenant, teller, name } = await brandWith({ en: 'Cave cheese', de: 'Höhlenkäse' }, 'C-1');
  assert.equal((await teller.picture('CHEESE', png())).status, 200);
  const opened = await tenant.open('C-1', { severity: 'class_i', title: 'Listerien' });

  const german = await readPage(`/recalls?brand=${tenant.id}`, 'de');
  const english = await readPage(`/recalls?brand=${tenant.id}`);

  assert.deepEqual(casesOn(german), [opened['case_no']]);
  assert.match(german, /<h1>Rückrufe<\/h1>/);
  assert.match(german, /<bdi lang="de">Höhlenkäse<\/bdi>/);
  assert.ok(german.includes(WORDS.de.advice.what.class_i));
  assert.match(german, /<bdi lang="">Listerien<\/bdi>/);
  assert.match(german, /<img\s+class="picture"\s+src="\/public\/pictures\/[0-9a-f]{64}"/);
  assert.ok(german.includes(name));
  assert.match(english, /<bdi lang="en">Cave cheese<\/bdi>/);
  assert.ok(english.includes(WORDS.en.advice.what.class_i));
});

test('a closed recall stays for a year and says that it ended; a cancelled one does not', async () => {
  const { tenant } = await brandWith({ en: 'Brie' }, 'B-1', 'B-2');
  const { case_no: closed } = await tenant.open('B-1');
  const { case_no: cancelled } = await tenant.open('B-2');
  await tenant.moveThrough(closed, 'notification', 'containment', 'closed');
  await tenant.moveThrough(cancelled, 'cancelled');
  const list = () => readPage(`/recalls?brand=${tenant.id}`);
  const closedAgo = (days: number) =>
    hub.database.change(
      'update recall_cases set ended_at = ? where case_no = ?',
      new Date(Date.now() - days * DAY_MS).toISOString(),
      String(closed),
    );

  const fresh = await list();
  await closedAgo(CLOSED_SHOWN_DAYS - 1);
  const late = await list();
  await closedAgo(CLOSED_SHOWN_DAYS + 1);
  const gone = await list();

  assert.deepEqual(casesOn(fresh), [closed]);
  assert.match(fresh, /<span class="chip">Ended<\/span>/);
  assert.match(fresh, /stay here for 365 days after they ended/);
  assert.deepEqual(casesOn(late), [closed]);
  assert.deepEqual(casesOn(gone), []);
  // Whoever has the address still reads what became of it.
  assert.match(await readPage(`/recalls/${String(closed)}`), /the brand has done what it had to/);
  assert.match(
    await readPage(`/recalls/${String(cancelled)}`),
    /The brand cancelled this recall on/,
  );
  // For programs a notice ends with its case.
  assert.deepEqual(await tenant.notices(), []);
});

for (const [what, q] of [
  ['a word of the product', 'höhlenkäse'],
  ['without accents, in capitals', 'HOHLENKASE'],
  ['a name in another language', 'grotte'],
  ['words in any order', 'grotte fromage'],
  ['the brand', 'Käserei brand'],
  ['the title', 'listeria'],
  ['the lot code', 'K-2026/11'],
  ['the lot code written otherwise', 'k 2026/11'],
  ['the GTIN', '4 006381 333931'],
  ['the SKU', 'cheese'],
] as const) {
  test(`a recall is found by ${what}`, async () => {
    const names = { de: 'Höhlenkäse', fr: 'Fromage de grotte' };
    const { tenant } = await brandWith(names, 'K-2026/11');
    const { case_no: caseNo } = await tenant.open('K-2026/11', { title: 'Listeria found' });
    const other = new RecallTenant(hub);
    await other.receive('OTHER');
    const { case_no: strange } = await other.open('OTHER', { title: 'Glass' });

    const found = casesOn(await readPage(search(q)));

    assert.ok(found.includes(String(caseNo)), String(found));
    assert.ok(!found.includes(String(strange)), String(found));
  });
}

test('what is not there is not found, and the page says what to do', async () => {
  const text = await readPage(search('nothing has this name'));

  assert.deepEqual(casesOn(text), []);
  assert.match(text, /No recall is found for this/);
  assert.match(text, /value="nothing has this name"/);
});

test('what is typed is text, and an empty form shows all', async () => {
  const text = await readPage(search('"><script>alert(1)</script>'));

  assert.doesNotMatch(text, /<script>alert/);
  assert.equal((await hub.call('/recalls?q=&brand=&lot_code=')).status, 200);
  assert.equal((await hub.call(`/recalls?q=${'x'.repeat(201)}`)).status, 422);
  assert.equal((await hub.call(search('%_\\'))).status, 200);
});

test('pages lead to older and newer ones, with and without a search', async () => {
  const codes = Array.from({ length: 45 }, (_, index) => `P-${index}`);
  const { tenant } = await brandWith({ en: 'Pagedcheese' }, ...codes);
  const numbers: unknown[] = [];
  for (const code of codes) numbers.unshift((await tenant.open(code))['case_no']);

  for (const start of [`/recalls?brand=${tenant.id}`, search('pagedcheese')]) {
    const first = await readPage(start);
    const second = await readPage(findLink(first, 'next') ?? '');
    const third = await readPage(findLink(second, 'next') ?? '');
    const back = await readPage(findLink(third, 'prev') ?? '');
    const top = await readPage(findLink(back, 'prev') ?? '');

    assert.deepEqual([first, second, third].map(casesOn), [
      numbers.slice(0, 20),
      numbers.slice(20, 40),
      numbers.slice(40),
    ]);
    assert.deepEqual([back, top].map(casesOn), [numbers.slice(20, 40), numbers.slice(0, 20)]);
    assert.deepEqual(
      [findLink(first, 'prev'), findLink(third, 'next'), findLink(top, 'prev')],
      [undefined, undefined, undefined],
    );
  }
});

test('a case in confidence is on no page and in no search', async () => {
  const { tenant } = await brandWith({ en: 'Secretcheese' }, 'S-1');
  const { case_no: caseNo } = await tenant.open('S-1', { confidential: true });

  assert.deepEqual(casesOn(await readPage(`/recalls?brand=${tenant.id}`)), []);
  assert.deepEqual(casesOn(await readPage(search('secretcheese'))), []);
  assert.deepEqual(casesOn(await readPage(search(String(caseNo)))), []);
  assert.equal((await hub.call(`/recalls/${String(caseNo)}`)).status, 404);
});

test('the steps of a case are written in the reader’s language, with blocks and proofs', async () => {
  const { tenant } = await brandWith({ en: 'Feta' }, 'E-1');
  const { case_no: caseNo } = await tenant.open('E-1', { title: 'Glas' });
  await tenant.moveThrough(caseNo, 'notification');

  const text = await readPage(`/recalls/${String(caseNo)}`, 'de');

  assert.match(text, /Was entschieden wurde/);
  assert.ok(text.includes(WORDS.de.labels.caseStatuses.notification));
  assert.doesNotMatch(text, /opened by|moved to|Proof file|Later steps/);
  assert.match(text, /href="\/log\/[^"]+\/proof\/[^"]+"/);
});

test('the page of a case has the contact of the brand as links, and pages lead to the feeds', async () => {
  const { tenant } = await brandWith({ en: 'Blue cheese' }, 'D-1');
  const { case_no: caseNo } = await tenant.open('D-1');

  const text = await readPage(`/recalls/${String(caseNo)}`, 'it');

  assert.match(text, /href="mailto:recall@dairy\.example"/);
  assert.match(text, /href="tel:/);
  assert.match(
    text,
    /<link\s+rel="alternate"\s+type="application\/atom\+xml"[^>]+href="\/recalls\.atom\?lang=it"/,
  );
  assert.match(
    text,
    /<link\s+rel="alternate"\s+type="application\/feed\+json"[^>]+href="\/recalls\.json\?lang=it"/,
  );
});
