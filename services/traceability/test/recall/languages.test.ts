// The texts of a recall case in several languages: how they are sent, sealed, edited, shown and compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot, type Json } from '../boot.ts';
import { TestBrand } from '../brand/test-brand.ts';
import { rebuildRows, verifyTraced } from '../verified.ts';
import { CASE, RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot());

const GERMAN = {
  title: 'Metall im Roggenbrot',
  reason: 'Ein gebrochener Siebdraht wurde gefunden',
  advice: 'Bringen Sie das Brot in den Laden zurück',
};
const FRENCH = { title: 'Du métal dans le pain de seigle' };
const WORDING = { language: 'en', translations: { de: GERMAN, fr: FRENCH } };

interface Brand {
  readonly tenant: RecallTenant;
  readonly teller: TestBrand;
}

async function brandWith(...lotCodes: readonly string[]): Promise<Brand> {
  const tenant = new RecallTenant(hub);
  await tenant.receive(...lotCodes);
  return { tenant, teller: new TestBrand(hub, tenant.id) };
}

/** What the newest block of a case says. */
async function newestStep(caseNo: unknown): Promise<Json> {
  const { json } = await hub.call(`/public/notices/${String(caseNo)}/history`);
  const height = readArray(json['steps']).at(-1)!['block_height'];
  const block = await hub.call(`/public/explorer/block/${String(height)}`);
  return (JSON.parse(String(block.json['canonical'])) as Json)['payload']!['decision']!;
}

async function pageIn(language: string, path: string): Promise<string> {
  const { text } = await hub.call(path, { headers: { 'Accept-Language': language } });
  return text.replace(/\s+/g, ' ');
}

test('a case is opened with its texts in several languages, which its notice and its block have', async () => {
  const { tenant } = await brandWith('FLOUR');

  const opened = await tenant.open('FLOUR', WORDING);

  assert.deepEqual([opened['language'], opened['translations']], ['en', WORDING.translations]);
  const [notice] = await tenant.notices();
  assert.deepEqual([notice?.['language'], notice?.['translations']], ['en', WORDING.translations]);
  assert.equal(notice?.['title'], CASE.title);
  assert.match(String(notice?.['advice']), /^Do not use/);
  assert.deepEqual((await newestStep(opened['case_no']))['wording'], WORDING);
  assert.deepEqual((await tenant.verify('FLOUR'))['notices']!['0']!['language'], 'en');
});

test('the block of a case without languages says what it said before there were any', async () => {
  const { tenant } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', { language: null, translations: {} });

  const { at, as_of, committed, concerned, ...said } = await newestStep(caseNo);

  assert.ok(at && as_of && committed && concerned);
  assert.deepEqual(said, {
    auto_hold: true,
    case_no: caseNo,
    change: 'opened',
    direction: 'both',
    entered: [{ distance: 0, lot: 'FLOUR', relation: 'self' }],
    part: 1,
    parts: 1,
    reason: CASE.reason,
    seed: { lot_code: 'FLOUR', type: 'lot' },
    severity: 'unclassified',
    state: 'investigation',
    step: 1,
    title: CASE.title,
  });
  const [notice] = await tenant.notices();
  assert.ok(notice && !('language' in notice) && !('translations' in notice));
  assert.ok(!('names' in notice['brand']!) && !('language' in notice['brand']!));
});

test('an edit replaces the translations, keeps the language, and says what it replaced', async () => {
  const { tenant } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', WORDING);
  const translations = { it: { title: 'Metallo nel pane' } };

  const edited = await tenant.edit(caseNo, { translations });

  assert.deepEqual([edited['language'], edited['translations']], ['en', translations]);
  const { was, wording } = await newestStep(caseNo);
  assert.deepEqual([was, wording], [{ wording: WORDING }, { language: 'en', translations }]);
  const { json } = await hub.call(`/public/notices/${String(caseNo)}/history`);
  const [change] = readArray(readArray(json['steps']).at(-1)!['edited']!['changes']);
  assert.equal(change?.['field'], 'wording');
  assert.deepEqual(JSON.parse(String(change?.['to'])), { language: 'en', translations });
  const again = await tenant.edit(caseNo, { language: 'EN', translations });
  assert.equal(again['block_height'], null);
});

