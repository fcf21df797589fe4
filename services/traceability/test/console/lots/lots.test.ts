// The list of lots and the page of a lot: what is found, what is said of a lot, who holds and releases it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot } from '../../boot.ts';
import { newVisitor, readWords, type Page } from '../visitors.ts';
import { ARABIC, HOSTILE, fillBakery, fillOther, post } from './bakery.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { received } = await fillBakery(booted);
await fillOther(booted);
const quality = await newVisitor(booted, { name: 'Quinn', brands: { bakery: 'quality' } });
const viewer = await newVisitor(booted, { name: 'Vera', brands: { bakery: 'viewer' } });

const LOTS = '/console/b/bakery/lots';
const FLOUR = `${LOTS}/FLOUR-0711`;

/** Codes of lots in the rows of a list. */
function codesIn({ text }: Page): readonly string[] {
  return [...text.matchAll(/class="code(?: short)?" href="[^"]+"\s*><bdi>([^<]*)<\/bdi>/g)].map(
    ([, code = '']) => code,
  );
}

async function found(q: string, who = viewer): Promise<readonly string[]> {
  return codesIn(await who.get(`${LOTS}.rows?${new URLSearchParams({ q }).toString()}`));
}

const SEARCHES = [
  ['a part of its code', '0711', 'FLOUR-0711'],
  ['a part of its SKU', 'e-75', 'BREAD-0302'],
  ['a part of a supplier’s lot', '2026-11', 'FLOUR-0711'],
  ['a part of what the brand calls the product, in any language', 'roggen', 'BREAD-0302'],
  ['the beginning of the reference of an event', 'INV-', 'BREAD-0302'],
] as const;

for (const [what, q, lotCode] of SEARCHES) {
  test(`a lot is found by ${what}`, async () => {
    const codes = await found(q);

    assert.deepEqual(codes, [lotCode]);
  });
}

test('a text that is part of another SKU finds no lots of a product that the brand calls so', async () => {
  await post(booted, {
    event_type: 'RECEIVE',
    reference: 'PO-2',
    lines: [
      { lot_code: 'NEAR-1', product_sku: 'RYE-7501', direction: 'in', quantity: 1, unit: 'kg' },
    ],
  });

  assert.deepEqual(await found('Roggenbrot'), ['BREAD-0302']);
  assert.deepEqual(await found('rye-750'), ['NEAR-1', 'BREAD-0302']);
});

test('a name with quotes and a backslash is found by them', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Tenant-Id': 'bakery' };
  const body = JSON.stringify({ names: { en: 'The "Old\\Mill" mix' } });
  await booted.call('/v1/products/BOX-A', { method: 'PUT', headers, body });

  assert.deepEqual(await found('"old\\mill"'), ['MIX-1']);
});

test('filters and the search are in the address, and the CSV has what they leave', async () => {
  await quality.post(`${FLOUR}/hold`, { reason: 'moisture above limit' });

  const page = await viewer.get(`${LOTS}?hold_status=on_hold&status=active`);
  const file = await viewer.get(`${LOTS}.csv?hold_status=on_hold&status=active`);
  const none = await viewer.get(`${LOTS}?hold_status=on_hold&status=disposed`);

  assert.deepEqual(codesIn(page), ['FLOUR-0711']);
  assert.match(
    page.text,
    /href="\/console\/b\/bakery\/lots\.csv\?status=active&amp;hold_status=on_hold"/,
  );
  const rows = file.text.trim().split('\r\n');
  assert.match(rows[0] ?? '', /^lot_code,status/);
  assert.deepEqual(
    rows.slice(1).map((row) => row.split(',')[0]),
    ['FLOUR-0711'],
  );
  assert.match(readWords(none), /No lot matches/);
  await quality.post(`${FLOUR}/release`, { case_no: 'manual' });
});

test('columns are chosen in the address, and the choice is remembered', async () => {
  const chosen = await viewer.get(`${LOTS}?column=received&column=sold`);
  const cookie = chosen.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const { text } = await (
    await fetch(booted.base + LOTS, {
      headers: { ...viewer.headers, Cookie: `${viewer.headers['Cookie']}; ${cookie}` },
    })
  )
    .text()
    .then((page) => ({ text: page }));

  for (const page of [chosen.text, text]) {
    const heads = [...page.matchAll(/<th scope="col"[^>]*>([^<]+)<\/th>/g)].map(([, head]) => head);
    assert.deepEqual(heads, ['Lot', 'Received', 'Sold']);
  }
  assert.match(chosen.headers.getSetCookie()[0] ?? '', /HttpOnly; SameSite=Lax/);
});

