// Opening a case from the console in two steps: the preview says what is opened, and nothing else is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { boot, valueAt } from '../../boot.ts';
import { readArray } from '../../recall/tenant.ts';
import { OWN_SITE, newVisitor, open, readWords, submit } from '../visitors.ts';
import type { Page, TestVisitor } from '../visitors.ts';
import { Bakery, MILL, MILLS_CODE } from './bakery.ts';

const hub = await openForFile(boot());

const TYPED = {
  lot_code: MILLS_CODE,
  supplier_name: MILL,
  title: 'Salmonellen im Roggenbrot',
  reason: 'Eine Probe des Mehls war positiv.\r\nWir prüfen <weitere>.',
  language: 'de',
  advice: 'Werfen Sie das Brot weg.',
  severity: 'class_i',
  auto_hold: 'yes',
};

async function setUp() {
  const bakery = new Bakery(hub);
  await bakery.record();
  await bakery.setProfiles();
  const ada = await newVisitor(hub, { brands: { [bakery.id]: 'quality' } });
  return { bakery, ada, path: `/console/b/${bakery.id}/simulation` };
}

/** Fields of the form on a preview that opens the case. */
function readFields(preview: Page): Record<string, string> {
  const [, form = ''] =
    /<form method="post" action="[^"]*\/case">([^]*?)<\/form>/.exec(preview.text) ?? [];
  const fields = [...form.matchAll(/name="([^"]*)"\s+value="([^"]*)"/g)];
  return Object.fromEntries(
    fields.map(([, name = '', value = '']) => [
      name,
      value
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    ]),
  );
}

async function cases(bakery: Bakery): Promise<readonly unknown[]> {
  return readArray((await bakery.get('/v1/recall/cases')).json['cases']);
}

async function openTyped(
  ada: TestVisitor,
  path: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<string> {
  const preview = await ada.post(`${path}/preview`, { ...TYPED, ...changes });
  assert.equal(preview.status, 200);
  const opened = await ada.post(`${path}/case`, readFields(preview));
  assert.equal(opened.status, 303, readWords(opened));
  const [, caseNo = ''] = /recalls\/(RC-\d{4}-\d+)\?done=opened$/.exec(opened.location ?? '') ?? [];
  return caseNo;
}

/** What a notice says, as words in their order. */
function readNotice(page: Page): string {
  const [, notice = ''] = /class="advice">([^]*?)<\/dl>/.exec(page.text) ?? [];
  return readWords({ ...page, text: notice });
}

test('a preview shows word for word what consumers read once the case is open, and writes nothing', async () => {
  const { bakery, ada, path } = await setUp();
  const head = async () => (await hub.call('/public/explorer')).json['stats']?.['height'];
  const before = await head();

  const preview = await ada.post(`${path}/preview`, TYPED);
  const between = await head();
  const caseNo = await openTyped(ada, path);
  const published = await open(hub, `/recalls/${caseNo}?lang=de`);

  assert.deepEqual([between, await cases(bakery).then((all) => all.length)], [before, 1]);
  const unnumbered = (text: string): string =>
    text
      .replace(caseNo, '…')
      .replace(/seit .*$/, 'seit')
      .replaceAll(/\s+/g, ' ');
  assert.equal(unnumbered(readNotice(preview)), unnumbered(readNotice(published)));
  assert.match(readNotice(preview), /Werfen Sie das Brot weg/);
  assert.match(readWords(preview), /rueckruf@altmuehle\.example/);
});

test('a preview says which lots are held and who is to be notified', async () => {
  const { ada, path } = await setUp();
  await ada.post(`${path}/hold`, { lot_code: 'ROLLS-1', direction: 'downstream', reason: 'r' });

  const words = readWords(await ada.post(`${path}/preview`, TYPED));

  assert.match(
    words,
    /Lots covered 3 On hold already 1 Put on hold 2 Customers 1 Channels 1 Suppliers 1/,
  );
  assert.match(words, /BREAD-1 RYE-BREAD Active Will be held/);
  assert.match(words, /ROLLS-1 RYE-BREAD Active On hold On hold already/);
  assert.match(words, /Customer CAFÉ ROSA Channel Wochenmarkt Supplier Mill Brandt/);
});

test('an opened case is the one of the preview, under the name of the person', async () => {
  const { bakery, ada, path } = await setUp();

  const caseNo = await openTyped(ada, path, { fr_title: 'Salmonelles dans le pain' });

  const detail = await bakery.detail(caseNo);
  const { title, reason, severity, language, translations, opened_by: by } = detail;
  assert.deepEqual(
    { title, reason, severity, language, translations, by },
    {
      title: TYPED.title,
      reason: 'Eine Probe des Mehls war positiv.\nWir prüfen <weitere>.',
      severity: 'class_i',
      language: 'de',
      translations: {
        de: { advice: TYPED.advice },
        fr: { title: 'Salmonelles dans le pain' },
      },
      by: ada.name,
    },
  );
  assert.equal(await bakery.standing('BREAD-1'), 'active on_hold');
});

test('a lot that arrives between preview and opening is named, and nothing is opened before it was seen', async () => {
  const { bakery, ada, path } = await setUp();
  const preview = await ada.post(`${path}/preview`, TYPED);
  await bakery.bake('FLOUR-1', ['BREAD-LATE']);
  await bakery.sell('BREAD-LATE', 'Hotel Post');

  const refused = await ada.post(`${path}/case`, readFields(preview));
  const openNow = await cases(bakery);
  const opened = await ada.post(`${path}/case`, readFields(refused));

  assert.equal(refused.status, 409);
  assert.match(
    readWords(refused),
    /Nothing was opened\. Lots that came in: 1 BREAD-LATE Recipients that came in: 1 Hotel Post/,
  );
  assert.match(readWords(refused), /Salmonellen im Roggenbrot/);
  assert.deepEqual(openNow, []);
  assert.equal(opened.status, 303);
});

test('a change of what consumers read of the brand asks for another look, too', async () => {
  const { bakery, ada, path } = await setUp();
  const preview = await ada.post(`${path}/preview`, TYPED);
  await hub.call('/v1/brand', {
    method: 'PATCH',
    headers: { ...bakery.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ recall_contact: '+49 30 1234567' }),
  });

  const refused = await ada.post(`${path}/case`, readFields(preview));

  assert.equal(refused.status, 409);
  assert.match(readWords(refused), /What consumers read of the brand or its products changed/);
  assert.deepEqual(await cases(bakery), []);
});

