// The page of a genealogy without a browser: what is drawn, what opens, what is searched, who may look.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isAnswer, parsed } from '../../../src/console/browser/genealogy/answers.ts';
import { boot } from '../../boot.ts';
import { newVisitor, readWords, type Page } from '../visitors.ts';
import { BRAND, breadCode, fillBakery } from './bakery.ts';

const HOSTILE = '"><img src=x onerror=alert(1)>';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
await fillBakery(booted, 14);
const viewer = await newVisitor(booted, { brands: { [BRAND]: 'viewer' } });

function buildPath(lot: string): string {
  return `/console/b/${BRAND}/lots/${encodeURIComponent(lot)}/genealogy`;
}

/** Titles of the boxes that are drawn. */
function drawn({ text }: Page): readonly string[] {
  return [...text.matchAll(/class="box"[^>]*>\s*<title>([^<]*)</g)].map(([, name = '']) => name);
}

/** First cells of the table. */
function rows({ text }: Page): readonly string[] {
  const [, body = ''] = /<tbody id="genealogy-rows">([^]*?)<\/tbody>/.exec(text) ?? [];
  return [...body.matchAll(/<tr[^]*?<\/tr>/g)].map(([row]) =>
    row
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** Where the link of this name leads. */
function findLink({ text }: Page, name: string): string {
  const [, href = ''] =
    new RegExp(`href="([^"]*)"[^>]*><title>${name}<`).exec(text.replace(/\s+/g, ' ')) ?? [];
  return href.replaceAll('&amp;', '&');
}

async function answer(lot: string, step: string) {
  const page = await viewer.get(`${buildPath(lot)}/neighbours?step=${encodeURIComponent(step)}`);
  return parsed(page.text, isAnswer);
}

test('a page begins with two steps around the lot, few lots one by one and many by product', async () => {
  const page = await viewer.get(buildPath('DOUGH-1'));

  assert.equal(page.status, 200);
  const names = drawn(page);
  assert.ok(names.includes('DOUGH-1, DOUGH, Used up, this lot'), names.join('; '));
  assert.ok(names.includes('FLOUR-1, FLOUR, Used up'));
  assert.ok(names.some((name) => name.startsWith('Supplier’s lot BR-118, Mill Brandt')));
  assert.ok(names.some((name) => name.startsWith('BREAD-500: 100 lots')));
  assert.ok(names.includes('CIABATTA: 100 lots, 1 recalled'));
  assert.ok(names.length <= 60);
});

test('the table says what the drawing says', async () => {
  const page = await viewer.get(buildPath('DOUGH-1'));

  const tableRows = rows(page);
  assert.equal(tableRows.length, drawn(page).length);
  assert.match(tableRows[0] ?? '', /^DOUGH-1 DOUGH this lot 0 Used up 2 Mar 2026/);
  assert.ok(tableRows.some((row) => /^FLOUR-1 FLOUR goes into it 1 /.test(row)));
  assert.ok(tableRows.some((row) => /^BR-118 Mill Brandt FLOUR goes into it 2 /.test(row)));
  assert.ok(tableRows.some((row) => /^100 not drawn one by one ROLL made from it 1$/.test(row)));
});

test('without scripts a group opens page by page through the address, and closes again', async () => {
  const first = await viewer.get(buildPath('DOUGH-1'));
  const opened = await viewer.get(findLink(first, 'Show lots of CIABATTA, 100 not shown yet'));
  const further = await viewer.get(findLink(opened, 'Show lots of CIABATTA, 75 not shown yet'));
  const closed = await viewer.get(findLink(further, 'Hide the lots of CIABATTA'));

  const breads = (page: Page) => drawn(page).filter((name) => name.startsWith('B-01-')).length;
  assert.deepEqual([first, opened, further, closed].map(breads), [1, 26, 51, 1]);
  const newest = breadCode(1, 500);
  assert.ok(drawn(opened).includes(`${newest}, CIABATTA, Recalled`));
});

test('what led back by rework is an ancestor and is drawn with a line back', async () => {
  const page = await viewer.get(buildPath('DOUGH-1'));

  assert.ok(rows(page).some((row) => /^CRUMBS-1 CRUMBS goes into it 1 /.test(row)));
  assert.match(page.text, /<path class="back" d="M/);
});

test('all neighbours of a lot are counted by product, and the newest come first', async () => {
  const side = await answer('DOUGH-2', 'down/DOUGH-2');
  const group = await answer('DOUGH-2', 'down/DOUGH-2/lot%3AROLL/25');

  assert.deepEqual(
    side.groups.map(({ key, count }) => [key, count]),
    [
      ['lot:BREAD-500', 100],
      ['lot:BREAD-750', 100],
      ['lot:ROLL', 100],
      ['lot:BAGUETTE', 100],
      ['lot:CIABATTA', 100],
    ],
  );
  assert.equal(group.ids.length, 25);
  assert.equal(group.lots[0]?.code, breadCode(2, 480));
});

test('a search goes through the whole genealogy and leads to what it finds by the nearest way', async () => {
  const found = await viewer.get(`${buildPath('FLOUR-1')}?q=${breadCode(7, 77).toLowerCase()}`);
  const [, href = ''] = /<li><a href="([^"]*)">/.exec(found.text) ?? [];
  const way = await viewer.get(href.replaceAll('&amp;', '&'));
  const nothing = await viewer.get(`${buildPath('FLOUR-1')}?q=cheese`);

  assert.match(readWords(found), /B-07-0077, ROLL, Active/);
  assert.ok(rows(way).some((row) => /^DOUGH-7 DOUGH made from it 1 /.test(row)));
  assert.ok(rows(way).some((row) => /^B-07-0077 ROLL made from it 2 /.test(row)));
  assert.match(readWords(nothing), /Nothing found in this genealogy/);
});

test('a lot of another brand is no lot of this one, and nobody reads without a role', async () => {
  const stranger = await newVisitor(booted, { brands: { mill: 'viewer' } });

  assert.equal((await viewer.get(buildPath('NO-SUCH-LOT'))).status, 404);
  assert.equal((await stranger.get(buildPath('DOUGH-1'))).status, 404);
  assert.equal(
    (await stranger.get(`${buildPath('DOUGH-1')}/neighbours?step=up/DOUGH-1`)).status,
    404,
  );
  assert.equal((await viewer.get(buildPath('DOUGH-1').replace(BRAND, 'mill'))).status, 404);
});

test('steps that are none, of unknown lots or out of reach are passed over', async () => {
  const asked = ['up', 'down/%25E0%25', 'down/NO-SUCH', 'down/B-02-0001', 'way/B-02-0001', 'x/y'];
  const query = asked.map((step) => `open=${step}`).join('&');

  const page = await viewer.get(`${buildPath('CRUMBS-1')}?depth=99&${query}`);
  const step = await viewer.get(`${buildPath('CRUMBS-1')}/neighbours?step=sideways/X`);

  assert.equal(page.status, 200);
  assert.ok(rows(page).every((row) => !row.startsWith('B-02-')));
  assert.equal(step.status, 404);
});

test('at most 500 nodes are drawn, and the page says so', async () => {
  const groups = ['BREAD-500', 'BREAD-750', 'ROLL', 'BAGUETTE', 'CIABATTA'];
  const query = groups.map((sku) => `open=down/DOUGH-1/lot%253A${sku}/100`).join('&');

  const page = await viewer.get(`${buildPath('DOUGH-1')}?${query}`);

  assert.equal(drawn(page).length, 500);
  assert.equal(rows(page).length, 500);
  assert.match(readWords(page), /As many lots are drawn as can be/);
});

test('hostile codes, products and searches are text', async () => {
  const line = { quantity: 1, unit: 'kg', product_sku: HOSTILE };
  const posted = await booted.post(
    '/v1/events',
    {
      ...{ event_type: 'PRODUCE', location: HOSTILE, reference: HOSTILE },
      occurred_at: '2026-03-02T06:15:00Z',
      lines: [
        { ...line, lot_code: HOSTILE, direction: 'in', product_sku: HOSTILE },
        { ...line, lot_code: `مخبز ${HOSTILE}`, direction: 'out' },
      ],
    },
    { 'X-Tenant-Id': BRAND },
  );

  const page = await viewer.get(`${buildPath(HOSTILE)}?q=${encodeURIComponent(HOSTILE)}`);

  assert.equal(posted.status, 201);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /<img/);
  assert.ok(drawn(page).some((name) => name.includes('مخبز')));
});