test('the balance of a lot adds up, and a lot out of which too much went says so', async () => {
  const flour = readWords(await viewer.get(FLOUR));
  const bread = readWords(await viewer.get(`${LOTS}/BREAD-0302`));
  const mix = readWords(await viewer.get(`${LOTS}/MIX-1`));

  assert.match(
    flour,
    /Received \+ 250\.5 kg .*Used in production − 100\.2 kg .*other lots − 0\.05 kg .*Remaining = 150\.25 kg/,
  );
  assert.match(
    bread,
    /Produced \+ 130 pcs .*Sold − 140 pcs .*More went out than came in = -10 pcs/,
  );
  assert.match(mix, /BOX-A .*= 12 pcs .*BOX-B .*= 3\.25 kg/);
});

test('each event has the sign that it has in the balance, whatever its direction is called', async () => {
  const bread = readWords(await viewer.get(`${LOTS}/BREAD-0302`));

  assert.match(
    bread,
    /Sale 4 Mar 2026, 09:00 UTC .*− 140 pcs SHOP-3 INV-9 .*Production .*\+ 130 pcs BAKERY-1/,
  );
});

test('the page says where the lot came from, who else uses the code, and leads to its proofs', async () => {
  const page = await viewer.get(FLOUR);

  const words = readWords(page);
  assert.match(words, /BR-2026-118 Mill Brandt Event 1/);
  assert.match(words, /Others on this hub use the same lot code: dairy/);
  for (const path of [
    '/lot/FLOUR-0711?brand=bakery',
    '/public/verify/FLOUR-0711/evidence?brand=bakery',
    `/console/b/bakery/events/${received}`,
    `${FLOUR}/genealogy`,
  ]) {
    assert.ok(page.text.includes(`href="${path}"`), path);
  }
  assert.doesNotMatch(words, /MILK/);
});

test('somebody holds a lot with a reason and releases it, and both are in the audit by name', async () => {
  const held = await quality.post(`${FLOUR}/hold`, { reason: '  smells of mould ' });
  const shown = await viewer.get(FLOUR);
  const again = await quality.post(`${FLOUR}/hold`, { reason: 'twice' });
  const released = await quality.post(`${FLOUR}/release`, {
    ...{ case_no: 'manual', reason: 'second sample is dry' },
  });
  const audit = await booted.call('/v1/dashboard/audit?entity_id=FLOUR-0711&limit=2', {
    headers: { 'X-Tenant-Id': 'bakery' },
  });

  assert.deepEqual([held.status, held.location], [303, `${FLOUR}?done=held`]);
  assert.match(readWords(shown), /On hold .*by hand · Quinn · .*smells of mould/);
  assert.equal(again.location, `${FLOUR}?done=unchanged`);
  assert.equal(released.location, `${FLOUR}?done=released`);
  assert.match(
    audit.text,
    /"actor":"Quinn","action":"release_lot".*"actor":"Quinn","action":"hold_lot"/,
  );
  assert.match(readWords(await viewer.get(`${FLOUR}?done=released`)), /The hold is ended/);
});

test('a hold without a reason is refused in the reader’s language, beside the field', async () => {
  const page = await quality.post(`${FLOUR}/hold?lang=de`, { reason: '  ' });
  const long = await quality.post(`${FLOUR}/hold?lang=de`, { reason: 'x'.repeat(2_001) });

  assert.equal(page.status, 422);
  assert.match(page.text, /id="hold-reason-error"[^]*Bitte ausfüllen|Bitte füllen/);
  assert.match(page.text, /<details class="edit" open/);
  assert.match(readWords(long), /höchstens 2\.000 Zeichen/);
  assert.ok(long.text.includes('x'.repeat(2_001)));
});

test('a viewer sees no form and may not hold', async () => {
  const page = await viewer.get(FLOUR);
  const refused = await viewer.post(`${FLOUR}/hold`, { reason: 'because' });

  assert.doesNotMatch(page.text, /action="[^"]*\/(?:hold|release)"/);
  assert.equal(refused.status, 403);
});