test('an edit takes all languages back, and its block has none', async () => {
  const { tenant } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', WORDING);

  const edited = await tenant.edit(caseNo, { language: null, translations: null });

  assert.ok(!('language' in edited) && !('translations' in edited));
  const step = await newestStep(caseNo);
  assert.deepEqual(step['was'], { wording: WORDING });
  assert.ok(!('wording' in step));
});

test('an edit of something else leaves the languages as they are', async () => {
  const { tenant } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', WORDING);

  await tenant.edit(caseNo, { severity: 'class_i' });
  await tenant.moveThrough(caseNo, 'notification');

  const [notice] = await tenant.notices();
  assert.deepEqual([notice?.['language'], notice?.['translations']], ['en', WORDING.translations]);
  assert.ok(!('wording' in (await newestStep(caseNo))));
});

for (const [what, body] of [
  ['a language that pages are not in', { translations: { nl: { title: 'Metaal' } } }],
  ['a translation without texts', { translations: { de: {} } }],
  ['an empty text', { translations: { de: { title: '' } } }],
  ['a title of 501 characters', { translations: { de: { title: 'x'.repeat(501) } } }],
  ['an advice of 1,001 characters', { translations: { de: { advice: 'x'.repeat(1_001) } } }],
  ['a text that a notice has not', { translations: { de: { note: 'x' } } }],
  ['no language tag', { language: 'not a tag' }],
  ['a number for a language', { language: 1 }],
] as const) {
  test(`${what} is refused, at the opening and at an edit`, async () => {
    const { tenant } = await brandWith('FLOUR');
    const asked = { ...CASE, seed_lot_code: 'FLOUR' };
    assert.equal((await tenant.tryOpen({ ...asked, ...body })).status, 422);
    const { case_no: caseNo } = await tenant.open('FLOUR');

    assert.equal((await tenant.tryEdit(caseNo, body)).status, 422);
  });
}

test('pages show the texts in the language of their reader, else those of the brand with their language', async () => {
  const { tenant } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', WORDING);
  const paths = [
    `/lot/FLOUR?brand=${tenant.id}`,
    `/recalls?brand=${tenant.id}`,
    `/recalls/${String(caseNo)}`,
  ];

  for (const path of paths) {
    const german = await pageIn('de', path);
    assert.ok(german.includes(`<bdi lang="de">${GERMAN.title}</bdi>`), `${path} ${german}`);
    assert.ok(!german.includes(CASE.title), path);
    const spanish = await pageIn('es', path);
    assert.ok(spanish.includes(`<bdi lang="en">${CASE.title}</bdi>`), path);
    assert.ok(spanish.includes('(inglés)'), path);
    const english = await pageIn('en', path);
    assert.ok(english.includes(`<bdi lang="en">${CASE.title}</bdi>`), path);
    assert.ok(!english.includes('English)'), path);
  }
  for (const path of [paths[0]!, paths[2]!]) {
    const french = await pageIn('fr', path);
    assert.ok(french.includes(`<bdi lang="fr">${FRENCH.title}</bdi>`), path);
    assert.ok(french.includes(`<bdi lang="en">${CASE.reason}</bdi>`), path);
    assert.ok(french.includes(`<bdi lang="de">${GERMAN.advice}</bdi>`), path);
    assert.ok(french.includes('(allemand)'), path);
  }
});

