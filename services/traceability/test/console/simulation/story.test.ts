// In a real Chromium, from a fresh hub and in German: a quality manager with a positive result for a supplier's lot finds
// it, simulates, holds quietly, opens a case with its preview, notifies three customers, enters an answer, prints the
// report and closes the case; a certificate on paper; and how the pages look on a telephone, in the dark, in long words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Page } from 'playwright-core';
import { aLine, boot, type Booted } from '../../boot.ts';
import { readArray } from '../../recall/tenant.ts';
import { assertWhole, browse, tabTo } from '../browsing.ts';
import { newVisitor, open, readWords } from '../visitors.ts';
import { Bakery, CUSTOMER, MILL, MILLS_CODE } from './bakery.ts';

const OTHER_CUSTOMERS = ['Hotel <b>Post</b>', 'مخبز الحي'] as const;

const browser = await launchBrowser();
let hub: Booted;
before(async () => {
  hub = await boot();
});
after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

/** Opens a step of a case and does it. */
async function move(page: Page, step: string, now: string): Promise<void> {
  await page.locator('summary', { hasText: step }).click();
  await page.getByRole('button', { name: now }).click();
}

async function setUp() {
  const bakery = new Bakery(hub);
  await bakery.record();
  await bakery.setProfiles();
  const ada = await newVisitor(hub, { name: 'Ada', brands: { [bakery.id]: 'quality' } });
  return { bakery, ada, path: `/console/b/${bakery.id}/simulation` };
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`a supplier’s lot is found, simulated, held and recalled, three customers are notified, one answers, and the case is closed, ${how}`, async () => {
    const { bakery, ada, path } = await setUp();
    await bakery.sell('BREAD-1', OTHER_CUSTOMERS[0]);
    await bakery.sell('ROLLS-1', OTHER_CUSTOMERS[1]);
    const options = { person: ada, locale: 'de', javaScriptEnabled };
    await using browsing = await browse(browser, hub.base, options);
    const { page } = browsing;
    await page.goto(path);
    await page.getByLabel('Charge', { exact: true }).fill(MILLS_CODE);
    await page.getByRole('button', { name: 'Simulieren', exact: true }).click();
    await page.getByRole('link', { name: MILL, exact: true }).click();
    const found = await page.locator('.figures').innerText();

    await page.getByText('Still sperren').click();
    await page.getByLabel('Grund').fill('Salmonellen im Labor');
    await page.getByRole('button', { name: 'Diese Chargen sperren' }).click();
    await page.getByText('Alle Chargen dieses Rückrufs sind gesperrt.').waitFor();
    const held = await bakery.standing('BREAD-1');

    await page.getByRole('link', { name: 'Fall eröffnen' }).click();
    await page.getByLabel('Titel').first().fill('Salmonellen im Roggenbrot');
    await page.getByLabel('Grund').first().fill('Eine Probe des Mehls war positiv.');
    await page.getByLabel('Klasse').selectOption('class_i');
    await page.getByRole('button', { name: 'Vorschau' }).click();
    const notice = await page.locator('article').first().innerText();
    // Twice to the form and back, by the browser's button and by the page's: nothing is lost.
    await page.goBack();
    const kept = await page.getByLabel('Titel').first().inputValue();
    await page.getByRole('button', { name: 'Vorschau' }).click();
    await page.getByRole('button', { name: 'Etwas ändern' }).click();
    const title = await page.getByLabel('Titel').first().inputValue();
    await page.getByRole('button', { name: 'Vorschau' }).click();
    await page.getByRole('button', { name: 'Fall eröffnen' }).click();
    await page.waitForURL(/\/recalls\/RC-\d{4}-\d+/);
    const [, caseNo = ''] = /recalls\/(RC-[\d-]+)/.exec(page.url()) ?? [];

    const published = await open(hub, `/recalls/${caseNo}?lang=de`);

    await move(page, 'Weiter zur Benachrichtigung', 'Jetzt zur Benachrichtigung');
    await page.getByRole('link', { name: 'Benachrichtigungen' }).first().click();
    for (const customer of [CUSTOMER, ...OTHER_CUSTOMERS])
      await page.getByLabel(`${customer} auswählen`).check();
    await page.getByRole('button', { name: 'Ausgewählte als verschickt vermerken' }).click();
    const marked = await page.locator('.notice.good').innerText();
    await page.getByRole('link', { name: 'Nächste ohne Antwort' }).click();
    await page.getByLabel('Nachgewiesene Menge (pcs)').fill('20');
    await page.getByLabel(/Was geantwortet wurde/).fill('Alles zurückgeschickt');
    await page.getByRole('button', { name: 'Antwort speichern' }).click();
    await page.locator('.notice.good').waitFor();
    await page.getByRole('link', { name: 'Rückruf', exact: true }).click();
    const figures = await page.locator('.figures').innerText();
    const report = await page
      .getByRole('link', { name: 'Bericht', exact: true })
      .getAttribute('href');
    await move(page, 'Weiter zur Eindämmung', 'Jetzt zur Eindämmung');
    await page.locator('summary', { hasText: 'Rückruf abschließen' }).click();
    const stillOut = await page.locator('.outstanding').innerText();
    await page.getByLabel('Auch die Sperren dieses Rückrufs beenden').check();
    await page.getByRole('button', { name: 'Rückruf jetzt abschließen' }).click();
    const closed = await page.locator('.notice.good').innerText();
    await page.goto(report ?? '');
    const printed = await page.locator('body').innerText();
    const pdf = await page.pdf({ format: 'A4' });

    assert.match(found, /Chargen\s+3/);
    assert.equal(held, 'active on_hold');
    assert.match(notice, /Rückruf: Salmonellen im Roggenbrot\s+Nicht verzehren oder verwenden/);
    assert.deepEqual([kept, title], ['Salmonellen im Roggenbrot', 'Salmonellen im Roggenbrot']);
    assert.match(readWords(published), /Eine Probe des Mehls war positiv\./);
    assert.equal(marked.trim(), '3 Benachrichtigungen sind als verschickt vermerkt.');
    assert.match(figures, /verschickt, ohne Antwort\s+2\s+beantwortet\s+1\s/);
    assert.match(stillOut, /2 verschickt, ohne Antwort\s+3 durch diesen Rückruf gesperrt/);
    assert.equal(closed.trim(), 'Der Rückruf ist abgeschlossen.');
    assert.match(printed, /20 pcs\. Alles zurückgeschickt/);
    assert.match(pdf.toString('latin1'), /^%PDF-[^]*\/Type\s*\/Page\b/);
    assert.equal((await bakery.detail(caseNo))['status'], 'closed');
    // A hold by hand is nothing of the case, and stays.
    assert.equal(await bakery.standing('BREAD-1'), 'recalled on_hold');
    assert.equal(await bakery.standing('FLOUR-2'), 'active released');
    assert.deepEqual(browsing.complaints, []);
  });
}