test('an unknown code leads to codes that are alike, a supplier’s code to the lot of its own', async () => {
  const unknown = await viewer.get(`${LOTS}/${encodeURIComponent('flour 0711')}`);
  const bySupplier = await viewer.get(`${LOTS}/BR-2026-118`);
  const ofOther = await viewer.get('/console/b/dairy/lots/FLOUR-0711');

  assert.equal(unknown.status, 404);
  assert.deepEqual(codesIn(unknown), ['FLOUR-0711']);
  assert.equal(bySupplier.location, FLOUR);
  assert.equal(ofOther.status, 404);
});

test('hostile and Arabic texts are in the pages as they are, and run nothing', async () => {
  const list = await viewer.get(LOTS);
  const lot = await viewer.get(`${LOTS}/${encodeURIComponent(HOSTILE)}`);

  for (const page of [list, lot]) {
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes('<img src=x'));
    assert.ok(page.text.includes(ARABIC));
  }
});

test('a brand without lots is led to its first file', async () => {
  const newcomer = await newVisitor(booted, { brands: { empty: 'quality' } });

  const page = await newcomer.get('/console/b/empty/lots');

  assert.match(readWords(page), /There is no lot yet/);
  assert.ok(page.text.includes('href="/console/b/empty/imports"'));
});

test('the list goes on page by page', async () => {
  const lines = Array.from({ length: 120 }, (_one, index) => ({
    ...{
      lot_code: `L-${String(index).padStart(3, '0')}`,
      product_sku: 'S',
      direction: 'in' as const,
    },
    ...{ quantity: 1, unit: 'kg' },
  }));
  await post(
    booted,
    { event_type: 'RECEIVE', reference: 'PO-3', lines },
    { 'X-Tenant-Id': 'many' },
  );
  const reader = await newVisitor(booted, { brands: { many: 'viewer' } });

  const first = await reader.get('/console/b/many/lots?q=L-');
  const last = await reader.get('/console/b/many/lots?q=L-&offset=100');

  assert.match(readWords(first), /1–50 of 120/);
  assert.ok(first.text.includes('href="/console/b/many/lots?q=L-&amp;offset=50"'));
  assert.equal(codesIn(last).length, 20);
  assert.match(readWords(last), /Previous 101–120 of 120/);
});

test('a sheet of labels is made of the form, and what does not fit is said in words', async () => {
  const page = await viewer.get(`${FLOUR}/labels`);
  const symbol = await viewer.get(`${FLOUR}/label`);
  const sheet = await viewer.get(
    `${FLOUR}/labels/sheet?symbology=qr&paper=a4&columns=2&rows=3&copies=&module_mm=`,
  );
  const wide = await viewer.get(`${FLOUR}/labels/sheet?lang=de&columns=10&rows=30&module_mm=2`);
  const wrong = await viewer.get(`${FLOUR}/labels/sheet?lang=de&columns=11&module_mm=viel`);
  const matrix = await viewer.get(`${FLOUR}/labels/sheet?lang=de&symbology=datamatrix`);
  const unknown = await viewer.get(`${LOTS}/NOTHING/labels`);

  assert.ok(page.text.includes(`src="${FLOUR}/label"`));
  assert.equal(symbol.headers.get('content-type'), 'image/svg+xml');
  assert.equal(sheet.status, 200);
  assert.equal([...sheet.text.matchAll(/<use href/g)].length, 6);
  assert.deepEqual([wide.status, wrong.status, matrix.status], [422, 422, 422]);
  assert.match(readWords(wide), /Die Etiketten passen nicht/);
  assert.match(wrong.text, /id="module_mm-error"/);
  assert.match(readWords(matrix), /braucht eine GTIN/);
  assert.equal(unknown.status, 404);
});

test('words of a lot’s page open their sentence, each once, in the reader’s language', async () => {
  const page = await viewer.get(`${FLOUR}?lang=de`);

  for (const id of ['massBalance', 'provenance', 'proof']) {
    assert.equal(page.text.split(`popovertarget="term-${id}"`).length, 2, id);
    assert.equal(page.text.split(`id="term-${id}" popover`).length, 2, id);
  }
  assert.match(readWords(page), /Mengenbilanz/);
});
