// Importing files in a real Chromium: a German bakery's workbook with two wrong rows goes in without a word of English
// or a command line, with scripts and without; and how the pages look.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Page } from 'playwright-core';
import { boot, newTenant } from '../../boot.ts';
import { assertWhole, browse } from '../browsing.ts';
import { newVisitor } from '../visitors.ts';
import { BAKERY_HEADER, bakeryRow, buildWorkbook } from './files.ts';

const booted = await boot();
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  await booted[Symbol.asyncDispose]();
});

function workbook(name: string, rows: Parameters<typeof buildWorkbook>[0]) {
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return { name, mimeType, buffer: Buffer.from(buildWorkbook([BAKERY_HEADER, ...rows])) };
}

async function send(page: Page, file: ReturnType<typeof workbook>): Promise<void> {
  await page.getByRole('link', { name: 'Import' }).first().click();
  await page.getByLabel('CSV- oder Excel-Datei').setInputFiles(file);
  await page.getByRole('button', { name: 'Datei ansehen' }).click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`a bakery’s German workbook with two wrong rows goes in, ${how}, and the next one by itself`, async () => {
    const brand = newTenant();
    const person = await newVisitor(booted, { name: 'Bärbel', brands: { [brand]: 'quality' } });
    await using browsing = await browse(browser, booted.base, {
      ...{ person, javaScriptEnabled, locale: 'de' },
    });
    const { page } = browsing;
    const good = [1, 2, 3].map((number) => bakeryRow(number));
    const wrong = [bakeryRow(4, { 4: 'viel' }), bakeryRow(5, { 3: '' })];
    await page.goto(`/console/b/${brand}`);

    await send(page, workbook('März.xlsx', [...good, ...wrong]));
    await page.getByLabel('Eigenschaft', { exact: true }).selectOption({ label: 'Anmerkungen' });
    await page.getByLabel('Art des Ereignisses').selectOption({ label: 'Wareneingang' });
    await page.getByLabel('Ort', { exact: true }).last().fill('BACKSTUBE');
    await page.getByLabel('Einheit', { exact: true }).last().fill('kg');
    await page.getByRole('button', { name: 'Datei prüfen' }).click();
    await page.getByText('Fehlerhafte Ereignisse: 2').waitFor();
    const shown = await page.locator('.row-cells').allInnerTexts();
    await page.getByLabel('Menge').fill('12,5');
    await page.getByLabel('Chargennummer').fill('M-5');
    await page.getByRole('button', { name: 'Mit diesen Zellen noch einmal prüfen' }).click();
    await page.getByText('Zu speichernde Ereignisse: 5').waitFor();
    await page.getByRole('button', { name: 'Jetzt importieren' }).click();
    await page.getByText('Gespeicherte Ereignisse: 5').waitFor();
    const blocks = await page.getByRole('link', { name: /^Block/ }).count();
    await send(page, workbook('April.xlsx', [bakeryRow(6)]));
    await page.getByText('bei einer früheren Datei zugeordnet').waitFor();
    await page.getByRole('button', { name: 'Jetzt importieren' }).click();
    await page.getByText('Gespeicherte Ereignisse: 1').waitFor();
    await page.getByRole('link', { name: 'Import', exact: true }).first().click();
    const list = await page.locator('tbody tr').allInnerTexts();

    assert.equal(shown.length, 2);
    assert.match(shown.join(), /viel/);
    assert.equal(blocks, 5);
    assert.match(list[0] ?? '', /April\.xlsx[^]*Bärbel[^]*Importiert/);
    assert.match(list[1] ?? '', /März\.xlsx/);
    assert.deepEqual(browsing.complaints, []);
  });
}

test('a file that is dropped on the page is sent', async () => {
  const brand = newTenant();
  const person = await newVisitor(booted, { brands: { [brand]: 'quality' } });
  await using browsing = await browse(browser, booted.base, { person, locale: 'de' });
  const { page } = browsing;
  await page.goto(`/console/b/${brand}/imports`);

  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File(['Charge;Menge\\nM-1;2\\n'], 'gezogen.csv'));
    document.querySelector('[data-drop]').dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
    );
  }`);

  await page.getByRole('heading', { name: 'gezogen.csv' }).waitFor();
  assert.deepEqual(browsing.complaints, []);
});

test('pages of imports are whole on a telephone and a wide screen, with hostile, Arabic and long texts', async () => {
  const brand = newTenant();
  const person = await newVisitor(booted, {
    name: 'قسم الجودة',
    brands: { [brand]: 'quality' },
  });
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(4);
  const rows = [
    bakeryRow(1, { 3: 'شحنة-1', 6: long }),
    bakeryRow(2, { 4: '<b>viel</b>', 2: long }),
    bakeryRow(3, { 0: 'gestern', 4: 'شيء' }),
  ];
  await using browsing = await browse(browser, booted.base, { person, locale: 'de' });
  const { page } = browsing;
  const paths: string[] = [`/console/b/${brand}/imports`];

  await page.goto(`/console/b/${brand}/imports`);
  await send(page, workbook(`${'تقرير '.repeat(20)}.xlsx`, rows));
  paths.push(new URL(page.url()).pathname);
  await send(page, workbook('zweite.xlsx', rows));
  await page.getByLabel('Art des Ereignisses').selectOption({ label: 'Wareneingang' });
  await page.getByLabel('Ort', { exact: true }).last().fill('BACKSTUBE');
  await page.getByLabel('Einheit', { exact: true }).last().fill('kg');
  await page.getByRole('button', { name: 'Datei prüfen' }).click();
  await page.getByRole('heading', { name: 'Fehlerhafte Zeilen' }).waitFor();
  paths.push(new URL(page.url()).pathname);
  await send(page, workbook('dritte.xlsx', rows));
  await page.getByText('Nur die richtigen').click();
  await page.getByRole('button', { name: 'Jetzt importieren' }).click();
  await page.getByText('Gespeicherte Ereignisse: 1').waitFor();
  paths.push(new URL(page.url()).pathname);

  await assertWhole(browser, booted.base, { person, paths });
});
