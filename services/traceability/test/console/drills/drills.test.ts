// Drills in the console: starting one, the list of those that were made, and the certificate of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot } from '../../boot.ts';
import { Bakery, MILL, MILLS_CODE } from '../simulation/bakery.ts';
import { newVisitor, readWords } from '../visitors.ts';

const hub = await openForFile(boot());

async function setUp() {
  const bakery = new Bakery(hub);
  await bakery.record();
  const ada = await newVisitor(hub, { name: 'Ada Miller', brands: { [bakery.id]: 'quality' } });
  return { bakery, ada, path: `/console/b/${bakery.id}/drills` };
}

test('a drill of a lot leads to its certificate: who, when, how fast, what was found, in which block', async () => {
  const { bakery, ada, path } = await setUp();

  const started = await ada.post(path, { lot_code: 'FLOUR-1', supplier_name: '' });
  const certificate = await ada.get(started.location ?? '');

  assert.equal(started.status, 303);
  const words = readWords(certificate);
  const [drill] = (await bakery.get('/v1/recall/drills')).json['drills'] as never as {
    readonly block_height: number;
    readonly block_hash: string;
    readonly elapsed_ms: number;
  }[];
  assert.ok(drill !== undefined);
  assert.match(words, /Certificate of a recall drill .* on the hub Lothub Lot FLOUR-1 \(own lot\)/);
  assert.match(words, /By Ada Miller Traced in [\d.]+ seconds/);
  assert.match(words, new RegExp(`Block ${drill.block_height} ${drill.block_hash}`));
  assert.match(words, /Lots 3 Of them went into it 0 Of them made from it 2 Products 2/);
  assert.match(words, /RYE-BREAD 0 pcs 200 pcs 0 pcs 60 pcs 20 pcs 140 pcs 100 %/);
  assert.match(words, new RegExp(`/explorer/block/${drill.block_height}`));
});

test('a drill without a lot picks one, and the list has it first, with the days since', async () => {
  const { ada, path } = await setUp();
  const empty = readWords(await ada.get(path));
  await ada.post(path, { lot_code: 'BREAD-1' });
  await ada.post(path, {});

  const words = readWords(await ada.get(path));

  assert.match(empty, /No drill was made yet\. Auditors ask for one a year/);
  assert.doesNotMatch(empty, /Days since/);
  assert.match(words, /Days since the last drill: 0/);
  assert.match(
    words,
    /By Drill \d+ .* UTC (?:FLOUR|BREAD|ROLLS)-\d \d [\d.]+ s .* 100 % Ada Miller/,
  );
  assert.match(words, /UTC BREAD-1 2 [\d.]+ s 100 % Ada Miller/);
});

test('of a code that two suppliers use the reader chooses one', async () => {
  const { ada, path } = await setUp();

  const choice = await ada.post(path, { lot_code: MILLS_CODE });
  const started = await ada.post(path, { lot_code: MILLS_CODE, supplier_name: MILL });

  assert.equal(choice.status, 409);
  assert.match(choice.text, /name="supplier_name" value="Mill Brandt"/);
  assert.match(choice.text, /name="supplier_name" value="Müller &amp; Söhne &lt;GmbH&gt;"/);
  assert.equal(started.status, 303);
});

test('an unknown lot is said beside its field, in German, and what was typed stays', async () => {
  const { ada, path } = await setUp();

  const refused = await ada.post(`${path}?lang=de`, { lot_code: 'NO-<b>SUCH' });
  const long = await ada.post(`${path}?lang=de`, { lot_code: 'x'.repeat(300) });

  assert.deepEqual([refused.status, long.status], [404, 422]);
  assert.match(readWords(refused), /Diese Chargennummer ist nicht bekannt/);
  assert.match(refused.text, /value="NO-&lt;b&gt;SUCH"/);
  assert.match(readWords(long), /Bitte höchstens 100 Zeichen verwenden/);
});

test('the page of a brand without lots asks to record some first', async () => {
  const bakery = new Bakery(hub);
  const ada = await newVisitor(hub, { brands: { [bakery.id]: 'manager' } });

  const refused = await ada.post(`/console/b/${bakery.id}/drills`, {});

  assert.equal(refused.status, 400);
  assert.match(readWords(refused), /There is no lot to drill yet/);
});

test('a viewer reads drills and has no form for one; other brands have neither', async () => {
  const { bakery, ada, path } = await setUp();
  const { location } = await ada.post(path, { lot_code: 'FLOUR-1' });
  const vera = await newVisitor(hub, { brands: { [bakery.id]: 'viewer' } });
  const other = new Bakery(hub);
  const eve = await newVisitor(hub, { brands: { [other.id]: 'manager' } });

  const list = await vera.get(path);
  const one = await vera.get(location ?? '');
  const tried = await vera.post(path, { lot_code: 'FLOUR-1' });
  const theirs = await eve.get((location ?? '').replace(bakery.id, other.id));

  assert.deepEqual([list.status, one.status, tried.status, theirs.status], [200, 200, 403, 404]);
  assert.doesNotMatch(list.text, /<form method="post" action="[^"]*drills"/);
});

test('a list of many drills goes on behind the first page', async () => {
  const { ada, path } = await setUp();
  for (let made = 0; made < 26; made += 1) await ada.post(path, { lot_code: 'ROLLS-1' });

  const first = await ada.get(path);
  const [, more = ''] = /href="([^"]*drills\?before=\d+)"/.exec(first.text) ?? [];
  const second = await ada.get(more);

  const rows = (text: string): number => text.split('<tr>').length - 2;
  assert.deepEqual([rows(first.text), rows(second.text)], [25, 1]);
  assert.match(readWords(second), /Days since the last drill: 0/);
});