test('a case in confidence shows what the chain shows instead, and is not public once it is open', async () => {
  const { bakery, ada, path } = await setUp();

  const preview = await ada.post(`${path}/preview`, { ...TYPED, confidential: 'yes' });
  const opened = await ada.post(`${path}/case`, readFields(preview));

  assert.match(readWords(preview), /What the chain shows instead One block with nothing but this/);
  assert.equal(opened.status, 303);
  assert.deepEqual(await bakery.notices(), []);
  assert.equal(valueAt(await cases(bakery), 0, 'confidential'), true);
});

test('what is wrong is said beside its field, and nothing that was typed is lost', async () => {
  const { bakery, ada, path } = await setUp();

  const refused = await ada.post(`${path}/preview?lang=de`, {
    ...TYPED,
    title: ' ',
    de_title: 'zweimal',
    it_advice: 'Non mangiare',
  });
  const mended = await ada.post(`${path}/preview`, {
    ...TYPED,
    title: '',
    it_advice: 'Non mangiare',
  });

  assert.deepEqual([refused.status, mended.status], [422, 422]);
  assert.match(readWords(refused), /Das ist die Sprache von Titel und Grund oben/);
  for (const page of [refused, mended]) {
    assert.match(page.text, /Wir prüfen &lt;weitere&gt;\.<\/textarea/);
    assert.match(page.text, /Non mangiare<\/textarea/);
    assert.match(page.text, /<option value="class_i"\s+selected/);
  }
  assert.match(readWords(mended), /Please fill this in\./);
  assert.deepEqual(await cases(bakery), []);
});

test('going back from the preview shows the form as it was typed', async () => {
  const { ada, path } = await setUp();

  const form = await ada.post(`${path}/edit`, { ...TYPED, auto_hold: '', confidential: 'yes' });

  assert.equal(form.status, 200);
  assert.match(form.text, /value="Salmonellen im Roggenbrot"/);
  assert.match(form.text, /name="confidential"\s+type="checkbox"\s+value="yes"\s+checked/);
  assert.doesNotMatch(form.text, /name="auto_hold"\s+type="checkbox"\s+value="yes"\s+checked/);
});

test('a session that ends at the preview carries all that was typed over the log-in', async () => {
  const { bakery, path } = await setUp();

  const preview = await submit(hub, `${path}/preview`, { headers: OWN_SITE, values: TYPED });
  const step = await submit(hub, `${path}/case`, { headers: OWN_SITE, values: TYPED });

  assert.deepEqual([preview.status, step.status], [401, 401]);
  assert.match(preview.text, /name="before\.reason" value="Eine Probe des Mehls war positiv/);
  assert.deepEqual(await cases(bakery), []);
});

test('after the log-in the preview is there again, and nothing is opened by itself', async () => {
  const { bakery, ada, path } = await setUp();
  const carried = Object.fromEntries(
    Object.entries(TYPED).map(([name, value]) => [`before.${name}`, value]),
  );

  const again = await ada.post(`${path}/case`, { 'before.log-in': 'yes', ...carried });

  assert.equal(again.status, 200);
  assert.match(readWords(again), /Preview: Salmonellen im Roggenbrot/);
  assert.deepEqual(await cases(bakery), []);
});

test('a case that is open for the lot already is named in the preview', async () => {
  const { ada, path } = await setUp();
  const caseNo = await openTyped(ada, path);

  const words = readWords(await ada.post(`${path}/preview`, TYPED));

  assert.match(
    words,
    new RegExp(`Already open for this lot: ${caseNo} ?\\. A second case is possible`),
  );
});