test('a case is opened by keyboard alone', async () => {
  const { bakery, ada, path } = await setUp();
  await using browsing = await browse(browser, hub.base, { person: ada });
  const { page } = browsing;
  await page.goto(`${path}/open?lot_code=BREAD-1`);

  await page.getByLabel('Title').first().focus();
  await page.keyboard.type('Glass in bread');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A lamp broke');
  await tabTo(page, 'Preview');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change something' }).waitFor();
  await tabTo(page, 'Open the case');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/recalls\/RC-/);

  const cases = readArray((await bakery.get('/v1/recall/cases')).json['cases']);
  assert.deepEqual(
    cases.map((one) => one['title']),
    ['Glass in bread'],
  );
});

test('the certificate of a drill fits one page of A4 and of Letter', async () => {
  const { bakery, ada } = await setUp();
  const { location } = await ada.post(`/console/b/${bakery.id}/drills`, { lot_code: 'FLOUR-1' });
  await using browsing = await browse(browser, hub.base, { person: ada });
  const { page } = browsing;
  await page.goto(location ?? '');

  const pages: number[] = [];
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format });
    pages.push(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0);
  }
  await page.emulateMedia({ media: 'print' });
  const isSideShown = await page.locator('nav.side').isVisible();

  assert.deepEqual(pages, [1, 1]);
  assert.equal(isSideShown, false);
});

test('every page of simulations and openings is whole on a telephone and a wide screen, light and dark', async () => {
  const { bakery, ada, path } = await setUp();
  const supplier = `${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3)} مطحنة`;
  const lot = `${'LOT'.repeat(30)}-مدير`;
  const from = { supplier_name: supplier, supplier_lot_code: 'W'.repeat(100) };
  await bakery.post({ lines: [aLine({ lot_code: lot, product_sku: 'S'.repeat(100), ...from })] });
  await bakery.sell(lot, `<b>${'كلمة '.repeat(30)}`);
  const query = new URLSearchParams({ lot_code: 'W'.repeat(100), supplier_name: supplier });
  const mill = new Bakery(hub);
  await mill.receive('W'.repeat(100));
  await hub.call(`/v1/suppliers/${encodeURIComponent(supplier)}`, {
    method: 'PUT',
    headers: { ...bakery.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ brand: mill.id }),
  });
  await mill.open('W'.repeat(100), { title: `${'Rückruf'.repeat(30)} استدعاء` });
  const drills = `/console/b/${bakery.id}/drills`;
  const drill = await ada.post(drills, { lot_code: lot });

  await assertWhole(browser, hub.base, {
    person: ada,
    paths: [
      path,
      `${path}?lot_code=${MILLS_CODE}`,
      `${path}?lot_code=bread1`,
      `${path}?${query.toString()}`,
      `${path}?${query.toString()}&as_of=2999-01-01T00:00`,
      `${path}/open?${query.toString()}`,
      `/console/b/${bakery.id}/recalls/inbound`,
      drills,
      (drill.location ?? '').replace(/\?.*/, ''),
    ],
  });
});
