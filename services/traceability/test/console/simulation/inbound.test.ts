// Recalls of suppliers in the console: what reaches the brand, simulating it, holding the lots that it reaches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../../boot.ts';
import { newVisitor, readWords } from '../visitors.ts';
import { Bakery, MILL, MILLS_CODE } from './bakery.ts';

const hub = await openForFile(boot());

/** A bakery whose mill recalls the flour that its bread was made of. */
async function setUp() {
  const [bakery, mill] = [new Bakery(hub), new Bakery(hub)];
  await bakery.record();
  await mill.receive(MILLS_CODE);
  const answer = await hub.call(`/v1/suppliers/${encodeURIComponent(MILL)}`, {
    method: 'PUT',
    headers: { ...bakery.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ brand: mill.id }),
  });
  assert.equal(answer.status, 201, answer.text);
  const title = 'Ergot <i>in</i> rye';
  const { case_no: caseNo } = await mill.open(MILLS_CODE, { severity: 'class_i', title });
  const ada = await newVisitor(hub, { brands: { [bakery.id]: 'quality' } });
  return {
    bakery,
    mill,
    ada,
    caseNo: String(caseNo),
    path: `/console/b/${bakery.id}/recalls/inbound`,
  };
}

test('a recall of a linked supplier names the code it came in under and the own lots it reaches', async () => {
  const { ada, mill, path } = await setUp();

  const page = await ada.get(path);

  const words = readWords(page);
  assert.match(words, new RegExp(`Recall of ${mill.id} Class I Investigation`));
  assert.match(words, /W-118 Mill Brandt Simulate W-118 .* 3 .* FLOUR-1 RYE-997 1 Active BREAD-1/);
  assert.doesNotMatch(words, /FLOUR-2/);
  assert.match(page.text, /Ergot &lt;i&gt;in&lt;\/i&gt; rye/);
  assert.match(page.text, /simulation\?lot_code=W-118&amp;supplier_name=Mill\+Brandt"/);
});

test('holding holds all own lots that the recall reaches, and nothing else', async () => {
  const { bakery, ada, path, caseNo } = await setUp();

  const held = await ada.post(`${path}/${caseNo}/hold`, { reason: `${caseNo}: ergot` });
  const landed = await ada.get(held.location ?? '');

  assert.equal(held.status, 303);
  assert.match(readWords(landed), /All lots that the recall reaches are on hold/);
  assert.deepEqual(
    await Promise.all(
      ['FLOUR-1', 'BREAD-1', 'ROLLS-1', 'FLOUR-2'].map((lot) => bakery.standing(lot)),
    ),
    ['active on_hold', 'active on_hold', 'active on_hold', 'active released'],
  );
});

test('a hold without a reason, and one of a recall that reaches nothing, are refused in words', async () => {
  const { bakery, ada, path, caseNo } = await setUp();

  const blank = await ada.post(`${path}/${caseNo}/hold?lang=de`, { reason: '  ' });
  const gone = await ada.post(`${path}/RC-2026-9999/hold`, { reason: 'r' });

  assert.deepEqual([blank.status, gone.status], [422, 400]);
  assert.match(readWords(blank), /Bitte füllen Sie das aus/);
  assert.match(readWords(gone), /This recall does not reach any of your lots any more/);
  assert.equal(await bakery.standing('FLOUR-1'), 'active released');
});

test('a recall that ended is listed when those are asked for', async () => {
  const { mill, ada, path, caseNo } = await setUp();
  await mill.moveThrough(caseNo, 'cancelled');

  const open = readWords(await ada.get(path));
  const all = readWords(await ada.get(`${path}?state=all`));

  assert.match(open, /No recall of a linked supplier reaches your lots/);
  assert.match(all, /Cancelled Ended on/);
});

test('a viewer reads recalls of suppliers and has no button; others do not find the page', async () => {
  const { bakery, mill, path, caseNo } = await setUp();
  const vera = await newVisitor(hub, { brands: { [bakery.id]: 'viewer' } });
  const eve = await newVisitor(hub, { brands: { [mill.id]: 'manager' } });

  const page = await vera.get(path);
  const tried = await vera.post(`${path}/${caseNo}/hold`, { reason: 'mine' });
  const theirs = await eve.get(path);

  assert.deepEqual([page.status, tried.status, theirs.status], [200, 403, 404]);
  assert.doesNotMatch(page.text, /\/hold"|simulation\?lot_code/);
  assert.equal(await bakery.standing('FLOUR-1'), 'active released');
});