test('what a case does not say of its language, its brand does', async () => {
  const { tenant, teller } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR');
  await teller.patch('/v1/brand', { name: 'مخبز', language: 'ar' });

  const [notice] = await tenant.notices();
  const page = await pageIn('de', `/recalls/${String(caseNo)}`);

  assert.equal(notice?.['language'], 'ar');
  assert.ok(page.includes(`<bdi lang="ar">${CASE.title}</bdi> <small class="muted">(Arabisch)`));
  assert.ok(!('language' in (await tenant.detail(caseNo))));
});

test('feeds have the texts in their language, and say which language those of the brand are in', async () => {
  const { tenant, teller } = await brandWith('FLOUR', 'RYE');
  await teller.patch('/v1/brand', { name: 'Old Mill', names: { de: 'Alte Mühle' } });
  const { case_no: caseNo } = await tenant.open('FLOUR', WORDING);
  const itemIn = async (language: string): Promise<Json> => {
    const { json } = await hub.call(`/recalls.json?lang=${language}`);
    return readArray(json['items']).find(({ url }) => String(url).endsWith(String(caseNo)))!;
  };

  const [german, italian] = [await itemIn('de'), await itemIn('it')];
  const { text: atom } = await hub.call('/recalls.atom?lang=it');

  assert.deepEqual([german['title'], german['language']], [GERMAN.title, 'de']);
  assert.equal(german['authors']!['0']!['name'], 'Alte Mühle');
  assert.ok(String(german['content_html']).includes(`<span lang="de">${GERMAN.reason}</span>`));
  assert.ok(String(german['content_html']).includes(GERMAN.advice));
  assert.deepEqual([italian['title'], italian['language']], [CASE.title, 'en']);
  assert.ok(String(italian['content_html']).includes(`<span lang="en">${CASE.reason}</span>`));
  assert.ok(atom.includes(`<title xml:lang="en">${CASE.title}</title>`));
});

test('a recall is found by its title in any language', async () => {
  const { tenant } = await brandWith('FLOUR');
  await tenant.open('FLOUR', {
    translations: { it: { title: 'Schegge nella focaccia di farro' } },
  });

  const page = await pageIn('en', `/recalls?brand=${tenant.id}&q=focaccia`);

  assert.ok(page.includes(CASE.title), page);
});

test('the languages of a case in confidence are private until it is disclosed', async () => {
  const { tenant } = await brandWith('FLOUR');
  const { case_no: caseNo } = await tenant.open('FLOUR', { ...WORDING, confidential: true });
  await tenant.edit(caseNo, { translations: { de: GERMAN } });
  const height = (await tenant.detail(caseNo))['timeline']!['0']!['block_height'];
  const block = await hub.call(`/public/explorer/block/${String(height)}`);
  assert.ok(!block.text.includes(GERMAN.title));

  await tenant.moveThrough(caseNo, 'notification');

  const [notice] = await tenant.notices();
  assert.deepEqual(notice?.['translations'], { de: GERMAN });
});

test('the verifier compares the languages of cases, and a rebuild restores them', async () => {
  const { tenant, teller } = await brandWith('FLOUR');
  await teller.patch('/v1/brand', { language: 'en', names: { it: 'Vecchio mulino' } });
  await teller.put('/v1/places/HALL', { name: 'Hall', language: 'en', names: { it: 'Sala' } });
  const { case_no: caseNo } = await tenant.open('FLOUR', WORDING);
  await tenant.edit(caseNo, { translations: { it: FRENCH } });
  const read = () =>
    hub.database.rows('select case_no, wording from recall_cases order by case_no');
  const before = await read();
  assert.equal((await verifyTraced(hub.database)).ok, true);

  await hub.database.change(
    'update recall_cases set wording = ? where case_no = ?',
    ...['{"language":"de"}', String(caseNo)],
  );
  const report = await verifyTraced(hub.database);
  assert.ok(
    report.mismatches.some(
      ({ code, message }) => code === 'case_row_differs' && message.includes('wording'),
    ),
  );
  await hub.service.close();
  await rebuildRows(hub.database);

  assert.deepEqual(await read(), before);
  assert.equal((await verifyTraced(hub.database)).ok, true);
});