test('the page is written in the language of its reader', async () => {
  const page = await viewer.get(`${buildPath('DOUGH-2')}?lang=de`);

  assert.ok(drawn(page).includes('DOUGH-2, DOUGH, Aufgebraucht, Gesperrt, diese Charge'));
  assert.match(readWords(page), /Stammbaum von DOUGH-2/);
});

test('a supplier’s lot has a drawing of its own: what came in under it and what was made from that', async () => {
  const page = await viewer.get(buildPath('BR-118'));
  const doughs = await answer('BR-118', 'down/FLOUR-1');
  const seed = await answer('BR-118', 'down/BR-118');
  const way = await answer('BR-118', `way/${breadCode(2, 3)}`);
  const tableRows = rows(page);

  assert.equal(page.status, 200);
  assert.match(tableRows[0] ?? '', /^BR-118 Mill Brandt FLOUR this lot 0 /);
  assert.ok(
    tableRows.some((row) => /^FLOUR-1 FLOUR made from it 1 /.test(row)),
    tableRows.join('; '),
  );
  assert.ok(!tableRows.some((row) => row.startsWith('YEAST')), 'only what is behind it is open');
  assert.equal(drawn(page).filter((name) => name.includes('BR-118')).length, 1);
  assert.equal(doughs.groups[0]?.count, 14);
  assert.deepEqual(
    seed.lots.map(({ code }) => code),
    ['FLOUR-1'],
  );
  assert.equal(way.ids[0], 's:BR-118');
  assert.deepEqual(
    way.ids.slice(1).map((id) => way.lots.find((lot) => lot.id === id)?.code),
    ['FLOUR-1', 'DOUGH-2', breadCode(2, 3)],
  );
  assert.equal((await viewer.get(buildPath('BR-119'))).status, 404);
});

test('a search that finds a supplier’s lot leads to its drawing', async () => {
  const page = await viewer.get(`${buildPath('DOUGH-1')}?q=br-118`);
  const there = await viewer.get(`${buildPath('BR-118')}?q=flour`);

  const hits = ({ text }: Page) => /<ul class="genealogy-hits">[^]*?<\/ul>/.exec(text)?.[0] ?? '';
  assert.match(
    hits(page),
    new RegExp(`href="${buildPath('BR-118')}">[^<]*<?[^<]*Supplier’s lot BR-118`),
  );
  assert.match(hits(page), /open=way%2FFLOUR-1/);
  assert.match(hits(there), /open=way%2FFLOUR-1/);
});
